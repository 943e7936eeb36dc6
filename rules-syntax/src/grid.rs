//! The promotion tables in the documentation of a rule set.

use std::fmt::Write;

use crate::model::{Checked, Operand, Promotion};

/// Writes a Markdown table over the written operands, one over zero-dim operands if the rules depend on rank, and a
/// legend.
pub(crate) fn grid(rules: &Checked) -> String {
    let mut operands = rules.written.clone();
    operands.sort();
    let mut grid = table(rules, &operands, &operands);
    if rules.looks_at_rank {
        let strong: Vec<_> = operands
            .iter()
            .copied()
            .filter(|operand| !operand.is_weak())
            .collect();
        let zero_dim: Vec<_> = strong
            .iter()
            .map(|operand| Operand::zero_dim(operand.dtype))
            .collect();
        grid.push_str("\n\nA dimensioned operand (row) with one of rank zero (column):\n");
        grid.push_str(&table(rules, &strong, &zero_dim));
    }
    grid.push_str(
        "\n\nRows are left operands, columns right ones. `*` is a weak dtype; ⚠ marks a promotion that does not compile \
         unless the code allows it; an empty cell has no promotion.",
    );
    let parameters = Operand::all().any(|lhs| {
        Operand::all().any(|rhs| rules.promotion(lhs, rhs).is_some_and(|cell| cell.parameter))
    });
    if parameters {
        grid.push_str(" † is the type parameter, here its default.");
    }
    grid.push('\n');
    grid
}

fn table(rules: &Checked, rows: &[Operand], columns: &[Operand]) -> String {
    let mut grid = String::from("\n| |");
    for column in columns {
        write!(grid, " **{}** |", shown(*column)).expect("writing to a string");
    }
    grid.push_str("\n|---|");
    grid.extend(columns.iter().map(|_| "---|"));
    for lhs in rows {
        write!(grid, "\n| **{}** |", shown(*lhs)).expect("writing to a string");
        for rhs in columns {
            let cell = rules.promotion(*lhs, *rhs).map(result);
            write!(grid, " {} |", cell.unwrap_or_default()).expect("writing to a string");
        }
    }
    grid
}

fn result(promotion: Promotion) -> String {
    let name = shown(promotion.result);
    let parameter = if promotion.parameter { "†" } else { "" };
    let mark = if promotion.verdict.is_safe() {
        ""
    } else {
        "&nbsp;⚠"
    };
    format!("{name}{parameter}{mark}")
}

/// Returns the dtype's name; the star of a weak one is escaped, so that it does not start emphasis.
fn shown(operand: Operand) -> String {
    let star = if operand.is_weak() { "\\*" } else { "" };
    format!("{}{star}", operand.facts().name)
}
