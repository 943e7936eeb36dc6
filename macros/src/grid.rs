//! The table that rustdoc shows for a rule set.

use std::fmt::Write;

use crate::model::{Checked, Operand, Verdict};

/// A Markdown table over the operands that the rules are written over, with its legend.
pub(crate) fn grid(rules: &Checked) -> String {
    let mut operands = rules.written.clone();
    operands.sort();
    let mut grid = String::from("\n| |");
    for operand in &operands {
        write!(grid, " **{}** |", shown(*operand)).expect("writing to a string");
    }
    grid.push_str("\n|---|");
    grid.extend(operands.iter().map(|_| "---|"));
    for lhs in &operands {
        write!(grid, "\n| **{}** |", shown(*lhs)).expect("writing to a string");
        for rhs in &operands {
            let cell = rules.promotion(*lhs, *rhs);
            let cell = cell.map(|result| match Verdict::new(*lhs, *rhs, result) {
                Verdict::Lossless => shown(result),
                _ => format!("{}&nbsp;⚠", shown(result)),
            });
            write!(grid, " {} |", cell.unwrap_or_default()).expect("writing to a string");
        }
    }
    grid.push_str(
        "\n\nRows are left operands, columns right ones. `*` is a weak dtype; ⚠ marks a promotion that can lose \
         values; an empty cell has no promotion.\n",
    );
    grid
}

/// The dtype's name; the star of a weak one is not to start emphasis.
fn shown(operand: Operand) -> String {
    let star = if operand.weak { "\\*" } else { "" };
    format!("{}{star}", operand.facts().name)
}
