//! Distinct elements.

use std::borrow::Cow;

use super::distinct::few_distinct;
use super::keys::{Bits, Keys};
use super::positions::row_positions;
use super::presorted::ascends;
use super::{SortOrder, check_real, sort};
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
    let (values, _) = distinct("unique", x, false)?;
    Ok(values)
}

/// Returns the distinct elements as [`unique_values`] does, and how often each one occurs, in the dtype `out`. -0 equals +0, and each
/// NaN equals all others.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_counts(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    let (values, counts) = distinct("unique_counts", x, true)?;
    Ok([values, cast(Cow::Owned(counts), out)?])
}

/// Returns the distinct elements; and how often each one occurs in the dtype `i64`, or nothing if that is not asked for.
fn distinct(operation: &'static str, x: &Array, counts: bool) -> Result<(Array, Array), Error> {
    check_real(operation, x)?;
    let dtype = x.dtype();
    let elements = x.row_major()?.reshape(&[x.len()])?;
    let (values, counts) = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        distinct_bits::<K>(&elements, counts),
        _ => distinct_bits::<u64>(&elements, counts)
    )?;
    Ok((values.bitcast(dtype), counts))
}

/// [`distinct`] elements of a vector, by their bits.
fn distinct_bits<K: Bits>(x: &Array, counts: bool) -> Result<(Array, Array), Error> {
    let keys = Keys::<K>::new(x.dtype(), SortOrder::Ascending);
    let bits = x.clone().bitcast(x.dtype().bits_dtype());
    let elements: &[K] = bits.as_slice().unwrap_or_default();
    if ascends(elements, &keys) {
        return runs(elements, &keys, counts);
    }
    let found = match K::DIGITS {
        1 => None, // sorted by counts of their values
        _ => few_distinct(elements, &keys, |_, _| {}),
    };
    if let Some(found) = found {
        let mut values: Vec<K> = vec_with_capacity(found.len())?;
        let mut lengths: Vec<i64> = vec_with_capacity(found.len())?;
        values.extend(found.iter().map(|one| one.element));
        lengths.extend(found.iter().map(|one| one.count));
        return vectors(&values, &lengths);
    }
    let sorted = sort(x, 0, SortOrder::Ascending)?.bitcast(bits.dtype());
    runs(sorted.as_slice().unwrap_or_default(), &keys, counts)
}

/// Returns the first element of each run of equal elements. If `counts`, it also returns the length of each run, as `i64`.
fn runs<K: Bits>(sorted: &[K], keys: &Keys<K>, counts: bool) -> Result<(Array, Array), Error> {
    let mut values: Vec<K> = vec_with_capacity(sorted.len())?;
    let mut lengths: Vec<i64> = vec_with_capacity(if counts { sorted.len() } else { 0 })?;
    for run in sorted.chunk_by(|a, b| keys.key(*a) == keys.key(*b)) {
        values.extend(run.first());
        lengths.extend(counts.then(|| i64::try_from(run.len()).unwrap_or(i64::MAX)));
    }
    vectors(&values, &lengths)
}

fn vectors<K: Bits>(values: &[K], counts: &[i64]) -> Result<(Array, Array), Error> {
    let values = Array::from_elements(values, &[values.len()])?;
    Ok((values, Array::from_elements(counts, &[counts.len()])?))
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
    let [values, inverse] = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        numbered_elements::<K>(&elements),
        _ => numbered_elements::<u64>(&elements)
    )?;
    let inverse = cast(Cow::Owned(inverse), out)?.reshape(x.shape())?;
    Ok([values.bitcast(dtype), inverse])
}

/// Returns the distinct elements as [`unique_values`] does, and the position of the first occurrence of each in row-major order, in the
/// dtype `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_index(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    check_real("unique_index", x)?;
    let dtype = x.dtype();
    let elements = x.row_major()?.reshape(&[x.len()])?;
    let [values, first] = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        first_elements::<K>(&elements),
        _ => first_elements::<u64>(&elements)
    )?;
    Ok([values.bitcast(dtype), cast(Cow::Owned(first), out)?])
}

/// Finds the distinct elements of a vector, by their bits, and the position of the first one of each in the dtype `i64`.
fn first_elements<K: Bits>(x: &Array) -> Result<[Array; 2], Error> {
    let keys = Keys::<K>::new(x.dtype(), SortOrder::Ascending);
    let bits = x.clone().bitcast(x.dtype().bits_dtype());
    let elements: &[K] = bits.as_slice().unwrap_or_default();
    if ascends(elements, &keys) {
        let (values, mut first) = runs(elements, &keys, true)?;
        let mut start: i64 = 0;
        for first in first.as_mut_slice()? {
            start += core::mem::replace(first, start);
        }
        return Ok([values, first]);
    }
    // Equal elements keep their order, so each run begins with its first one.
    let order = row_positions(x, SortOrder::Ascending, x.len())?;
    let order: &[i64] = order.as_slice().unwrap_or_default();
    let element = |position: i64| elements[usize::try_from(position).unwrap_or_default()];
    let mut values: Vec<K> = vec_with_capacity(order.len())?;
    let mut first: Vec<i64> = vec_with_capacity(order.len())?;
    for run in order.chunk_by(|a, b| keys.key(element(*a)) == keys.key(element(*b))) {
        values.push(element(run[0]));
        first.push(run[0]);
    }
    let (values, first) = vectors(&values, &first)?;
    Ok([values, first])
}

/// Finds the distinct elements of a vector, by their bits, and for each element the position of its equal among them in the dtype `i64`.
fn numbered_elements<K: Bits>(x: &Array) -> Result<[Array; 2], Error> {
    let keys = Keys::<K>::new(x.dtype(), SortOrder::Ascending);
    let bits = x.clone().bitcast(x.dtype().bits_dtype());
    let elements: &[K] = bits.as_slice().unwrap_or_default();
    let mut inverse = ScalarBits::new(0_i64).full(&[elements.len()])?;
    let positions: &mut [i64] = inverse.as_mut_slice()?;
    let as_position = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
    if ascends(elements, &keys) {
        let mut rest = positions;
        for (number, run) in (0..).zip(elements.chunk_by(|a, b| keys.key(*a) == keys.key(*b))) {
            let (equal, later) = rest.split_at_mut(run.len());
            equal.fill(number);
            rest = later;
        }
        let (values, _) = runs(elements, &keys, false)?;
        return Ok([values, inverse]);
    }
    let found = few_distinct(elements, &keys, |at, found| {
        positions[at] = as_position(found);
    });
    if let Some(distinct) = found {
        let mut ranks: Vec<i64> = vec_with_capacity(distinct.len())?;
        ranks.resize(distinct.len(), 0);
        for (rank, one) in distinct.iter().enumerate() {
            ranks[one.found] = as_position(rank);
        }
        for position in positions {
            *position = ranks[usize::try_from(*position).unwrap_or_default()];
        }
        let mut values: Vec<K> = vec_with_capacity(distinct.len())?;
        values.extend(distinct.iter().map(|one| one.element));
        return Ok([Array::from_elements(&values, &[values.len()])?, inverse]);
    }
    let order = row_positions(x, SortOrder::Ascending, x.len())?;
    let order: &[i64] = order.as_slice().unwrap_or_default();
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
        positions[position] = run;
    }
    Ok([Array::from_elements(&values, &[values.len()])?, inverse])
}
