//! Distinct elements.

use std::borrow::Cow;

use super::distinct::few_distinct;
use super::keys::{Bits, Keys};
use super::positions::row_positions;
use super::presorted::ascends;
use super::{SortOrder, check_real, sort};
use crate::array::alloc::{AllocError, vec_filled, vec_with_capacity};
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
        return counted(elements, &keys, counts);
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
    counted(sorted.as_slice().unwrap_or_default(), &keys, counts)
}

/// Returns the distinct elements of a sorted slice. If `counts`, it also returns how often each one occurs.
fn counted<K: Bits>(sorted: &[K], keys: &Keys<K>, counts: bool) -> Result<(Array, Array), Error> {
    let (values, mut lengths) = runs(sorted, keys, counts)?;
    as_lengths(&mut lengths, sorted.len());
    vectors(&values, &lengths)
}

/// Returns the first element of each run of equal elements. If `starts`, it also returns the position of each, as `i64`.
///
/// Each element is written where the next run belongs, and the next element overwrites it if it begins no run. So no branch depends on the
/// elements. (Distinct `f64`: 0.2 of the time.)
fn runs<K: Bits>(
    sorted: &[K],
    keys: &Keys<K>,
    starts: bool,
) -> Result<(Vec<K>, Vec<i64>), AllocError> {
    // At first the keys, which are replaced by the elements of the runs before them.
    let mut found = vec_filled(K::ZERO, sorted.len())?;
    keys.write(sorted, &mut found);
    let mut positions = vec_filled(0_i64, if starts { sorted.len() } else { 0 })?;
    let mut count = 0;
    // Differs from the first key.
    let mut previous = found.first().map_or(K::ZERO, |key| key.flip(K::MAX));
    for (at, (element, position)) in sorted.iter().zip(0..).enumerate() {
        let key = found[at];
        found[count] = *element;
        if starts {
            positions[count] = position;
        }
        count += usize::from(key != previous);
        previous = key;
    }
    found.truncate(count);
    positions.truncate(count);
    Ok((found, positions))
}

/// Replaces the positions at which runs start by the lengths of the runs, which have `len` elements together.
fn as_lengths(starts: &mut [i64], len: usize) {
    let mut end = i64::try_from(len).unwrap_or(i64::MAX);
    for start in starts.iter_mut().rev() {
        let length = end - *start;
        end = core::mem::replace(start, length);
    }
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
        let (values, first) = runs(elements, &keys, true)?;
        let (values, first) = vectors(&values, &first)?;
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
        return Ok([Array::from_elements(&values, &[values.len()])?, inverse]);
    }
    let found = few_distinct(elements, &keys, |at, found| {
        positions[at] = as_position(found);
    });
    if let Some(distinct) = found {
        let mut ranks = vec_filled(0_i64, distinct.len())?;
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
