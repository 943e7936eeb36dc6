//! The `operations` part to one row for each group of operations.

use proc_macro2::Ident;

use super::operand;
use crate::dtypes::DTYPES;
use crate::model::{Faults, Operand, Row};
use crate::operations::OPERATIONS;
use crate::parse::{Cell, Entry, Line, Map};

/// One row per group, narrowed.
pub(super) fn check(
    keyword: &Ident,
    lines: &[Line],
    narrow: &[usize; DTYPES.len()],
    faults: &mut Faults,
) -> Box<[Row; OPERATIONS.len()]> {
    let mut rows: [Option<Row>; OPERATIONS.len()] = [None; OPERATIONS.len()];
    for line in lines {
        let Some(operation) = OPERATIONS.iter().position(|name| line.name == name) else {
            let message = format!(
                "unknown operation `{}`; the operations are {}",
                line.name,
                OPERATIONS.join(", ")
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
        rows[operation] = Some(row(line, lines, faults));
    }
    let missing: Vec<_> = OPERATIONS
        .iter()
        .zip(&rows)
        .filter_map(|(name, row)| row.is_none().then_some(format!("`{name} {{}}`")))
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "every operation has a line, an empty one if each dtype gives itself; add {}",
            missing.join(", ")
        );
        faults.at(keyword, message);
    }
    Box::new(rows.map(|row| narrowed(&row.unwrap_or([None; Operand::COUNT]), narrow)))
}

/// The results of one line.
fn row(line: &Line, lines: &[Line], faults: &mut Faults) -> Row {
    let entries = match &line.map {
        Map::Entries(entries) => read(entries, faults),
        Map::SameAs(other) => match lines.iter().find(|line| line.name == *other) {
            Some(Line {
                map: Map::Entries(entries),
                ..
            }) => read(entries, &mut Faults::default()),
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
        let result = find(strong).unwrap_or(Some(strong));
        let weak = Operand::weak(dtype);
        let kept = result.map(|result| Operand {
            weak: !line.strong,
            ..result
        });
        row[strong.index()] = result;
        row[weak.index()] = find(weak).unwrap_or(kept);
    }
    row
}

/// The entries of a line, one for each key.
fn read(entries: &[Entry], faults: &mut Faults) -> Vec<(Operand, Option<Operand>)> {
    let mut read: Vec<(Operand, Option<Operand>)> = Vec::new();
    for entry in entries {
        let value = match &entry.value {
            Cell::Undefined(_) => Some(None),
            Cell::Defined(name) => operand(name, faults).map(Some),
        };
        for key in &entry.keys {
            let Some(operand) = operand(key, faults) else {
                continue;
            };
            if read.iter().any(|(known, _)| *known == operand) {
                faults.at(key, format!("`{operand}` is in this line already"));
            }
            if let Some(value) = value {
                read.push((operand, value));
            }
        }
    }
    read
}

/// Operands are narrowed before the operation, its result after.
fn narrowed(row: &Row, narrow: &[usize; DTYPES.len()]) -> Row {
    let narrowed = |operand: Operand| Operand {
        dtype: narrow[operand.dtype],
        ..operand
    };
    let mut result = [None; Operand::COUNT];
    for operand in Operand::all() {
        result[operand.index()] = row[narrowed(operand).index()].map(narrowed);
    }
    result
}
