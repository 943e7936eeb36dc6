//! `supremum chain`: several operands in every order.

use std::fmt::Write;

use anstyle::Style;

use super::table::aligned;
use crate::args::Chain as Arguments;
use crate::names;
use crate::order::{self, Chain, MAX_OPERANDS};
use crate::page::{BAD, FAINT, Failure, GOOD, HEADING, painted};

/// Promotes operands pair by pair in every order, and all at once by the rule of the system.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let rules = names::rules(&arguments.rules)?;
    let operation = arguments.op.as_deref().map(names::operation).transpose()?;
    if let Some(operation) = operation.filter(|operation| !operation.is_binary()) {
        return Err(Failure(format!(
            "`{}` has one operand; a chain is of operations on two, such as `+`",
            operation.name()
        )));
    }
    let operands = arguments
        .operands
        .iter()
        .map(|text| names::operand(text, rules));
    let operands = operands.collect::<Result<Vec<_>, _>>()?;
    if operands.len() > MAX_OPERANDS {
        return Err(Failure(format!(
            "{} operands have too many orders; name at most {MAX_OPERANDS}",
            operands.len()
        )));
    }
    let chains: Vec<_> = order::all(&operands)
        .iter()
        .map(|order| Chain::of(rules, operation, order))
        .collect();
    let lines: Vec<_> = chains.iter().map(line).collect();
    let mut text = aligned(&lines);
    let mut results: Vec<_> = chains.iter().map(Chain::result).collect();
    results.sort_by_key(|result| result.map(|result| result.to_string()));
    results.dedup();
    let (style, summary) = match &results[..] {
        [Some(one)] => (GOOD, format!("every order gives {one}")),
        [None] => (BAD, "no order has a result".to_owned()),
        several => {
            let shown = several.iter().map(|result| {
                result.map_or_else(|| "nothing".to_owned(), |result| result.to_string())
            });
            (
                BAD,
                format!(
                    "the order decides: {}",
                    shown.collect::<Vec<_>>().join(", ")
                ),
            )
        }
    };
    writeln!(text, "\n{}", painted(style, summary)).expect("a string takes all");
    if operation.is_none() {
        let common = match rules.common(&operands) {
            Ok(common) => common.operand().to_string(),
            Err(error) => format!("nothing: {error}"),
        };
        writeln!(text, "{} of all at once gives {common}", rules.name())
            .expect("a string takes all");
    }
    Ok(text)
}

/// The operands, the results on the way, and the last one.
fn line(chain: &Chain) -> Vec<(String, Style)> {
    let mut line: Vec<_> = chain
        .operands
        .iter()
        .map(|operand| (operand.to_string(), Style::new()))
        .collect();
    for result in &chain.results {
        line.push((format!("-> {result}"), HEADING));
    }
    if chain.result().is_none() {
        line.push(("-> undefined".to_owned(), FAINT));
    }
    line
}
