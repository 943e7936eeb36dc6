//! Checks the form of rules, a table or a lattice (`lattice.rs`), and converts it to one table over the written operands.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use quote::ToTokens;

use super::groups::{is_group, operands};
use super::written::Written;
use super::{Context, lattice, operand};
use crate::ast::{Cell, CellSafety, Form, Name, Pair, Row};
use crate::model::{Faults, Operand, Stated, StatedSafety, Table, empty_table};

pub(super) fn check(form: &Form, context: &Context<'_>, faults: &mut Faults) -> Written {
    let mut written = Written {
        operands: Vec::new(),
        table: empty_table(),
        spans: [context.set.name.span(); Operand::COUNT],
    };
    match form {
        Form::Lattice(lines) => lattice::check(lines, &mut written, faults),
        Form::Table { header, rows } => {
            table(header, rows, context, &mut written, faults);
        }
    }
    written
}

/// Reads a table and checks its shape, its diagonal and its symmetry.
fn table(
    header: &[Name],
    rows: &[Row],
    context: &Context<'_>,
    written: &mut Written,
    faults: &mut Faults,
) {
    let columns = columns(header, faults);
    written.operands = columns.iter().flatten().copied().collect();
    let places = cells(header, &columns, rows, context, written, faults);
    for place in &places {
        written.table[place.lhs.index()][place.rhs.index()] = place.stated;
        written.spans[place.lhs.index()] = place.row;
    }
    check_shape(&places, context.set.asymmetric, &written.table, faults);
}

/// Reads the table of dimensioned operands (rows) with zero-dim ones (columns); the order of the operands does not
/// matter.
pub(super) fn zero_dim(
    form: &Form,
    context: &Context<'_>,
    written: &mut Written,
    faults: &mut Faults,
) {
    let Form::Table { header, rows } = form else {
        unreachable!("`zero_dim` is parsed as a table")
    };
    let mut columns = columns(header, faults);
    for (name, column) in header.iter().zip(&mut columns) {
        check_zero_dim(name, column, written, faults);
    }
    for row in rows {
        let mut operand = operand(&row.operand, &mut Faults::default());
        let in_header = columns.contains(&operand);
        check_zero_dim(&row.operand, &mut operand, written, faults);
        // The unknown name has been reported already.
        if operand.is_none() && !in_header {
            columns.push(None);
        }
    }
    let missing: Vec<_> = written
        .operands
        .iter()
        .filter(|operand| !operand.is_weak() && !columns.contains(&Some(**operand)))
        .map(|operand| format!("`{operand}`"))
        .collect();
    if let Some(first) = header
        .first()
        .filter(|_| !columns.contains(&None) && !missing.is_empty())
    {
        let message = format!(
            "`zero_dim` leaves out {}, which the rules are written over; add rows and columns, in which `_` stands for a \
             pair without promotion",
            missing.join(", ")
        );
        faults.at(first, message);
    }
    for place in cells(header, &columns, rows, context, written, faults) {
        let column = Operand::zero_dim(place.rhs.dtype);
        written.table[place.lhs.index()][column.index()] = place.stated;
        written.table[column.index()][place.lhs.index()] = place.stated;
    }
}

/// Checks that a row or column of `zero_dim` is a strong operand of the rules; any other counts as unknown.
fn check_zero_dim(
    name: &Name,
    operand: &mut Option<Operand>,
    written: &Written,
    faults: &mut Faults,
) {
    let message = match operand {
        Some(operand) if operand.is_weak() => format!(
            "a weak operand is the same beside every rank; `zero_dim` is about dtypes, so leave `{operand}` out"
        ),
        Some(operand) if !written.contains(*operand) => {
            format!("`{operand}` is not an operand of the table or lattice of these rules")
        }
        _ => return,
    };
    faults.at(name, message);
    *operand = None;
}

/// Overrides single cells.
pub(super) fn overrides(
    pairs: &[Pair],
    context: &Context<'_>,
    written: &mut Written,
    faults: &mut Faults,
) {
    // The number of cells that the pair behind each cell stands for.
    let mut breadths: HashMap<(Operand, Operand), usize> = HashMap::new();
    for pair in pairs {
        let named = [&pair.lhs, &pair.rhs].map(|name| (name, operands(name, faults)));
        if named.iter().any(|(_, operands)| operands.is_empty()) {
            continue;
        }
        let mut known = true;
        for (name, operands) in &named {
            // Of a group those count that are operands.
            if !operands.iter().any(|operand| written.contains(*operand)) {
                known = false;
                let message = format!(
                    "`{}` is not an operand of these rules; cells are overridden, operands are added in a table or \
                     lattice only",
                    shown(name, operands[0])
                );
                faults.at(name, message);
            }
        }
        let Ok(stated) = stated(&pair.cell, context, written, known, faults) else {
            continue;
        };
        let [(_, left), (_, right)] = &named;
        let breadth = left.len() * right.len();
        // Both orders of one pair are one cell.
        let mut cells = HashSet::new();
        let mut repeated = None;
        for (lhs, rhs) in left
            .iter()
            .flat_map(|lhs| right.iter().map(|rhs| (*lhs, *rhs)))
        {
            let outside = breadth > 1 && !(written.contains(lhs) && written.contains(rhs));
            let ordered = (lhs.min(rhs), lhs.max(rhs));
            let key = if context.set.asymmetric {
                (lhs, rhs)
            } else {
                ordered
            };
            // Of two groups their common dtypes keep themselves.
            if outside || (breadth > 1 && lhs == rhs) || !cells.insert(key) {
                continue;
            }
            let before = breadths.get(&key).copied();
            if before == Some(breadth) {
                repeated.get_or_insert((lhs, rhs));
            }
            if before.is_some_and(|before| before < breadth) {
                continue;
            }
            breadths.insert(key, breadth);
            if lhs == rhs && stated.is_none_or(|stated| stated.result != lhs) {
                faults.at(&pair.cell, format!("`{lhs}` with itself has to be `{lhs}`"));
            }
            written.table[lhs.index()][rhs.index()] = stated;
            if !context.set.asymmetric {
                written.table[rhs.index()][lhs.index()] = stated;
            }
        }
        if let Some((lhs, rhs)) = repeated {
            faults.at(
                &pair.lhs,
                format!("the cell of `{lhs}` and `{rhs}` is written above already; keep one"),
            );
        }
    }
}

/// A name as it is written, which stands for this operand, if not for a group.
fn shown(name: &Name, operand: Operand) -> String {
    match (is_group(name), name.is_weak()) {
        (false, _) => operand.to_string(),
        (true, true) => format!("Weak<{}>", name.dtype),
        (true, false) => name.dtype.to_string(),
    }
}

/// Resolves the operands of a header.
fn columns(header: &[Name], faults: &mut Faults) -> Vec<Option<Operand>> {
    let mut columns = Vec::new();
    let mut seen = HashSet::new();
    for name in header {
        let column = operand(name, faults);
        if let Some(column) = column.filter(|column| !seen.insert(*column)) {
            faults.at(name, format!("the header names `{column}` twice"));
        }
        columns.push(column);
    }
    columns
}

/// A cell of a table and its position.
struct Place<'a> {
    lhs: Operand,
    rhs: Operand,
    cell: &'a Cell,
    stated: Option<Stated>,
    row: Span,
}

/// Returns the column of the first cell that a row lacks, and the cell of the same pair in the row of that operand.
fn mirrored(row: &Row, header: &[Name], rows: &[Row]) -> Option<(String, String)> {
    let text = |name: &Name| name.to_token_stream().to_string().replace(' ', "");
    let column = text(header.get(row.cells.len())?);
    let other = rows.iter().find(|other| text(&other.operand) == column)?;
    let of_row = text(&row.operand);
    let at = header.iter().position(|name| text(name) == of_row)?;
    match other.cells.get(at)? {
        Cell::Defined { result, .. } => Some((column, text(result))),
        Cell::Undefined(_) => Some((column, "_".into())),
    }
}

/// Reads the cells of a table whose rows and columns are the same operands.
fn cells<'a>(
    header: &[Name],
    columns: &[Option<Operand>],
    rows: &'a [Row],
    context: &Context<'_>,
    written: &Written,
    faults: &mut Faults,
) -> Vec<Place<'a>> {
    // An unknown name in the header may be a misspelling of the missing operand, so report only the former.
    let header_known = !columns.contains(&None);
    let mut places = Vec::new();
    let mut seen = HashSet::new();
    for row in rows {
        let lhs = operand(&row.operand, faults);
        let results: Vec<_> = row
            .cells
            .iter()
            .map(|cell| stated(cell, context, written, header_known, faults))
            .collect();
        let repeated = !seen.insert(lhs) && lhs.is_some();
        let Some(lhs) = lhs else { continue };
        if repeated {
            faults.at(&row.operand, format!("a second row of `{lhs}`; keep one"));
        } else if !columns.contains(&Some(lhs)) {
            if header_known {
                let message =
                    format!("the header has no column `{lhs}`; add one, or remove this row");
                faults.at(&row.operand, message);
            }
        } else if row.cells.len() != header.len() {
            let advice = match mirrored(row, header, rows) {
                Some((column, cell)) => {
                    format!("the row of `{column}` has `{cell}` for the first pair without a cell")
                }
                None => "`_` stands for a pair without promotion".into(),
            };
            let message = format!(
                "the row of `{lhs}` has {} cells, the header names {} operands; {advice}",
                row.cells.len(),
                header.len()
            );
            faults.at(row, message);
        } else {
            for ((column, result), cell) in columns.iter().zip(results).zip(&row.cells) {
                if let (Some(rhs), Ok(stated)) = (*column, result) {
                    places.push(Place {
                        lhs,
                        rhs,
                        cell,
                        stated,
                        row: row.operand.dtype.span(),
                    });
                }
            }
        }
    }
    if !seen.contains(&None) {
        for (column, name) in columns.iter().zip(header) {
            if let Some(operand) = column.filter(|_| !seen.contains(column)) {
                faults.at(
                    name,
                    format!("`{operand}` has no row; add `{operand} => [..],`"),
                );
            }
        }
    }
    places
}

/// A name that is not a dtype; the fault has been recorded.
struct Unknown;

/// Reads a cell. Its result must be an operand of the rules, because it is an operand of the next operation.
fn stated(
    cell: &Cell,
    context: &Context<'_>,
    written: &Written,
    header_known: bool,
    faults: &mut Faults,
) -> Result<Option<Stated>, Unknown> {
    let Cell::Defined {
        result: name,
        safety,
    } = cell
    else {
        return Ok(None);
    };
    let safety = match safety {
        CellSafety::Unsaid => StatedSafety::Unsaid,
        CellSafety::Safe => StatedSafety::Safe,
        CellSafety::Unsafe => StatedSafety::Unsafe,
        CellSafety::Marked(mark) => {
            StatedSafety::Marked(context.mark(mark, faults).ok_or(Unknown)?)
        }
    };
    if let Some(default) = context.parameter(name) {
        let result = default.ok_or(Unknown)?;
        if matches!(safety, StatedSafety::Unsaid | StatedSafety::Safe) {
            let message = format!(
                "what a promotion to the parameter `{}` loses depends on it; mark the cell: `unsafe {}`",
                name.dtype, name.dtype
            );
            faults.at(name, message);
        }
        return Ok(Some(Stated {
            result,
            parameter: context.set.parameter.is_some(),
            safety,
        }));
    }
    let result = operand(name, faults).ok_or(Unknown)?;
    if header_known && !written.contains(result) {
        let message = format!(
            "`{result}` is a result here but no operand of these rules; add its row and column"
        );
        faults.at(name, message);
    }
    Ok(Some(Stated {
        result,
        parameter: false,
        safety,
    }))
}

/// Checks that every dtype with itself gives itself, and that the table is symmetric unless it is `#[asymmetric]`.
fn check_shape(places: &[Place<'_>], asymmetric: bool, table: &Table<Stated>, faults: &mut Faults) {
    let shown = |result: Option<Operand>| match result {
        Some(result) => format!("`{result}`"),
        None => "`_`".to_owned(),
    };
    let result =
        |lhs: Operand, rhs: Operand| table[lhs.index()][rhs.index()].map(|cell| cell.result);
    for (position, &Place { lhs, rhs, cell, .. }) in places.iter().enumerate() {
        let found = result(lhs, rhs);
        if lhs == rhs && found != Some(lhs) {
            let message = format!(
                "`{lhs}` with itself has to be `{lhs}`, not {}",
                shown(found)
            );
            faults.at(cell, message);
        }
        // Report the lower of two cells that differ.
        let mirrored = places[..position]
            .iter()
            .any(|place| (place.lhs, place.rhs) == (rhs, lhs));
        let other = result(rhs, lhs);
        if mirrored && !asymmetric && found != other {
            let message = format!(
                "`{lhs}` with `{rhs}` is {} here, but `{rhs}` with `{lhs}` is {} above; make them agree, or mark \
                 the rules `#[asymmetric]`",
                shown(found),
                shown(other)
            );
            faults.at(cell, message);
        }
    }
}
