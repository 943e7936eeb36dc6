//! The two forms, table and lattice, to one table over the operands that they are written over.

use proc_macro2::Span;

use super::operand;
use crate::lattice::{Closure, Join};
use crate::model::{Faults, Operand, Table, empty_table};
use crate::parse::{Cell, Edges, Form, Name, Row, RuleSet};

/// What a form states, and where.
pub(super) struct Written {
    pub(super) operands: Vec<Operand>,
    pub(super) table: Table,
    /// The place of each operand's row; of one that is not written, the name of the rules.
    pub(super) spans: [Span; Operand::COUNT],
}

impl Written {
    pub(super) fn contains(&self, operand: Operand) -> bool {
        self.operands.contains(&operand)
    }
}

pub(super) fn check(form: &Form, set: &RuleSet, faults: &mut Faults) -> Written {
    let mut written = Written {
        operands: Vec::new(),
        table: empty_table(),
        spans: [set.name.span(); Operand::COUNT],
    };
    match form {
        Form::Lattice(lines) => lattice(lines, &mut written, faults),
        Form::Table { header, rows } => {
            table(header, rows, set.asymmetric, &mut written, faults);
        }
    }
    written
}

/// Joins every two nodes of a lattice.
fn lattice(lines: &[Edges], written: &mut Written, faults: &mut Faults) {
    let mut nodes: Vec<(Operand, &Name)> = Vec::new();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut places: Vec<&Name> = Vec::new();
    let node = |name, nodes: &mut Vec<_>, faults: &mut Faults| {
        let operand = operand(name, faults)?;
        let known = nodes.iter().position(|(node, _)| *node == operand);
        Some(known.unwrap_or_else(|| {
            nodes.push((operand, name));
            nodes.len() - 1
        }))
    };
    for line in lines {
        let from = node(&line.from, &mut nodes, faults);
        if let Some(from) = from {
            nodes[from].1 = &line.from;
        }
        for to in &line.to {
            let (Some(from), Some(to_node)) = (from, node(to, &mut nodes, faults)) else {
                continue;
            };
            if edges.contains(&(from, to_node)) {
                faults.at(to, "this edge is written twice; remove one");
            }
            edges.push((from, to_node));
            places.push(to);
        }
    }
    written.operands = nodes.iter().map(|(operand, _)| *operand).collect();
    for (operand, name) in &nodes {
        written.spans[operand.index()] = name.dtype.span();
    }
    let closure = match Closure::new(nodes.len(), &edges) {
        Ok(closure) => closure,
        Err(cycle) => {
            let around = cycle.iter().chain(&cycle[..1]);
            let around: Vec<_> = around.map(|&node| format!("`{}`", nodes[node].0)).collect();
            let message = format!(
                "the lattice goes in a circle: {}; no dtype promotes to another and back, so remove one of these edges",
                around.join(" -> ")
            );
            let last = (cycle[cycle.len() - 1], cycle[0]);
            let closing = edges.iter().position(|edge| *edge == last);
            faults.at(places[closing.expect("an edge of the cycle")], message);
            return;
        }
    };
    // Pairs below an ambiguous pair are ambiguous too: each two candidates are reported once.
    let mut reported = Vec::new();
    // From the top, where the pair is that a new edge would mend.
    for (lhs, (lhs_operand, _)) in nodes.iter().enumerate().rev() {
        for (rhs, (rhs_operand, rhs_name)) in nodes.iter().enumerate().rev() {
            match closure.join(lhs, rhs) {
                Join::None => {}
                Join::Least(least) => {
                    written.table[lhs_operand.index()][rhs_operand.index()] = Some(nodes[least].0);
                }
                Join::Ambiguous(first, second) if !reported.contains(&(first, second)) => {
                    reported.push((first, second));
                    let (first, second) = (nodes[first].0, nodes[second].0);
                    let message = format!(
                        "`{rhs_operand}` and `{lhs_operand}` have no least common bound: both promote to `{first}` and to \
                         `{second}`, neither of which promotes to the other; connect `{first}` and `{second}` by an \
                         edge, or let both operands promote first to a dtype below them"
                    );
                    faults.at(rhs_name, message);
                }
                Join::Ambiguous(..) => {}
            }
        }
    }
}

/// Reads a table and checks its shape, its diagonal and its symmetry.
fn table(
    header: &[Name],
    rows: &[Row],
    asymmetric: bool,
    written: &mut Written,
    faults: &mut Faults,
) {
    let mut columns = Vec::new();
    for name in header {
        let column = operand(name, faults);
        if let Some(column) = column.filter(|_| columns.contains(&column)) {
            faults.at(name, format!("the header names `{column}` twice"));
        }
        columns.push(column);
    }
    written.operands = columns.iter().flatten().copied().collect();
    // What is missing there may be what an unknown name was meant to be.
    let header_known = !columns.contains(&None);

    let mut places: Vec<(Operand, Operand, &Cell)> = Vec::new();
    let mut seen = Vec::new();
    for row in rows {
        let lhs = operand(&row.operand, faults);
        let results = results(row, written, header_known, faults);
        let repeated = lhs.is_some() && seen.contains(&lhs);
        seen.push(lhs);
        let Some(lhs) = lhs else { continue };
        if repeated {
            faults.at(&row.operand, format!("a second row of `{lhs}`; keep one"));
        } else if !written.contains(lhs) {
            if header_known {
                let message =
                    format!("the header has no column `{lhs}`; add one, or remove this row");
                faults.at(&row.operand, message);
            }
        } else if row.cells.len() != header.len() {
            let message = format!(
                "the row of `{lhs}` has {} cells, the header names {} operands; `_` stands for a pair without promotion",
                row.cells.len(),
                header.len()
            );
            faults.at(row, message);
        } else {
            written.spans[lhs.index()] = row.operand.dtype.span();
            for ((column, result), cell) in columns.iter().zip(results).zip(&row.cells) {
                if let (Some(rhs), Ok(result)) = (*column, result) {
                    written.table[lhs.index()][rhs.index()] = result;
                    places.push((lhs, rhs, cell));
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
    check_shape(&places, asymmetric, &written.table, faults);
}

/// A name that is no dtype; its fault is recorded.
struct Unknown;

/// The results in a row. A result has to be an operand itself, to be an operand of the next
/// operation.
fn results(
    row: &Row,
    written: &Written,
    header_known: bool,
    faults: &mut Faults,
) -> Vec<Result<Option<Operand>, Unknown>> {
    let result = |cell: &Cell| match cell {
        Cell::Undefined(_) => Ok(None),
        Cell::Defined(name) => {
            let result = operand(name, faults).ok_or(Unknown)?;
            if header_known && !written.contains(result) {
                let message = format!(
                    "`{result}` is a result here but no operand of the table; add its row and column"
                );
                faults.at(name, message);
            }
            Ok(Some(result))
        }
    };
    row.cells.iter().map(result).collect()
}

/// Every dtype with itself is itself, and unless said otherwise order does not matter.
fn check_shape(
    places: &[(Operand, Operand, &Cell)],
    asymmetric: bool,
    table: &Table,
    faults: &mut Faults,
) {
    let shown = |result: Option<Operand>| match result {
        Some(result) => format!("`{result}`"),
        None => "`_`".to_owned(),
    };
    for (position, &(lhs, rhs, cell)) in places.iter().enumerate() {
        let result = table[lhs.index()][rhs.index()];
        if lhs == rhs && result != Some(lhs) {
            let message = format!(
                "`{lhs}` with itself has to be `{lhs}`, not {}",
                shown(result)
            );
            faults.at(cell, message);
        }
        // Of two cells that differ, the lower is reported.
        let mirrored = places[..position]
            .iter()
            .any(|&(l, r, _)| (l, r) == (rhs, lhs));
        let other = table[rhs.index()][lhs.index()];
        if mirrored && !asymmetric && result != other {
            let message = format!(
                "`{lhs}` with `{rhs}` is {} here, but `{rhs}` with `{lhs}` is {} above; make them agree, or mark \
                 the rules `#[asymmetric]`",
                shown(result),
                shown(other)
            );
            faults.at(cell, message);
        }
    }
}
