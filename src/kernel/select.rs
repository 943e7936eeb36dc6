//! Choice between two operands by a third.

use std::borrow::Cow;

use super::apply::Apply;
use super::cast::{Path, path};
use super::lanes::{choose, for_types};
use crate::array::{Array, broadcast, element_count, traced};
use crate::dtype::DType;
use crate::error::Error;

/// Where the condition is true, the first operand's element, else the second's, both cast to a
/// dtype. All three broadcast.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`].
pub(crate) fn select(
    condition: Cow<'_, Array>,
    out: DType,
    a: Cow<'_, Array>,
    b: Cow<'_, Array>,
) -> Result<Array, Error> {
    if condition.dtype() != DType::Bool {
        return Err(Error::DTypeMismatch {
            operation: "select",
            expected: DType::Bool,
            found: condition.dtype(),
        });
    }
    let shape = broadcast("select", a.shape(), b.shape())?;
    let shape = broadcast("select", condition.shape(), &shape)?;
    element_count(&shape)?;
    traced!([condition, a, b] => select(&condition, out, &a, &b));
    let paths: [Path; 3] = [&[], path(a.dtype(), out), path(b.dtype(), out)];
    let apply = Apply {
        kernel: for_types!(out.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] => choose::<T>(), _ => choose::<[u64; 2]>()),
        path: &[],
        dtype: out,
        cost: 1,
    };
    Ok(apply.run_in(&shape, &mut [condition, a, b], &paths))
}
