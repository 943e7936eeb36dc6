//! Arithmetic on two operands.

use std::borrow::Cow;

use num_complex::Complex;

use super::cast::{
    CastChain, cast, cast_result, chain_from_compute, chain_to_compute, compute_dtype,
};
use super::elementwise::ElementwisePlan;
use super::mixed_precision;
use super::reduce::{ReduceOp, reduce};
use crate::array::Datum;
use crate::array::{Array, OpResult};
use crate::dtype::compute::arithmetic::{self, Divide, Order};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::simd::{Kernel, each2, for_types, map2};

/// An operation on two operands of one dtype, in that dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Or of booleans.
    Add,
    Sub,
    /// And of booleans.
    Mul,
    /// Truncates on integers.
    Div,
    /// Rounds towards negative infinity.
    FloorDiv,
    /// The remainder of [`Self::FloorDiv`]; it has the divisor's sign.
    Rem,
    Pow,
    Atan2,
    /// NaN if either is; -0 is less than +0.
    Min,
    /// NaN if either is; +0 is more than -0.
    Max,
    And,
    Or,
    Xor,
    /// A count as wide as the dtype, or negative, leaves zero.
    Shl,
    /// A count as wide as the dtype, or negative, leaves the sign.
    Shr,
}

impl BinaryOp {
    /// About how long it takes, in additions.
    pub(super) const fn cost(self) -> usize {
        match self {
            Self::FloorDiv | Self::Rem => 4,
            Self::Pow | Self::Atan2 => 16,
            _ => 1,
        }
    }

    #[cfg(test)]
    pub(crate) const ALL: [Self; 15] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::FloorDiv,
        Self::Rem,
        Self::Pow,
        Self::Atan2,
        Self::Min,
        Self::Max,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::Shl,
        Self::Shr,
    ];

    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::FloorDiv => "floor_div",
            Self::Rem => "rem",
            Self::Pow => "pow",
            Self::Atan2 => "atan2",
            Self::Min => "minimum",
            Self::Max => "maximum",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::Shl => "shl",
            Self::Shr => "shr",
        }
    }
}

/// Fast path of [`binary()`] for small contiguous operands. Calls `general` if it does not apply, or without memory.
pub(crate) fn binary_small<'a>(
    op: BinaryOp,
    compute: DType,
    out: DType,
    mut lhs: Datum<'a>,
    mut rhs: Datum<'a>,
    general: fn(BinaryOp, DType, DType, Datum<'a>, Datum<'a>) -> OpResult,
) -> OpResult {
    let direct = if out == compute && !is_checked(op, compute) {
        direct(op, lhs.dtype(), rhs.dtype(), compute)
    } else {
        None
    };
    if let Some(direct) = direct
        && let Some(array) =
            ElementwisePlan::plain(direct, compute, op.cost()).run_data(&mut lhs, &mut rhs)
    {
        return array.into();
    }
    general(op, compute, out, lhs, rhs)
}

/// Casts both operands to a dtype, computes in it, and casts the result to `out`; it has the broadcast shape. An owned
/// operand that has dtype and shape gives its memory to the result.
///
/// # Errors
/// [`Error::ShapeMismatch`]; [`Error::UnsupportedDType`] if the operation has no meaning in the
/// dtype; on integers [`Error::DivisionByZero`] and [`Error::NegativeExponent`]; [`Error::OutOfMemory`].
pub(crate) fn binary<'a>(
    op: BinaryOp,
    compute: DType,
    out: DType,
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    let made = match (lhs.into_array(), rhs.into_array()) {
        (Ok(lhs), Ok(rhs)) => by_arrays(op, compute, lhs, rhs),
        (Err(error), _) | (_, Err(error)) => error.into(),
    };
    cast_result(made, compute, out)
}

/// Returns the loop of an operation that computes in a dtype.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the operation has no meaning in the dtype.
pub(crate) fn supported(op: BinaryOp, compute: DType) -> Result<Kernel, Error> {
    kernel(op, compute_dtype(compute)).ok_or(Error::UnsupportedDType {
        operation: op.name(),
        dtype: compute,
    })
}

/// [`binary`] of any arrays.
#[inline(never)]
fn by_arrays(op: BinaryOp, compute: DType, lhs: Cow<'_, Array>, rhs: Cow<'_, Array>) -> OpResult {
    let checked = supported(op, compute)
        .and_then(|kernel| check_rhs(op, compute, &lhs, &rhs).map(|()| kernel));
    let kernel = match checked {
        Ok(kernel) => kernel,
        Err(error) => return error.into(),
    };
    let (left, right) = (lhs.dtype(), rhs.dtype());
    let (kernel, chain, chains): (_, CastChain, [CastChain; 2]) =
        match direct(op, left, right, compute) {
            Some(direct) => (direct, &[], [&[]; 2]),
            None => {
                let chains = [left, right].map(|dtype| chain_to_compute(dtype, compute));
                (kernel, chain_from_compute(compute), chains)
            }
        };
    let apply = ElementwisePlan {
        kernel,
        chain,
        dtype: compute,
        cost: op.cost(),
    };
    apply.run(op.name(), [lhs, rhs], chains)
}

/// Returns the loop that takes the operands' elements without conversion, if there is one.
#[inline]
fn direct(op: BinaryOp, lhs: DType, rhs: DType, compute: DType) -> Option<Kernel> {
    if lhs == compute && rhs == compute && compute_dtype(compute) == compute {
        kernel(op, compute)
    } else {
        mixed_precision::kernel(op, lhs, rhs, compute)
    }
}

/// Whether some values of the right operand make the operation fail.
#[inline]
fn is_checked(op: BinaryOp, compute: DType) -> bool {
    use BinaryOp::{Div, FloorDiv, Pow, Rem};
    matches!(op, Div | FloorDiv | Rem | Pow) && compute.kind().is_integer()
}

/// Returns an error if the right operand has a zero divisor or a negative exponent.
#[inline]
pub(crate) fn check_rhs(
    op: BinaryOp,
    compute: DType,
    lhs: &Array,
    rhs: &Array,
) -> Result<(), Error> {
    match is_checked(op, compute) {
        true => check_elements(op, compute, lhs, rhs),
        false => Ok(()),
    }
}

#[inline(never)]
fn check_elements(op: BinaryOp, compute: DType, lhs: &Array, rhs: &Array) -> Result<(), Error> {
    let divides = op != BinaryOp::Pow;
    // Zeros are allowed if nothing is divided.
    if lhs.is_empty() || rhs.is_empty() || !(divides || compute.kind() == Kind::Signed) {
        return Ok(());
    }
    let rhs = cast(Cow::Borrowed(rhs), compute)?;
    if divides {
        let all = reduce(ReduceOp::All, &rhs, None, false, DType::Bool).array()?;
        if all.get(&[]) == Some(false) {
            return Err(Error::DivisionByZero {
                operation: op.name(),
                dtype: compute,
            });
        }
    } else {
        let least = reduce(ReduceOp::Min, &rhs, None, false, DType::I64).array()?;
        if least.get::<i64>(&[]) < Some(0) {
            return Err(Error::NegativeExponent { dtype: compute });
        }
    }
    Ok(())
}

/// Returns the loop for an operation on compute types.
pub(super) fn kernel(op: BinaryOp, dtype: DType) -> Option<Kernel> {
    match dtype.kind() {
        Kind::Bool => bool_kernel(op),
        Kind::Unsigned | Kind::Signed => integer_kernel(op, dtype),
        Kind::Float => {
            for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64] => float_kernel::<T>(op), _ => None)
        }
        Kind::Complex => {
            for_types!(dtype, T in [DType::C64 => f32, DType::C128 => f64] => complex_kernel::<T>(op), _ => None)
        }
    }
}

fn bool_kernel(op: BinaryOp) -> Option<Kernel> {
    Some(match op {
        BinaryOp::Add | BinaryOp::Max | BinaryOp::Or => map2(<BoolByte as ComputeType>::or),
        BinaryOp::Mul | BinaryOp::Min | BinaryOp::And => map2(<BoolByte as ComputeType>::and),
        BinaryOp::Xor => map2(<BoolByte as ComputeType>::xor),
        _ => return None,
    })
}

macro_rules! for_unsigned_of_size {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype.size(), $T in [1 => u8, 2 => u16, 4 => u32] => $body, _ => { type $T = u64; $body })
    };
}

macro_rules! for_integer {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
            DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
        ] => $body, _ => { type $T = i64; $body })
    };
}
pub(super) use {for_integer, for_unsigned_of_size};

fn integer_kernel(op: BinaryOp, dtype: DType) -> Option<Kernel> {
    Some(match op {
        // The sign does not matter to these.
        BinaryOp::Add => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::add)),
        BinaryOp::Sub => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::sub)),
        BinaryOp::Mul => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::mul)),
        BinaryOp::And => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::and)),
        BinaryOp::Or => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::or)),
        BinaryOp::Xor => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::xor)),
        // A negative count is a large one here.
        BinaryOp::Shl => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::shl)),
        BinaryOp::Shr => for_integer!(dtype, T => map2(<T as ComputeType>::shr)),
        BinaryOp::Min => for_integer!(dtype, T => map2(<T as ComputeType>::min)),
        BinaryOp::Max => for_integer!(dtype, T => map2(<T as ComputeType>::max)),
        BinaryOp::Div => {
            for_integer!(dtype, T => each2(|a: T, b: T| a.checked_div(b).unwrap_or(if b == 0 { 0 } else { a })))
        }
        BinaryOp::FloorDiv => for_integer!(dtype, T => each2(<T as Divide>::floor_div)),
        BinaryOp::Rem => for_integer!(dtype, T => each2(<T as Divide>::floor_rem)),
        BinaryOp::Pow => for_integer!(dtype, T => each2(arithmetic::integer_pow::<T>)),
        BinaryOp::Atan2 => return None,
    })
}

fn float_kernel<T: arithmetic::Float + ComputeType>(op: BinaryOp) -> Option<Kernel> {
    Some(match op {
        BinaryOp::Add => map2(<T as ComputeType>::add),
        BinaryOp::Sub => map2(<T as ComputeType>::sub),
        BinaryOp::Mul => map2(<T as ComputeType>::mul),
        BinaryOp::Div => map2(<T as ComputeType>::div),
        BinaryOp::FloorDiv => each2(<T as ComputeType>::floor_div),
        BinaryOp::Rem => each2(<T as ComputeType>::rem),
        BinaryOp::Pow => each2(<T as arithmetic::Float>::pow),
        BinaryOp::Atan2 => each2(<T as ComputeType>::atan2),
        BinaryOp::Min => map2(<T as ComputeType>::min),
        BinaryOp::Max => map2(<T as ComputeType>::max),
        _ => return None,
    })
}

fn complex_kernel<T: arithmetic::Float>(op: BinaryOp) -> Option<Kernel>
where
    Complex<T>: ComputeType,
{
    Some(match op {
        BinaryOp::Add => map2(<Complex<T> as ComputeType>::add),
        BinaryOp::Sub => map2(<Complex<T> as ComputeType>::sub),
        BinaryOp::Mul => map2(<Complex<T> as ComputeType>::mul),
        BinaryOp::Div => each2(<Complex<T> as ComputeType>::div),
        BinaryOp::Pow => each2(T::complex_pow),
        BinaryOp::Atan2 => each2(T::complex_atan2),
        BinaryOp::Min => each2(<Complex<T> as Order>::lesser),
        BinaryOp::Max => each2(<Complex<T> as Order>::greater),
        _ => return None,
    })
}
