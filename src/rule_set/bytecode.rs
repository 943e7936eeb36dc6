//! Tables at run time: byte arrays that `promotion_rules!` writes, decoded cell by cell.
//!
//! They are bytes because rustc would take seconds to evaluate constant arrays of [`Promotion`]s.

use super::{Class, OperandType, Operation, Promotion, Verdict};
use crate::dtype::DType;

/// The number of dtypes.
const DTYPES: usize = DType::ALL.len();

/// The codes, which the macro crate writes.
mod codes {
    macro_rules! codes {
        ($($(#[doc = $doc:literal])+ $name:ident $code:literal;)*) => {
            $($(#[doc = $doc])+ pub(super) const $name: u8 = $code;)*
        };
    }
    supremum_macros::with_bytecode!(codes);
}

/// The promotions of every pair of operands.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PromotionTable {
    /// The cells row by row, two bytes each: the number of the result, and the number of the verdict.
    pub cells: &'static [u8],
    /// `true` if rows and columns are dimensioned, zero-dim and weak dtypes; `false` if they are dimensioned and weak ones.
    pub looks_at_rank: bool,
    /// The dtype of the rules' type parameter; [`DType::Bool`] if they have none.
    pub parameter: DType,
    /// The verdicts with the numbers from `REASONS` on.
    pub reasons: &'static [Verdict],
    /// `true` if a float or complex left operand keeps its dtype beside an integer.
    pub keeps_base: bool,
    /// `true` if the operation compares integers by value, so that two integers lose nothing.
    pub exact_integers: bool,
}

impl PromotionTable {
    /// The table of rules with errors, which do not compile.
    pub const NONE: Self = Self {
        cells: &[],
        looks_at_rank: false,
        parameter: DType::Bool,
        reasons: &[],
        keeps_base: false,
        exact_integers: false,
    };

    /// The same table for powers, which do not promote an integer exponent.
    pub(crate) const fn keeping_base(self) -> Self {
        Self {
            keeps_base: true,
            ..self
        }
    }

    /// The same table for operations that compare integers by value.
    pub(crate) const fn with_exact_integers(self) -> Self {
        Self {
            exact_integers: true,
            ..self
        }
    }

    /// Looks up the promotion of two operands; `None` if it is undefined.
    #[inline]
    pub(crate) fn get(&self, lhs: OperandType, rhs: OperandType) -> Option<Promotion> {
        if self.keeps_base && lhs.dtype.kind().is_inexact() && rhs.dtype.kind().is_integer() {
            return Some(Promotion {
                dtype: lhs.dtype,
                weak: lhs.class == Class::Weak && rhs.class == Class::Weak,
                verdict: Verdict::Lossless,
            });
        }
        let classes = if self.looks_at_rank { 3 } else { 2 };
        let position = self.position(lhs) * classes * DTYPES + self.position(rhs);
        let &[result, verdict] = self.cells.get(2 * position..2 * position + 2)? else {
            return None;
        };
        let result = match result {
            codes::UNDEFINED => return None,
            codes::PARAMETER => OperandType::dimensioned(self.parameter),
            result => operand(result)?,
        };
        Some(Promotion {
            dtype: result.dtype,
            weak: result.class == Class::Weak,
            verdict: match verdict {
                _ if self.exact_integers
                    && lhs.dtype.kind().is_integer()
                    && rhs.dtype.kind().is_integer() =>
                {
                    Verdict::Lossless
                }
                codes::LOSSLESS => Verdict::Lossless,
                codes::LHS_LOSES_PRECISION => Verdict::LosesPrecision(lhs.dtype),
                codes::RHS_LOSES_PRECISION => Verdict::LosesPrecision(rhs.dtype),
                codes::LHS_LOSES_RANGE => Verdict::LosesRange(lhs.dtype),
                codes::RHS_LOSES_RANGE => Verdict::LosesRange(rhs.dtype),
                codes::ACCEPTED => Verdict::Accepted,
                codes::MARKED => Verdict::MARKED_UNSAFE,
                codes::WIDENS_BOTH => Verdict::WIDENS_BOTH,
                reason => *self.reasons.get(usize::from(reason - codes::REASONS))?,
            },
        })
    }

    /// The row or column of an operand.
    fn position(&self, operand: OperandType) -> usize {
        let class = match (operand.class, self.looks_at_rank) {
            (Class::Dimensioned, _) | (Class::ZeroDim, false) => 0,
            (Class::ZeroDim, true) | (Class::Weak, false) => 1,
            (Class::Weak, true) => 2,
        };
        class * DTYPES + operand.dtype.index()
    }
}

/// The result of every [`Operation`] on every operand.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperationTable(pub &'static [u8]);

impl OperationTable {
    /// The operations of rules with errors, which do not compile.
    pub const NONE: Self = Self(&[]);

    /// Looks up the result of an operation on an operand; `None` if it is undefined.
    pub(crate) fn get(self, operation: Operation, of: OperandType) -> Option<OperandType> {
        let weak = usize::from(of.class == Class::Weak);
        let row = 2 * operation.index() + weak;
        operand(*self.0.get(row * DTYPES + of.dtype.index())?)
    }
}

/// Decodes an operand number: strong dtypes first, then weak ones.
fn operand(number: u8) -> Option<OperandType> {
    let number = usize::from(number);
    match number.checked_sub(DTYPES) {
        None => Some(OperandType::dimensioned(*DType::ALL.get(number)?)),
        Some(number) => Some(OperandType::weak(*DType::ALL.get(number)?)),
    }
}
