//! `supremum diff`: what two rule sets decide differently.

use std::fmt::Write;

use anstyle::Style;
use supremum::{Class, DType, DiffOperand, OperandType, Operation, Promotion, RuleSet};

use super::table::aligned;
use crate::args::Diff;
use crate::names;
use crate::page::{BAD, FAINT, Failure, HEADING, Page};

/// A line of the answer.
type Line = Vec<(String, Style)>;

/// Lists the operands that two rule sets treat differently.
pub(crate) fn run(arguments: &Diff) -> Result<Page, Failure> {
    let [this, other] = [&arguments.this, &arguments.other].map(|name| names::rules(name));
    let (this, other) = (this?, other?);
    let operation = arguments.op.as_deref().map(names::operation).transpose()?;
    let only = arguments.only.as_deref().map(names::dtypes).transpose()?;
    let only = only.unwrap_or_else(|| DType::ALL.to_vec());
    let (heads, lines) = match operation {
        Some(operation) if !operation.is_binary() => (
            vec!["operand"],
            of_one_operand(this, other, operation, &only),
        ),
        _ => (
            vec!["lhs", "rhs"],
            of_two_operands(this, other, operation, &only),
        ),
    };
    if lines.is_empty() {
        let text = format!("{} and {} agree here\n", this.name(), other.name());
        return Ok(text.into());
    }
    let heads = heads.into_iter().chain([this.name(), other.name()]);
    let heads = heads.map(|head| (head.to_owned(), HEADING)).collect();
    let count = lines.len();
    let mut text = aligned(&[&[heads][..], &lines].concat());
    let what = if count == 1 {
        "difference"
    } else {
        "differences"
    };
    writeln!(text, "\n{count} {what}").expect("a string takes all");
    Ok(Page {
        text,
        differs: true,
    })
}

fn of_two_operands(
    this: &RuleSet,
    other: &RuleSet,
    operation: Option<Operation>,
    only: &[DType],
) -> Vec<Line> {
    let diff = match operation {
        Some(operation) => this.diff_for(other, operation),
        None => this.diff(other),
    };
    let selected = |operand: DiffOperand| match operand {
        DiffOperand::Dimensioned(dtype) | DiffOperand::ZeroDim(dtype) => only.contains(&dtype),
        DiffOperand::Literal(_) => true,
    };
    diff.iter()
        .filter(|pair| selected(pair.lhs) && selected(pair.rhs))
        .map(|pair| {
            vec![
                (pair.lhs.to_string(), Style::new()),
                (pair.rhs.to_string(), Style::new()),
                shown(pair.this),
                shown(pair.other),
            ]
        })
        .collect()
}

/// A promotion with its verdict, if that is not safe.
fn shown(promotion: Option<Promotion>) -> (String, Style) {
    match promotion {
        None => ("-".to_owned(), FAINT),
        Some(promotion) if promotion.verdict.is_safe() => {
            (promotion.operand().to_string(), Style::new())
        }
        Some(promotion) => (
            format!("{} ({})", promotion.operand(), promotion.verdict),
            BAD,
        ),
    }
}

fn of_one_operand(
    this: &RuleSet,
    other: &RuleSet,
    operation: Operation,
    only: &[DType],
) -> Vec<Line> {
    let classes = [Class::Dimensioned, Class::Weak];
    let operands = classes.into_iter().flat_map(|class| {
        only.iter().map(move |dtype| OperandType {
            dtype: *dtype,
            class,
        })
    });
    operands
        .filter_map(|operand| {
            let [this, other] = [this, other].map(|rules| rules.operation(operation, operand).ok());
            (this != other).then(|| {
                let shown = |result: Option<OperandType>| match result {
                    None => ("-".to_owned(), FAINT),
                    Some(result) => (result.to_string(), Style::new()),
                };
                vec![
                    (operand.to_string(), Style::new()),
                    shown(this),
                    shown(other),
                ]
            })
        })
        .collect()
}
