//! Selection between two operands by a condition.

use std::borrow::Cow;

use super::cast::{CastChain, cast_result, chain};
use super::elementwise::ElementwisePlan;
use crate::array::Datum;
use crate::array::{Array, OpResult, broadcast, element_count, record_if_traced};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::{Kernel, choose, for_types};

/// Takes elements of `a` where the condition is true, else of `b`, both cast to `dtype`, and casts the result to
/// `out`. All three operands broadcast.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`],
/// [`Error::OutOfMemory`].
pub(crate) fn select<'a>(
    mut condition: Cow<'a, Array>,
    dtype: DType,
    out: DType,
    mut a: Datum<'a>,
    mut b: Datum<'a>,
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
    let made = match (a.into_array(), b.into_array()) {
        (Ok(a), Ok(b)) => by_arrays(condition, dtype, a, b),
        (Err(error), _) | (_, Err(error)) => error.into(),
    };
    cast_result(made, dtype, out)
}

/// [`select`] of any arrays.
#[inline(never)]
fn by_arrays(
    condition: Cow<'_, Array>,
    out: DType,
    a: Cow<'_, Array>,
    b: Cow<'_, Array>,
) -> OpResult {
    if condition.dtype() != DType::Bool {
        return OpResult::from(Error::DTypeMismatch {
            operation: "select",
            expected: DType::Bool,
            found: condition.dtype(),
        });
    }
    let shape = broadcast("select", a.shape(), b.shape())
        .and_then(|shape| broadcast("select", condition.shape(), &shape))
        .and_then(|shape| element_count(&shape).map(|_| shape));
    let shape = match shape {
        Ok(shape) => shape,
        Err(error) => return error.into(),
    };
    record_if_traced!([condition, a, b] => select(&condition, out, &a, &b));
    let chains: [CastChain; 3] = [&[], chain(a.dtype(), out), chain(b.dtype(), out)];
    let apply = ElementwisePlan::plain(kernel(out), out, 1);
    apply.run_in(&shape, &mut [condition, a, b], &chains)
}

/// Selects the loop for elements of a dtype.
pub(super) fn kernel(dtype: DType) -> Kernel {
    for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] => choose::<T>(), _ => choose::<[u64; 2]>())
}
