//! What a promotion does to the values of its operands.

use core::fmt;

use crate::dtype::{DType, Loss};

/// What a promotion does to the values of its operands.
///
/// Weak operands are not judged: yielding is what weak means, and a literal is judged by its value.
/// Range is reported before precision, the left operand before the right.
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
    /// Values can be lost, and the system's own safety rule accepts that.
    Accepted,
    /// No values are lost; the system's own rule refuses the promotion, for this reason.
    Refused(&'static str),
}

impl Verdict {
    /// The verdict of [`MarkedUnsafe`](crate::MarkedUnsafe).
    pub(crate) const MARKED_UNSAFE: Self = Self::Refused("marked as unsafe");
    /// The verdict of [`WidensBoth`](crate::WidensBoth).
    pub(crate) const WIDENS_BOTH: Self =
        Self::Refused("the result is the dtype of neither operand");

    /// Whether rules that do not allow unsafe promotions accept it.
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Lossless | Self::Accepted)
    }

    /// The verdict on converting values of all `operands` to `to`: the first loss of range, else
    /// the first loss of precision.
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
