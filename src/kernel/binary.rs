//! Arithmetic on two operands.

use std::borrow::Cow;

use num_complex::Complex;

use super::cast::{cast, cast_result, chain, chain_to_compute, compute_dtype};
use super::drive::block::CastChain;
use super::elementwise::ElementwisePlan;
use super::mixed_precision;
use super::reduce::{ReduceOp, reduce, reduce_small};
use super::unary::OwnCode;
use crate::array::Datum;
use crate::array::{Array, OpResult};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::float8::dispatch_float8;
use crate::dtype::format::Format;
use crate::dtype::{DType, Kind};
use crate::dtype::{bf16, f16};
use crate::error::Error;
use crate::op::{each_binary, is_of_elements, is_plain, kind_of_row};
use crate::simd::{Kernel, each2, for_types, map2};

macro_rules! binary_op {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself {
        $($of:ident: $loop:ident |$($x:pat_param),+| $body:expr;)*
    })*) => {
        /// An operation on two operands of one dtype, in that dtype.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp {
            $($Op,)*
        }

        impl BinaryOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// About how long it takes, in additions.
            // From a table: for a `match` LLVM makes a jump, which the fast path for small arrays takes too.
            #[inline]
            #[allow(clippy::as_conversions, reason = "a fieldless enum to its discriminant")]
            pub(super) const fn cost(self) -> usize {
                const COSTS: &[usize] = &[$($cost),*];
                COSTS[self as usize]
            }

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => $text,)*
                }
            }

            /// The dtype whose elements its loops take, if the operation is computed in `dtype`: that of the compute type,
            /// but for operations on elements themselves.
            #[inline]
            pub(crate) const fn loop_dtype(self, dtype: DType) -> DType {
                let of_elements = match self {
                    $(Self::$Op => false $(|| is_of_elements!($loop))*,)*
                };
                if of_elements { dtype } else { compute_dtype(dtype) }
            }

            /// Returns whether it is computed for one pair of elements after the other in a dtype, instead of by vectors.
            pub(super) const fn is_plain(self, dtype: DType) -> bool {
                match self {
                    $(Self::$Op => match dtype.kind() {
                        $(kind_of_row!($of) => is_plain!($loop dtype),)*
                        #[allow(unreachable_patterns, reason = "operations of all kinds")]
                        _ => false,
                    },)*
                }
            }

            /// Returns whether it is a power of floats. Squares are the products that [`ComputeType::pow`] computes.
            pub(super) const fn is_power_of_floats(self, dtype: DType) -> bool {
                matches!((self, dtype.kind()), (Self::Pow, Kind::Float))
            }

            /// Returns whether it is defined in a dtype.
            pub(crate) const fn is_defined(self, dtype: DType) -> bool {
                match self {
                    $(Self::$Op => matches!(dtype.kind(), $(kind_of_row!($of))|*),)*
                }
            }
        }
    };
}

each_binary!(kernels binary_op!);

/// The right operands that are errors: of integer division the zeros, of integer powers negative exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Check {
    Zero { operation: &'static str },
    Negative,
}

impl BinaryOp {
    /// The check of right operands of this dtype, if some of them are errors.
    #[inline]
    pub(crate) const fn check(self, dtype: DType) -> Option<Check> {
        match (self, dtype.kind()) {
            (Self::Div | Self::FloorDiv | Self::Rem, Kind::Signed | Kind::Unsigned) => {
                Some(Check::Zero {
                    operation: self.name(),
                })
            }
            (Self::Pow, Kind::Signed) => Some(Check::Negative),
            _ => None,
        }
    }
}

impl Check {
    /// Returns whether an element is an error.
    #[inline(always)]
    pub(super) fn refuses<T: Format>(self, element: T::Compute) -> bool {
        let zero = T::convert(0_u64);
        match self {
            Self::Zero { .. } => ComputeType::eq(element, zero),
            Self::Negative => ComputeType::lt(element, zero),
        }
    }

    /// Returns the error of an operation that was computed in `dtype`.
    pub(super) fn error(self, dtype: DType) -> Error {
        match self {
            Self::Zero { operation } => Error::DivisionByZero { operation, dtype },
            Self::Negative => Error::NegativeExponent { dtype },
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
    let direct = if out == compute && op.check(compute).is_none() {
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
        (Ok(lhs), Ok(rhs)) if op.is_power_of_floats(compute) && is_two(&rhs) => by_arrays(
            BinaryOp::Mul,
            compute,
            Cow::Borrowed(&lhs),
            Cow::Borrowed(&lhs),
        ),
        (Ok(lhs), Ok(rhs)) => by_arrays(op, compute, lhs, rhs),
        (Err(error), _) | (_, Err(error)) => error.into(),
    };
    cast_result(made, compute, out)
}

/// Returns whether an array is one 2 of rank zero, as literals are.
fn is_two(exponent: &Array) -> bool {
    exponent.rank() == 0
        && cast(Cow::Borrowed(exponent), DType::F64).is_ok_and(|two| two.get(&[]) == Some(2.0_f64))
}

/// Returns the loop of an operation that computes in a dtype.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the operation has no meaning in the dtype.
pub(crate) fn supported(op: BinaryOp, compute: DType) -> Result<Kernel, Error> {
    kernel(op, op.loop_dtype(compute)).ok_or(Error::UnsupportedDType {
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
    let (kernel, from_loop, chains): (_, CastChain, [CastChain; 2]) =
        match direct(op, left, right, compute) {
            Some(direct) => (direct, &[], [&[]; 2]),
            None => {
                let of_elements = op.loop_dtype(compute) == compute;
                let to_loop = if of_elements { chain } else { chain_to_compute };
                let chains = [left, right].map(|dtype| to_loop(dtype, compute));
                (kernel, chain(op.loop_dtype(compute), compute), chains)
            }
        };
    let apply = ElementwisePlan {
        kernel,
        chain: from_loop,
        dtype: compute,
        cost: op.cost(),
    };
    apply.run(op.name(), [lhs, rhs], chains)
}

/// Returns the loop that takes the operands' elements without conversion, if there is one.
#[inline]
fn direct(op: BinaryOp, lhs: DType, rhs: DType, compute: DType) -> Option<Kernel> {
    if lhs == compute && rhs == compute && op.loop_dtype(compute) == compute {
        kernel(op, compute)
    } else {
        mixed_precision::kernel(op, lhs, rhs, compute)
    }
}

/// Returns an error if the right operand has a zero divisor or a negative exponent.
#[inline]
pub(crate) fn check_rhs(
    op: BinaryOp,
    compute: DType,
    lhs: &Array,
    rhs: &Array,
) -> Result<(), Error> {
    match op.check(compute) {
        Some(check) => check_elements(check, compute, lhs, rhs),
        None => Ok(()),
    }
}

#[inline(never)]
fn check_elements(check: Check, compute: DType, lhs: &Array, rhs: &Array) -> Result<(), Error> {
    // Zeros are allowed if nothing is divided.
    if lhs.is_empty() || rhs.is_empty() {
        return Ok(());
    }
    let rhs = cast(Cow::Borrowed(rhs), compute)?;
    let reduced = |op, dtype| reduce_small(op, &rhs, None, false, dtype, reduce).array();
    let fails = match check {
        Check::Zero { .. } => reduced(ReduceOp::All, DType::Bool)?.get(&[]) == Some(false),
        Check::Negative => reduced(ReduceOp::Min, DType::I64)?.get::<i64>(&[]) < Some(0),
    };
    if fails {
        return Err(check.error(compute));
    }
    Ok(())
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

macro_rules! for_floats {
    ($dtype:expr, $E:ident => $body:expr) => {
        for_types!($dtype, $E in [
            DType::F16 => f16, DType::BF16 => bf16, DType::F32 => f32, DType::F64 => f64,
        ] => $body, _ => dispatch_float8!($dtype, $E => $body, _ => unreachable!("a float")))
    };
}

/// Returns the loop for an operation on elements of its [`BinaryOp::loop_dtype`].
pub(super) fn kernel(op: BinaryOp, dtype: DType) -> Option<Kernel> {
    use DType::{C64, F64, I8, I16, I32, U8, U16, U32};
    match dtype.kind() {
        Kind::Bool => bool_kernel::<BoolByte>(op, dtype),
        Kind::Unsigned => {
            for_types!(dtype, T in [U8 => u8, U16 => u16, U32 => u32] => unsigned_kernel::<T>(op, dtype), _ => unsigned_kernel::<u64>(op, dtype))
        }
        Kind::Signed => {
            for_types!(dtype, T in [I8 => i8, I16 => i16, I32 => i32] => signed_kernel::<T>(op, dtype), _ => signed_kernel::<i64>(op, dtype))
        }
        Kind::Float => {
            for_types!(dtype, T in [F64 => f64] => float_kernel::<T>(op, dtype), _ => float_kernel::<f32>(op, dtype))
        }
        Kind::Complex => {
            for_types!(dtype, T in [C64 => Complex<f32>] => complex_kernel::<T>(op, dtype), _ => complex_kernel::<Complex<f64>>(op, dtype))
        }
    }
}

/// `fn name: kind;` is the table of the loops of a kind of dtype, computed in `T`.
macro_rules! binary_kernels {
    ($(fn $kernel:ident<$T:ident: $Bound:ident>: $kind:ident;)*) => {$(
        #[allow(unreachable_code, unused_variables, reason = "operations that the kind has; tables without `bits`")]
        fn $kernel<$T: $Bound>(op: BinaryOp, dtype: DType) -> Option<Kernel> {
            each_binary!(kernels binary_kernels! @table $kind $T dtype op)
        }
    )*};
    (@table $kind:ident $T:ident $dtype:ident $op:ident $($name:ident: $Op:ident $text:literal, $cost:literal => Itself {
        $($of:ident: $loop:ident |$($x:pat_param),+| $body:expr;)*
    })*) => {
        match $op {
            $(BinaryOp::$Op => {
                $(binary_kernels! { @$kind $of $loop $T $dtype $name })*
                None
            })*
        }
    };
    (@bool bool $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@unsigned unsigned $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@signed signed $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@float float $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@complex complex $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@loop bits $T:ident $dtype:ident $name:ident) => {
        Some(for_unsigned_of_size!($dtype, U => map2(<U as ComputeType>::$name)))
    };
    (@loop map $T:ident $dtype:ident $name:ident) => { Some(map2(<$T as ComputeType>::$name)) };
    (@loop own $T:ident $dtype:ident $name:ident) => {
        Some(<$T as OwnCode>::own_loop_of_two(<$T as ComputeType>::$name))
    };
    (@loop element $T:ident $dtype:ident $name:ident) => {
        Some(for_floats!($dtype, E => map2(<E as Format>::$name)))
    };
    (@loop short $T:ident $dtype:ident $name:ident) => {
        Some(if const { size_of::<$T>() > 4 } {
            each2(<$T as ComputeType>::$name)
        } else {
            map2(<$T as ComputeType>::$name)
        })
    };
    (@loop each $T:ident $dtype:ident $name:ident) => { Some(each2(<$T as ComputeType>::$name)) };
    (@$kind:ident $other:ident $($loop:tt)+) => {};
}

binary_kernels! {
    fn bool_kernel<T: ComputeType>: bool;
    fn unsigned_kernel<T: ComputeType>: unsigned;
    fn signed_kernel<T: ComputeType>: signed;
    fn float_kernel<T: OwnCode>: float;
    fn complex_kernel<T: ComputeType>: complex;
}
