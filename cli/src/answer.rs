//! The answer of a rule set for two operands, and the values that are lost.

use anstyle::Style;
use supremum::{Class, DType, Loss, OperandType, Operation, Promotion, RuleSet, Verdict};

use crate::page::{BAD, DOUBTFUL, FAINT};
use crate::witness::{self, Witness};

/// The answer of a rule set for two operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    /// They promote, and the operation gives a result, whether or not values are lost.
    Defined {
        /// The dtype to which operands convert, and the verdict on that.
        promotion: Promotion,
        /// The result of the operation; without an operation the promotion itself.
        result: OperandType,
    },
    /// They have no common dtype.
    NoPromotion,
    /// They promote, but the operation is undefined there.
    Undefined(OperandType),
}

impl Answer {
    /// Asks a rule set for the promotion of two operands, by the table of an operation if there is one.
    pub(crate) fn of(
        rules: &RuleSet,
        operation: Option<Operation>,
        lhs: OperandType,
        rhs: OperandType,
    ) -> Self {
        let rules = rules.allowing_unsafe();
        let promotion = match operation {
            Some(operation) => rules.promote_for(operation, lhs, rhs),
            None => rules.promote(lhs, rhs),
        };
        let Ok(promotion) = promotion else {
            return Self::NoPromotion;
        };
        let promoted = promotion.operand();
        let result = operation.map_or(Ok(promoted), |operation| {
            rules.operation(operation, promoted)
        });
        match result {
            Ok(result) => Self::Defined { promotion, result },
            Err(_) => Self::Undefined(promoted),
        }
    }

    /// The result; `None` if there is none.
    pub(crate) fn result(self) -> Option<OperandType> {
        match self {
            Self::Defined { result, .. } => Some(result),
            Self::NoPromotion | Self::Undefined(_) => None,
        }
    }

    /// The cell of a grid: the result with a sign for its verdict, and the style that it is painted in.
    pub(crate) fn cell(self) -> (String, Style) {
        match self {
            Self::Defined { promotion, result } => {
                let (sign, style) = sign(promotion.verdict);
                (format!("{result}{sign}"), style)
            }
            Self::NoPromotion | Self::Undefined(_) => ("-".to_owned(), FAINT),
        }
    }
}

/// The sign and the style of a verdict.
fn sign(verdict: Verdict) -> (&'static str, Style) {
    match verdict {
        Verdict::LosesPrecision(_) => ("~", DOUBTFUL),
        Verdict::LosesRange(_) => ("!", BAD),
        Verdict::Accepted => ("+", DOUBTFUL),
        Verdict::Refused(_) => ("#", BAD),
        _ => ("", Style::new()),
    }
}

/// The legend of the signs in [`Answer::cell`].
pub(crate) const LEGEND: &str = "- undefined   * weak   ~ loses precision   ! loses range   + loses values, accepted   # refused";

/// A value of an operand that its promotion loses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LostValue {
    pub(crate) operand: OperandType,
    pub(crate) loss: Loss,
    pub(crate) witness: Witness,
}

/// Finds a lost value of each operand that loses values by a promotion; weak operands are judged by their value.
pub(crate) fn lost_values(operands: &[OperandType], to: DType, verdict: Verdict) -> Vec<LostValue> {
    if verdict == Verdict::Lossless {
        // Also where the conversion would lose values, if the operation does not convert (integers compared by value).
        return Vec::new();
    }
    let mut found: Vec<LostValue> = Vec::new();
    for operand in operands
        .iter()
        .filter(|operand| operand.class != Class::Weak)
    {
        if found.iter().any(|lost| lost.operand.dtype == operand.dtype) {
            continue;
        }
        if let Some(witness) = witness::find(operand.dtype, to) {
            found.push(LostValue {
                operand: *operand,
                loss: operand.dtype.loss_to(to),
                witness,
            });
        }
    }
    found
}
