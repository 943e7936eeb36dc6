//! Cumulative sums.

use std::borrow::Cow;
use std::ops::Add;

use super::cast::{cast, compute_dtype, is_small_float};
use crate::array::Array;
use crate::dtype::{DType, Element, Kind, c128};
use crate::error::Error;

/// Computes, at each position of an axis, the sum of the elements up to it. Accumulates in the dtype of
/// [`reduce`](super::reduce()), but in sequence, and casts each sum to `out`.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn cumsum(x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
    check_cumsum(x, axis)?;
    let [before, accumulator] = cumsum_dtypes(x.dtype(), out);
    let x = cast(Cow::Borrowed(x), before)?;
    let mut sums = cast(Cow::Owned(x), accumulator)?;
    let inner = sums.shape()[axis + 1..].iter().product();
    let row = sums.shape()[axis] * inner;
    if row > 0 {
        match accumulator {
            DType::Bool => accumulate(sums.as_mut_slice()?, row, inner, |a: bool, b| a | b),
            DType::I64 => accumulate(sums.as_mut_slice()?, row, inner, i64::wrapping_add),
            DType::U64 => accumulate(sums.as_mut_slice()?, row, inner, u64::wrapping_add),
            DType::F32 => accumulate(sums.as_mut_slice()?, row, inner, f32::add),
            DType::F64 => accumulate(sums.as_mut_slice()?, row, inner, f64::add),
            _ => accumulate(sums.as_mut_slice()?, row, inner, c128::add),
        }
    }
    cast(Cow::Owned(sums), out)
}

/// Returns an error if the array does not have the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`].
pub(crate) fn check_cumsum(x: &Array, axis: usize) -> Result<(), Error> {
    if axis < x.rank() {
        return Ok(());
    }
    Err(Error::AxisOutOfRange {
        operation: "cumsum",
        axis: isize::try_from(axis).unwrap_or(isize::MAX),
        rank: x.rank(),
    })
}

/// Returns the dtype to which elements are cast first, and the one in which they are added.
pub(crate) fn cumsum_dtypes(x: DType, out: DType) -> [DType; 2] {
    // The accumulator cannot represent elements of a higher kind.
    let before = if x.kind() > out.kind() { out } else { x };
    let narrow = is_small_float(before) && compute_dtype(out) == DType::F32;
    let accumulator = match out.kind() {
        Kind::Bool => DType::Bool,
        Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        Kind::Float if narrow => DType::F32,
        Kind::Float => DType::F64,
        Kind::Complex => DType::C128,
    };
    [before, accumulator]
}

/// Adds to each element the one `inner` positions before it, within rows.
fn accumulate<E: Element>(elements: &mut [E], row: usize, inner: usize, add: impl Fn(E, E) -> E) {
    for row in elements.chunks_exact_mut(row) {
        for at in inner..row.len() {
            row[at] = add(row[at - inner], row[at]);
        }
    }
}
