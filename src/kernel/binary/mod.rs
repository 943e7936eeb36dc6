//! Arithmetic on two operands.

mod division;
pub(in crate::kernel) mod loops;
pub(in crate::kernel) mod op;
pub(in crate::kernel) mod power;

use std::borrow::Cow;

use self::loops::kernel;
use self::op::{BinaryOp, Check};
use super::cast::{cast, cast_result, chain, chain_to_compute};
use super::drive::block::CastChain;
use super::elementwise::ElementwisePlan;
use super::mixed_precision;
use super::reduce::fold::fold;
use super::reduce::op::ReduceOp;
use crate::array::Datum;
use crate::array::{Array, OpResult};
use crate::dtype::DType;
use crate::dtype::compute::ShortPower;
use crate::error::Error;
use crate::simd::Kernel;

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
/// operand with the result's dtype and shape gives its memory to the result.
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
        (Ok(lhs), Ok(rhs)) => match power::short_power(op, [lhs.dtype(), compute, out], &rhs) {
            Some(ShortPower::Square) if op.is_real_power(compute) => {
                // The product of two elements, rounded to their own dtype, is the one that `f64` rounds to it: `f64` holds it exactly.
                let dtype = if lhs.dtype() == out { out } else { compute };
                let [a, b] = [Cow::Borrowed(&*lhs), Cow::Borrowed(&*lhs)];
                return cast_result(by_arrays(BinaryOp::Mul, dtype, a, b), dtype, out);
            }
            Some(ShortPower::Root) if lhs.dtype() != out => {
                return match cast(lhs, compute) {
                    Ok(x) => {
                        let roots = power::powers(ShortPower::Root, Cow::Owned(x));
                        cast_result(roots, compute, out)
                    }
                    Err(error) => error.into(),
                };
            }
            Some(short) => return power::powers(short, lhs),
            None => by_arrays(op, compute, lhs, rhs),
        },
        (Err(error), _) | (_, Err(error)) => error.into(),
    };
    cast_result(made, compute, out)
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
    let fails = match check {
        Check::Zero { .. } => fold(ReduceOp::All, &rhs, DType::Bool)?.get(&[]) == Some(false),
        Check::Negative => fold(ReduceOp::Min, &rhs, DType::I64)?.get::<i64>(&[]) < Some(0),
    };
    if fails {
        return Err(check.error(compute));
    }
    Ok(())
}
