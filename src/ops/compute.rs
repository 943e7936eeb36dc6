//! The compute dtype of the operations for which it differs from the dtype of the result. Typed, fused and dynamic tensors all use
//! this definition.

use crate::dtype::{DType, Kind};
use crate::kernel::BinaryOp;

/// The dtype in which a function of one operand is computed.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// The dtype of the operand, as for `abs` of a complex number.
    Operand,
    /// The dtype of the result, as for `exp` of an integer.
    Result,
    /// The dtype of the result if it is float or complex, else `f64`, as for the reciprocal of an integer.
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

/// Returns the dtypes to which the two operands of a comparison are converted, for a pair that promotes to `promoted`.
///
/// Both are converted to `promoted`, unless the rules compare integers by value and no integer dtype holds both. Then
/// one operand is `u64` and the other signed: the former is compared as `u64`, the latter as `i64`.
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

/// The intermediate dtypes of an operation on two operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryDTypes {
    /// The dtype to which literals convert. They have to fit the promoted dtype, even if the result has another dtype:
    /// a `U8` tensor cannot be divided by 300.
    pub(crate) literals: DType,
    /// The dtype in which the operation is computed, before the cast to the dtype of the result.
    pub(crate) compute: DType,
}

impl BinaryDTypes {
    /// Finds the dtypes for operands that promote to `promoted`, with a right operand of dtype `rhs`, and a result of
    /// dtype `result`.
    pub(crate) const fn new(op: BinaryOp, promoted: DType, rhs: DType, result: DType) -> Self {
        if !matches!(op, BinaryOp::Pow) {
            return Self {
                literals: promoted,
                compute: result,
            };
        }
        // A 16-bit or 8-bit float would round the integer exponent, and with it the parity that decides the sign.
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
