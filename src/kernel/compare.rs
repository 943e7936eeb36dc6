//! Comparison of two operands.

use std::borrow::Cow;

use num_complex::Complex;

use super::binary::loops::{for_integer, for_unsigned_of_size};
use super::cast::chain_to_compute;
use super::elementwise::ElementwisePlan;
use crate::array::Datum;
use crate::array::{Array, OpResult, broadcast};
use crate::dtype::compute::ComputeType;
use crate::dtype::{DType, Kind, compute_dtype};
use crate::op::each_comparison;
use crate::simd::{Kernel, for_types, map2};

macro_rules! compare_op {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $Op:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*) => {
        /// A comparison. NaN is equal to nothing and unordered. Complex numbers are ordered by their real part, then by
        /// their imaginary part.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CompareOp {
            $($Op,)*
        }

        impl CompareOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => stringify!($name),)*
                }
            }
        }
    };
}

each_comparison!(compare_op!);

impl CompareOp {
    /// Replaces [`Self::Gt`] and [`Self::Ge`] by the reverse comparison of swapped operands, which halves the number
    /// of loops.
    pub(super) fn without_greater<T>(self, [lhs, rhs]: [T; 2]) -> (Self, [T; 2]) {
        match self {
            Self::Gt => (Self::Lt, [rhs, lhs]),
            Self::Ge => (Self::Le, [rhs, lhs]),
            _ => (self, [lhs, rhs]),
        }
    }
}

/// Casts each operand to a dtype and compares them. The result is boolean and has the broadcast shape.
///
/// Both dtypes are the same, or they are `u64` and `i64`, which are compared by value.
///
/// # Errors
/// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`ShapeTooLarge`](crate::Error::ShapeTooLarge),
/// [`OutOfMemory`](crate::Error::OutOfMemory).
pub(crate) fn compare<'a>(
    op: CompareOp,
    compute: [DType; 2],
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    match (lhs.into_array(), rhs.into_array()) {
        (Ok(lhs), Ok(rhs)) => by_arrays(op, compute, lhs, rhs),
        (Err(error), _) | (_, Err(error)) => error.into(),
    }
}

/// Fast path of [`compare()`] for small contiguous operands. Calls `general` if it does not apply, or without memory.
pub(crate) fn compare_small<'a>(
    op: CompareOp,
    compute: [DType; 2],
    mut lhs: Datum<'a>,
    mut rhs: Datum<'a>,
    general: fn(CompareOp, [DType; 2], Datum<'a>, Datum<'a>) -> OpResult,
) -> OpResult {
    if [lhs.dtype(), rhs.dtype()] == compute && compute.map(compute_dtype) == compute {
        let (op, [(lhs, lhs_in), (rhs, rhs_in)]) =
            op.without_greater([(&mut lhs, compute[0]), (&mut rhs, compute[1])]);
        let kernel = kernel(op, [lhs_in, rhs_in]);
        if let Some(array) = ElementwisePlan::plain(kernel, DType::Bool, 1).run_data(lhs, rhs) {
            return array.into();
        }
    }
    general(op, compute, lhs, rhs)
}

/// [`compare`] of arrays.
#[inline(never)]
fn by_arrays(
    op: CompareOp,
    compute: [DType; 2],
    lhs: Cow<'_, Array>,
    rhs: Cow<'_, Array>,
) -> OpResult {
    let name = op.name();
    // Before operands are swapped: errors name them in the user's order.
    if lhs.dims() != rhs.dims()
        && let Err(error) = broadcast(name, lhs.shape(), rhs.shape())
    {
        return error.into();
    }
    let (op, [(lhs, lhs_in), (rhs, rhs_in)]) =
        op.without_greater([(lhs, compute[0]), (rhs, compute[1])]);
    let chains = [
        chain_to_compute(lhs.dtype(), lhs_in),
        chain_to_compute(rhs.dtype(), rhs_in),
    ];
    let kernel = kernel(op, [lhs_in, rhs_in].map(compute_dtype));
    ElementwisePlan::plain(kernel, DType::Bool, 1).run(name, [lhs, rhs], chains)
}

/// Returns the loop for a comparison of compute types. The operation and its operands are those that
/// [`CompareOp::without_greater`] returned.
pub(super) fn kernel(op: CompareOp, compute: [DType; 2]) -> Kernel {
    match compute {
        [DType::U64, DType::I64] => unsigned_with_signed(op),
        [DType::I64, DType::U64] => signed_with_unsigned(op),
        [dtype, other] => {
            debug_assert_eq!(dtype, other, "operands are compared in one dtype");
            of_one_dtype(op, dtype)
        }
    }
}

/// Returns whether 64 bits are below zero as a signed integer.
fn is_negative(bits: u64) -> bool {
    bits.cast_signed() < 0
}

/// Compares `u64` on the left and `i64` on the right, by value. The loop sees the bits of both as unsigned: if the
/// signed operand is not negative, they are ordered as the values.
fn unsigned_with_signed(op: CompareOp) -> Kernel {
    match op {
        CompareOp::Eq => map2(|a: u64, b: u64| !is_negative(b) & (a == b)),
        CompareOp::Ne => map2(|a: u64, b: u64| is_negative(b) | (a != b)),
        CompareOp::Lt | CompareOp::Gt => map2(|a: u64, b: u64| !is_negative(b) & (a < b)),
        CompareOp::Le | CompareOp::Ge => map2(|a: u64, b: u64| !is_negative(b) & (a <= b)),
    }
}

/// [`unsigned_with_signed`], with the signed operand on the left.
fn signed_with_unsigned(op: CompareOp) -> Kernel {
    match op {
        CompareOp::Eq => map2(|a: u64, b: u64| !is_negative(a) & (a == b)),
        CompareOp::Ne => map2(|a: u64, b: u64| is_negative(a) | (a != b)),
        CompareOp::Lt | CompareOp::Gt => map2(|a: u64, b: u64| is_negative(a) | (a < b)),
        CompareOp::Le | CompareOp::Ge => map2(|a: u64, b: u64| is_negative(a) | (a <= b)),
    }
}

fn of_one_dtype(op: CompareOp, dtype: DType) -> Kernel {
    match dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => match op {
            CompareOp::Eq => for_unsigned_of_size!(dtype, T => map2(<T as ComputeType>::eq)),
            CompareOp::Ne => {
                for_unsigned_of_size!(dtype, T => map2(|a: T, b: T| !ComputeType::eq(a, b)))
            }
            // False and true are the bytes 0 and 1.
            _ if dtype == DType::Bool => of_one_dtype(op, DType::U8),
            CompareOp::Lt | CompareOp::Gt => for_integer!(dtype, T => map2(<T as ComputeType>::lt)),
            CompareOp::Le | CompareOp::Ge => for_integer!(dtype, T => map2(<T as ComputeType>::le)),
        },
        Kind::Float => {
            for_types!(dtype, T in [DType::F64 => f64] => ordered::<T>(op), _ => ordered::<f32>(op))
        }
        Kind::Complex => {
            for_types!(dtype, T in [DType::C64 => Complex<f32>] => ordered::<T>(op), _ => ordered::<Complex<f64>>(op))
        }
    }
}

fn ordered<T: ComputeType>(op: CompareOp) -> Kernel {
    match op {
        CompareOp::Eq => map2(T::eq),
        CompareOp::Ne => map2(|a: T, b: T| !T::eq(a, b)),
        CompareOp::Lt | CompareOp::Gt => map2(T::lt),
        CompareOp::Le | CompareOp::Ge => map2(T::le),
    }
}
