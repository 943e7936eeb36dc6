//! Checks the `operations` part and converts it to one row for each group of operations.

use proc_macro2::Ident;
use syn::Path;

use super::groups;
use super::operand;
use super::promotions::is_listed;
use crate::ast::{Cell, Entry, Line, Map, Name};
use crate::dtypes::DTYPES;
use crate::model::{Class, Faults, Operand, Row, Under};
use crate::operations::{self, BINARY, GROUPS, Group, Results};
use crate::path::generated;

/// Makes one row for each group, narrowed and restricted.
pub(super) fn check(
    keyword: &Ident,
    lines: &[Line],
    narrow: &[usize; DTYPES.len()],
    only: Option<&[usize]>,
    faults: &mut Faults,
) -> Box<[Row; GROUPS.len()]> {
    let mut rows: [Option<Row>; GROUPS.len()] = [None; GROUPS.len()];
    for line in lines {
        let Some(operation) = operations::position(&line.name.to_string()) else {
            let message = format!(
                "unknown operation `{}`; the operations are {}",
                line.name,
                operations::names().collect::<Vec<_>>().join(", ")
            );
            faults.at(&line.name, message);
            continue;
        };
        if rows[operation].is_some() {
            faults.at(
                &line.name,
                format!("a second line of `{}`; keep one", line.name),
            );
        }
        if let Some(under) = line.under.as_ref().filter(|_| operation >= BINARY) {
            let message = format!("`{}` has one operand, and so nothing to promote", line.name);
            faults.at(under, message);
        }
        if let Some(under) = line
            .under
            .as_ref()
            .filter(|under| keeps_base(under) && line.name != "Power")
        {
            faults.at(
                under,
                "`PowKeepsBase` is about integer exponents; it stands at `Power` only",
            );
        }
        rows[operation] = Some(row(line, lines, faults));
    }
    for (group, default) in GROUPS.iter().enumerate() {
        let default = default.default.and_then(operations::position);
        if let Some(default) = default.filter(|_| rows[group].is_none()) {
            rows[group] = rows[default];
        }
    }
    let missing: Vec<_> = operations::names()
        .zip(&rows)
        .zip(GROUPS)
        .filter(|((_, row), group)| row.is_none() && group.default.is_none())
        .map(|((name, _), _)| format!("`{name} {{}}`"))
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "every operation has a line, an empty one if each dtype gives itself; add {}",
            missing.join(", ")
        );
        faults.at(keyword, message);
    }
    let mut groups = GROUPS.iter();
    Box::new(rows.map(|row| {
        let group = groups.next().expect("a group for each row");
        let mut row = narrowed(&row.unwrap_or([None; Operand::COUNT]), narrow);
        if let Some(only) = only {
            restrict(group, only, &mut row);
        }
        row
    }))
}

/// Returns the rules that promote the operands of each binary group.
pub(super) fn under(lines: &[Line]) -> Vec<Under> {
    let line = |group: &Group| lines.iter().find(|line| line.name == group.name);
    let binary = GROUPS[..BINARY].iter();
    binary
        .map(
            |group| match line(group).and_then(|line| line.under.as_ref()) {
                None => Under::These,
                Some(path) if keeps_base(path) => Under::PowKeepsBase,
                Some(path) => Under::Other(generated(path)),
            },
        )
        .collect()
}

/// Returns whether the path is `PowKeepsBase`.
fn keeps_base(under: &Path) -> bool {
    under.is_ident("PowKeepsBase")
}

/// Removes entries whose operand or result is not among these dtypes. Results that do not depend on the operand's dtype
/// (booleans and positions) stay.
fn restrict(group: &Group, only: &[usize], row: &mut Row) {
    let listed = |operand| is_listed(only, operand);
    for operand in Operand::all() {
        let result = &mut row[operand.index()];
        *result = result.filter(|result| listed(operand) && (listed(*result) || group.answers));
    }
}

/// Computes the results of one line.
fn row(line: &Line, lines: &[Line], faults: &mut Faults) -> Row {
    let entries = match &line.map {
        Map::Entries(entries) => read(line, entries, faults),
        Map::SameAs(other) => match lines.iter().find(|line| line.name == *other) {
            Some(Line {
                map: Map::Entries(entries),
                ..
            }) => read(line, entries, &mut Faults::default()),
            Some(_) => {
                faults.at(
                    other,
                    format!("`{other}` follows another line itself; name that one"),
                );
                Vec::new()
            }
            None => {
                faults.at(other, format!("no line of `{other}` to follow"));
                Vec::new()
            }
        },
    };
    let mut row = [None; Operand::COUNT];
    for dtype in 0..DTYPES.len() {
        let find = |operand| {
            entries
                .iter()
                .find(|(key, _)| *key == operand)
                .map(|(_, value)| *value)
        };
        let strong = Operand::strong(dtype);
        let itself = Some(strong).filter(|strong| is_result(line, *strong));
        let result = find(strong).unwrap_or(itself);
        let weak = Operand::weak(dtype);
        let kept = result.map(|result| Operand {
            class: if line.strong {
                Class::Strong
            } else {
                Class::Weak
            },
            ..result
        });
        row[strong.index()] = result;
        row[weak.index()] = find(weak).unwrap_or(kept);
    }
    row
}

/// The dtypes that the results of a line can have.
fn results(line: &Line) -> Results {
    operations::position(&line.name.to_string()).map_or(Results::Any, |group| GROUPS[group].results)
}

/// Returns whether the operations of a line can have results of this dtype. A dtype that is not listed and cannot be a result
/// is undefined.
fn is_result(line: &Line, result: Operand) -> bool {
    results(line).admit(result.facts().kind)
}

/// Reads the entries of a line, one for each operand: that of its own name, else that of the smallest group.
fn read(line: &Line, entries: &[Entry], faults: &mut Faults) -> Vec<(Operand, Option<Operand>)> {
    let mut read: Vec<(Operand, Option<Operand>)> = Vec::new();
    // Of how many operands the name was that gave each of `read`.
    let mut breadths: Vec<usize> = Vec::new();
    for entry in entries {
        let value = match &entry.value {
            Cell::Undefined(_) => Some(None),
            Cell::Defined { result: name, .. } => {
                let result = operand(name, faults);
                if let Some(result) = result.filter(|result| !is_result(line, *result)) {
                    let what = results(line).description();
                    let message = format!("`{}` gives {what}, not `{result}`", line.name);
                    faults.at(name, message);
                }
                result.map(Some)
            }
        };
        for key in &entry.keys {
            let operands = groups::operands(key, faults);
            let breadth = operands.len();
            let mut told = false;
            for operand in operands {
                let Some(at) = read.iter().position(|(known, _)| *known == operand) else {
                    if let Some(value) = value {
                        read.push((operand, value));
                        breadths.push(breadth);
                    }
                    continue;
                };
                if breadths[at] == breadth && !told {
                    faults.at(key, format!("`{}` is in this line already", shown(key)));
                    told = true;
                }
                if let Some(value) = value.filter(|_| breadth < breadths[at]) {
                    (read[at].1, breadths[at]) = (value, breadth);
                }
            }
        }
    }
    read
}

/// Narrows a row: operands before the operation, its result afterwards.
fn shown(key: &Name) -> String {
    match key.is_weak() {
        true => format!("Weak<{}>", key.dtype),
        false => key.dtype.to_string(),
    }
}

/// Operands are narrowed before the operation, its result after.
fn narrowed(row: &Row, narrow: &[usize; DTYPES.len()]) -> Row {
    let narrowed = |operand: Operand| Operand {
        dtype: narrow[operand.dtype],
        ..operand
    };
    let mut result = [None; Operand::COUNT];
    for operand in Operand::without_ranks() {
        result[operand.index()] = row[narrowed(operand).index()].map(narrowed);
    }
    result
}
