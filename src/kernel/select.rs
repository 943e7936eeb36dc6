//! Selection between two operands by a condition.

use std::borrow::Cow;

use super::cast::{cast_result, chain};
use super::drive::block::CastChain;
use super::elementwise::ElementwisePlan;
use crate::array::Datum;
use crate::array::{Array, Dims, OpResult, broadcast, element_count};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::{Kernel, choose, choose_pairs, for_types};

/// Takes elements of `a` where the condition is true, else of `b`, both cast to `dtype`, and casts the result to
/// `out`. All three operands broadcast.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`],
/// [`Error::OutOfMemory`].
pub(crate) fn select<'a>(
    condition: Cow<'a, Array>,
    dtype: DType,
    out: DType,
    a: Datum<'a>,
    b: Datum<'a>,
) -> OpResult {
    let made = match (a.into_array(), b.into_array()) {
        (Ok(a), Ok(b)) => by_arrays(condition, dtype, a, b),
        (Err(error), _) | (_, Err(error)) => error.into(),
    };
    cast_result(made, dtype, out)
}

/// Fast path of [`select()`] for small contiguous operands. Calls `general` if it does not apply, or without memory.
pub(crate) fn select_small<'a>(
    mut condition: Cow<'a, Array>,
    dtype: DType,
    out: DType,
    mut a: Datum<'a>,
    mut b: Datum<'a>,
    general: fn(Cow<'a, Array>, DType, DType, Datum<'a>, Datum<'a>) -> OpResult,
) -> OpResult {
    if condition.dtype() == DType::Bool
        && [a.dtype(), b.dtype(), out] == [dtype; 3]
        && let Some(array) = ElementwisePlan::plain(kernel(dtype), dtype, 1).run_select(
            &mut condition,
            &mut a,
            &mut b,
        )
    {
        return array.into();
    }
    general(condition, dtype, out, a, b)
}

/// Returns the shape of the result of [`select`].
///
/// # Errors
/// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
pub(crate) fn select_shape(condition: &Array, a: &Array, b: &Array) -> Result<Dims, Error> {
    if condition.dtype() != DType::Bool {
        return Err(Error::DTypeMismatch {
            operation: "select",
            expected: DType::Bool,
            found: condition.dtype(),
        });
    }
    let shape = broadcast("select", a.shape(), b.shape())?;
    let shape = broadcast("select", condition.shape(), &shape)?;
    element_count("select", &shape)?;
    Ok(shape)
}

/// [`select`] of any arrays.
#[inline(never)]
fn by_arrays(
    condition: Cow<'_, Array>,
    out: DType,
    a: Cow<'_, Array>,
    b: Cow<'_, Array>,
) -> OpResult {
    let shape = match select_shape(&condition, &a, &b) {
        Ok(shape) => shape,
        Err(error) => return error.into(),
    };
    let chains: [CastChain; 3] = [&[], chain(a.dtype(), out), chain(b.dtype(), out)];
    let apply = ElementwisePlan::plain(kernel(out), out, 1);
    apply.run_in(&shape, &mut [condition, a, b], &chains)
}

/// Selects the loop for elements of a dtype.
pub(super) fn kernel(dtype: DType) -> Kernel {
    for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] => choose::<T>(), _ => choose_pairs())
}
