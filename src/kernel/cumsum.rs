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
    if axis >= x.rank() {
        return Err(Error::AxisOutOfRange {
            operation: "cumsum",
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: x.rank(),
        });
    }
    // Elements that the accumulator cannot represent are cast first.
    let x = if x.dtype().kind() > out.kind() {
        cast(Cow::Borrowed(x), out)?
    } else {
        x.clone()
    };
    let narrow = is_small_float(x.dtype()) && compute_dtype(out) == DType::F32;
    let accumulator = match out.kind() {
        Kind::Bool => DType::Bool,
        Kind::Signed => DType::I64,
        Kind::Unsigned => DType::U64,
        Kind::Float if narrow => DType::F32,
        Kind::Float => DType::F64,
        Kind::Complex => DType::C128,
    };
    let mut sums = cast(Cow::Owned(x), accumulator)?;
    #[cfg(feature = "stablehlo")]
    if sums.tracer().is_some() {
        let sums = crate::stablehlo::record::cumsum(&sums, axis)?;
        return cast(Cow::Owned(sums), out);
    }
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

/// Adds to each element the one `inner` positions before it, within rows.
fn accumulate<E: Element>(elements: &mut [E], row: usize, inner: usize, add: impl Fn(E, E) -> E) {
    for row in elements.chunks_exact_mut(row) {
        for at in inner..row.len() {
            row[at] = add(row[at - inner], row[at]);
        }
    }
}
