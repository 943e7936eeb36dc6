//! In which dtype an operation is computed, where that is not the dtype of its result. Typed, fused and dynamic
//! code ask here.

use crate::dtype::{DType, Kind};
use crate::kernel::BinaryOp;

/// In which dtype a function of one operand is computed.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// In that of the operand, as `abs` of a complex number.
    Operand,
    /// In that of the result, as `exp` of an integer.
    Result,
    /// In that of the result if it is inexact, else in `f64`, as the reciprocal of an integer.
    Float,
}

impl Compute {
    pub(crate) const fn dtype(self, operand: DType, result: DType) -> DType {
        match self {
            Self::Operand => operand,
            Self::Float if !result.kind().is_inexact() => DType::F64,
            Self::Result | Self::Float => result,
        }
    }
}

/// The dtypes in which the operands of a comparison are compared, of a pair that promotes to `promoted`.
///
/// Both are converted to `promoted`, unless the rules take integers as they are and no integer dtype holds both: then one is
/// `u64` and the other signed, and each is converted to 64 bits of its own sign.
pub(crate) const fn compared(
    promoted: DType,
    operands: [DType; 2],
    exact_integers: bool,
) -> [DType; 2] {
    const fn widest(dtype: DType) -> DType {
        match dtype.kind() {
            Kind::Unsigned => DType::U64,
            _ => DType::I64,
        }
    }
    let [lhs, rhs] = operands;
    if exact_integers
        && lhs.kind().is_integer()
        && rhs.kind().is_integer()
        && !promoted.kind().is_integer()
    {
        [widest(lhs), widest(rhs)]
    } else {
        [promoted, promoted]
    }
}

/// The dtypes within an operation on two operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryDTypes {
    /// Where literals convert. They have to fit what the operands promote to, also where the operation makes
    /// another dtype of it: a `U8` refuses to be divided by 300.
    pub(crate) literals: DType,
    /// In which dtype it is computed; then it is cast to that of the result.
    pub(crate) compute: DType,
}

impl BinaryDTypes {
    /// For operands that promote to `promoted`, the right one of dtype `rhs`, and a result of dtype `result`.
    pub(crate) const fn new(op: BinaryOp, promoted: DType, rhs: DType, result: DType) -> Self {
        if !matches!(op, BinaryOp::Pow) {
            return Self {
                literals: promoted,
                compute: result,
            };
        }
        // In a small float an integer exponent itself would round, and lose whether it is odd.
        let compute = match (rhs.kind().is_integer(), result) {
            (true, DType::C64 | DType::C128) => DType::C128,
            (true, _) if result.kind().is_inexact() => DType::F64,
            _ => result,
        };
        Self {
            literals: compute,
            compute,
        }
    }
}
