//! Verdicts: the effect of a promotion on the values of its operands.

use core::fmt;

use crate::dtype::{DType, Loss};

/// The effect of a promotion on the values of its operands.
///
/// The verdict ignores weak operands: they take the other dtype by definition, and literals are checked by their value.
/// It reports a loss of range before a loss of precision, and the left operand before the right.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Every value of both operands is exactly a value of the result.
    Lossless,
    /// Some values of this operand's dtype round.
    LosesPrecision(DType),
    /// Some finite values of this operand's dtype overflow or lose their sign.
    LosesRange(DType),
    /// Values can be lost, and the rules accept that.
    Accepted,
    /// The rules refuse the promotion, for this reason; it need not lose values.
    Refused(&'static str),
}

impl Verdict {
    /// The verdict of [`MarkedUnsafe`](crate::MarkedUnsafe).
    pub(crate) const MARKED_UNSAFE: Self = Self::Refused("marked as unsafe");
    /// The verdict of [`WidensBoth`](crate::WidensBoth).
    pub(crate) const WIDENS_BOTH: Self =
        Self::Refused("the result is the dtype of neither operand");

    /// Returns whether rules that do not allow unsafe promotions accept it.
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Lossless | Self::Accepted)
    }

    /// Returns the verdict on converting values of all `operands` to `to`: the first loss of range, else the first loss
    /// of precision, else lossless.
    pub(crate) fn of_conversions(operands: impl Iterator<Item = DType> + Clone, to: DType) -> Self {
        let first = |loss| operands.clone().find(|operand| operand.loss_to(to) == loss);
        match (first(Loss::Range), first(Loss::Precision)) {
            (Some(dtype), _) => Self::LosesRange(dtype),
            (None, Some(dtype)) => Self::LosesPrecision(dtype),
            (None, None) => Self::Lossless,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossless => f.write_str("is lossless"),
            Self::LosesPrecision(dtype) => write!(f, "loses precision of {dtype}"),
            Self::LosesRange(dtype) => write!(f, "loses range of {dtype}"),
            Self::Accepted => f.write_str("is accepted"),
            Self::Refused(reason) => write!(f, "is refused: {reason}"),
        }
    }
}
