//! `supremum lattice`: the Hasse diagram of a rule set, or why it has none.

use std::fmt::Write;

use anstyle::Style;

use super::table::aligned;
use crate::args::Lattice;
use crate::hasse;
use crate::names;
use crate::page::{BAD, FAINT, Failure, GOOD, HEADING, painted};
use crate::relation::Relation;

/// The most counterexamples that are shown.
const EXAMPLES: usize = 5;

/// Shows which operands promote to which, and writes it as SVG if there is a file to write.
pub(crate) fn run(arguments: &Lattice) -> Result<String, Failure> {
    let rules = names::rules(&arguments.rules)?;
    let relation = Relation::of(rules);
    let mut text = verdict(rules.name(), &relation);
    text += &diagram(&relation);
    if let Some(path) = &arguments.svg {
        let svg = hasse::svg(rules.name(), &relation);
        let written = std::fs::write(path, &svg);
        written.map_err(|error| Failure(format!("cannot write {}: {error}", path.display())))?;
        writeln!(text, "\nwrote {}", path.display()).expect("a string takes all");
    }
    Ok(text)
}

/// Returns whether it is a lattice, and the pairs that contradict that.
fn verdict(name: &str, relation: &Relation) -> String {
    let count = relation.operands.len();
    if relation.is_lattice() {
        let heading = format!(
            "{name} is a lattice of {count} operands: each pair that promotes has a least upper bound, and promotes to it"
        );
        return format!("{}\n\n", painted(GOOD, heading));
    }
    let mut text = painted(
        BAD,
        format_args!("{name} is not a lattice of its {count} operands"),
    );
    text.push('\n');
    let list = |operands: &[supremum::OperandType]| {
        operands
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let cycles = relation
        .cycles()
        .into_iter()
        .map(|cycle| format!("cycle: {}", list(&cycle)));
    let cycles: Vec<_> = cycles.collect();
    let transitive: Vec<_> = relation
        .not_transitive()
        .iter()
        .map(|[low, middle, high]| {
            format!("{low} promotes to {middle}, and {middle} to {high}, but not {low} to {high}")
        })
        .collect();
    let least: Vec<_> = relation
        .not_least()
        .iter()
        .map(|pair| {
            let result = pair.result.map_or_else(
                || "has no promotion among them".to_owned(),
                |result| format!("promotes to {result}"),
            );
            let bounds = match list(&pair.bounds) {
                none if none.is_empty() => "nothing".to_owned(),
                bounds => bounds,
            };
            format!(
                "{} with {} {result}; right above both: {bounds}",
                pair.lhs, pair.rhs
            )
        })
        .collect();
    for (what, found) in [
        ("dtypes that promote to one another in a circle", cycles),
        ("promotions of promotions that are none", transitive),
        (
            "pairs whose promotion is not their least upper bound",
            least,
        ),
    ] {
        if found.is_empty() {
            continue;
        }
        let counted = painted(HEADING, format_args!("{what}: {}", found.len()));
        writeln!(text, "  {counted}").expect("a string takes all");
        for example in found.iter().take(EXAMPLES) {
            writeln!(text, "    {example}").expect("a string takes all");
        }
        if found.len() > EXAMPLES {
            let more = painted(
                FAINT,
                format_args!(".. and {} more", found.len() - EXAMPLES),
            );
            writeln!(text, "    {more}").expect("a string takes all");
        }
    }
    text.push('\n');
    text
}

/// The edges, an operand to a line.
fn diagram(relation: &Relation) -> String {
    let covers = relation.covers();
    let lines: Vec<_> = relation
        .operands
        .iter()
        .zip(&covers)
        .map(|(operand, above)| {
            let above = above
                .iter()
                .map(|high| relation.operands[*high].to_string());
            let above = above.collect::<Vec<_>>().join(" ");
            let arrow = if above.is_empty() { "" } else { "->" };
            vec![
                (operand.to_string(), HEADING),
                (arrow.to_owned(), FAINT),
                (above, Style::new()),
            ]
        })
        .collect();
    aligned(&lines)
}
