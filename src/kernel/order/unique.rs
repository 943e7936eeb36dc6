//! Distinct elements.

use std::borrow::Cow;

use super::keys::{Bits, Keys};
use super::positions::row_positions;
use super::{SortOrder, bits_dtype, check_real, sort};
use crate::array::alloc::vec_with_capacity;
use crate::array::{Array, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast;
use crate::simd::for_types;

/// Returns the distinct elements in ascending order, as a vector: of equal ones the first.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_values(x: &Array) -> Result<Array, Error> {
    let sorted = sorted_bits("unique", x)?;
    let (dtype, ascending) = (x.dtype(), SortOrder::Ascending);
    let values = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        first_of_runs(&sorted, &Keys::<K>::new(dtype, ascending)),
        _ => first_of_runs(&sorted, &Keys::<u64>::new(dtype, ascending))
    )?;
    Ok(values.bitcast(dtype))
}

/// Returns all elements in ascending order, as a vector of their bits.
fn sorted_bits(operation: &'static str, x: &Array) -> Result<Array, Error> {
    check_real(operation, x)?;
    let elements = x.row_major()?.reshape(&[x.len()])?;
    Ok(sort(&elements, 0, SortOrder::Ascending)?.bitcast(bits_dtype(x.dtype())))
}

/// Returns the first of each run of equal elements, which are given by their bits.
fn first_of_runs<K: Bits>(sorted: &Array, keys: &Keys<K>) -> Result<Array, Error> {
    let sorted: &[K] = sorted.as_slice().unwrap_or_default();
    let mut values: Vec<K> = vec_with_capacity(sorted.len())?;
    let runs = sorted.chunk_by(|a, b| keys.key(*a) == keys.key(*b));
    values.extend(runs.filter_map(<[K]>::first));
    Array::from_elements(&values, &[values.len()])
}

/// Returns the distinct elements as [`unique_values`] does, and how often each one occurs, in the dtype `out`. -0 equals +0, and each
/// NaN equals all others.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_counts(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    let sorted = sorted_bits("unique_counts", x)?;
    let (dtype, ascending) = (x.dtype(), SortOrder::Ascending);
    let [values, counts] = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        counted_runs(&sorted, &Keys::<K>::new(dtype, ascending)),
        _ => counted_runs(&sorted, &Keys::<u64>::new(dtype, ascending))
    )?;
    Ok([values.bitcast(dtype), cast(Cow::Owned(counts), out)?])
}

/// Returns the first of each run of equal elements, which are given by their bits, and the lengths of the runs in the dtype `i64`.
fn counted_runs<K: Bits>(sorted: &Array, keys: &Keys<K>) -> Result<[Array; 2], Error> {
    let sorted: &[K] = sorted.as_slice().unwrap_or_default();
    let mut values: Vec<K> = vec_with_capacity(sorted.len())?;
    let mut counts: Vec<i64> = vec_with_capacity(sorted.len())?;
    for run in sorted.chunk_by(|a, b| keys.key(*a) == keys.key(*b)) {
        values.extend(run.first());
        counts.push(i64::try_from(run.len()).unwrap_or(i64::MAX));
    }
    Ok([
        Array::from_elements(&values, &[values.len()])?,
        Array::from_elements(&counts, &[counts.len()])?,
    ])
}

/// Returns the distinct elements as [`unique_values`] does, and for each element of the array the position of its equal among them, in
/// the dtype `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_inverse(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    check_real("unique_inverse", x)?;
    let dtype = x.dtype();
    let elements = x.row_major()?.reshape(&[x.len()])?;
    let order = row_positions(&elements, SortOrder::Ascending, x.len())?;
    let order: &[i64] = order.as_slice().unwrap_or_default();
    let bits = elements.bitcast(bits_dtype(dtype));
    let ascending = SortOrder::Ascending;
    let [values, inverse] = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        numbered_runs(&bits, &Keys::<K>::new(dtype, ascending), order),
        _ => numbered_runs(&bits, &Keys::<u64>::new(dtype, ascending), order)
    )?;
    let inverse = cast(Cow::Owned(inverse), out)?.reshape(x.shape())?;
    Ok([values.bitcast(dtype), inverse])
}

/// Finds the runs of equal elements in sorted order: their first elements, and the number of the run of each element in the dtype `i64`.
/// Both are vectors.
fn numbered_runs<K: Bits>(
    elements: &Array,
    keys: &Keys<K>,
    order: &[i64],
) -> Result<[Array; 2], Error> {
    let elements: &[K] = elements.as_slice().unwrap_or_default();
    let mut inverse = ScalarBits::new(0_i64).full(&[elements.len()])?;
    let inverse_slice: &mut [i64] = inverse.as_mut_slice()?;
    let mut values: Vec<K> = vec_with_capacity(elements.len())?;
    let (mut previous, mut run) = (None, -1);
    for position in order {
        let position = usize::try_from(*position).unwrap_or_default();
        let element = elements[position];
        let key = Some(keys.key(element));
        if key != previous {
            previous = key;
            run += 1;
            values.push(element);
        }
        inverse_slice[position] = run;
    }
    Ok([Array::from_elements(&values, &[values.len()])?, inverse])
}
