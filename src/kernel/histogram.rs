//! Counts of elements by value: `bincount` and `histogram`.

use core::ops::BitOr;
use std::borrow::Cow;

use bytemuck::Zeroable;

use super::binary::loops::for_integer;
use super::cast::cast;
use super::order::check_real;
use crate::array::{Array, ScalarBits};
use crate::dtype::cast::cast as convert;
use crate::dtype::compute::ComputeType;
use crate::dtype::{DType, Element, Kind};
use crate::error::{Error, named};
use crate::simd::for_types;

/// Counts how often each integer from zero on occurs in a vector, up to the greatest one or to `min_len - 1`.
///
/// # Errors
/// [`Error::NotIndices`]; [`Error::RankMismatch`] if it is not a vector; [`Error::NegativeNumber`];
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn bincount(
    operation: &'static str,
    x: &Array,
    min_len: usize,
    out: DType,
) -> Result<Array, Error> {
    if !matches!(x.dtype().kind(), Kind::Signed | Kind::Unsigned) {
        return Err(Error::NotIndices {
            operation,
            found: x.dtype(),
        });
    }
    if x.rank() != 1 {
        return Err(Error::RankMismatch {
            operation,
            expected: 1,
            shape: x.shape().to_vec(),
        });
    }
    let x = x.row_major()?;
    let counts = for_integer!(x.dtype(), T => {
        counts_of::<T>(operation, x.as_slice().unwrap_or_default(), min_len)
    })?;
    cast(Cow::Owned(counts), out)
}

/// The number of tables of counts for many numbers: an increment waits for the one before if both are of one count.
const TABLES: usize = 4;
/// The number of counts in such a table, and the smallest number of numbers. A power of two.
const MAX_COUNTS: usize = 1 << 10;
const MIN_NUMBERS: usize = 1 << 12;

fn counts_of<T>(operation: &'static str, numbers: &[T], min_len: usize) -> Result<Array, Error>
where
    T: Element + ComputeType + Ord + BitOr<Output = T> + Zeroable,
{
    // Its sign is that of any negative number, and none of the others has a higher bit.
    let bits = numbers.iter().fold(T::zeroed(), |bits, x| bits | *x);
    if bits < T::zeroed()
        && let Some(position) = numbers.iter().position(|number| *number < T::zeroed())
    {
        return Err(Error::NegativeNumber {
            operation,
            number: numbers[position].to_i64(),
            position,
        });
    }
    let zeros = |len: usize| named(operation, ScalarBits::new(0_i64).full(&[len.max(min_len)]));
    if position(bits) < MAX_COUNTS && numbers.len() >= MIN_NUMBERS {
        let totals = counts_in_tables(numbers);
        let len = MAX_COUNTS - totals.iter().rev().take_while(|count| **count == 0).count();
        let mut counts = zeros(len)?;
        counts.as_mut_slice()?[..len].copy_from_slice(&totals[..len]);
        return Ok(counts);
    }
    let greatest = numbers.iter().max().copied().map(position);
    let mut counts = zeros(greatest.map_or(0, |greatest| greatest.saturating_add(1)))?;
    let slice: &mut [i64] = counts.as_mut_slice()?;
    for number in numbers {
        slice[position(*number)] += 1;
    }
    Ok(counts)
}

/// Counts numbers below [`MAX_COUNTS`].
fn counts_in_tables<T: ComputeType>(numbers: &[T]) -> [i64; MAX_COUNTS] {
    let mut tables = [[0; MAX_COUNTS]; TABLES];
    let (chunks, rest) = numbers.as_chunks::<TABLES>();
    for chunk in chunks {
        for (table, number) in tables.iter_mut().zip(chunk) {
            table[position(*number)] += 1;
        }
    }
    for number in rest {
        tables[0][position(*number)] += 1;
    }
    core::array::from_fn(|at| tables.iter().map(|table| table[at]).sum())
}

fn position<T: ComputeType>(number: T) -> usize {
    usize::try_from(number.to_u64()).unwrap_or(usize::MAX)
}

/// Returns the edges of bins of equal width, one more than there are bins. Bounds that are equal lie half a unit apart from the
/// outer edges.
///
/// # Errors
/// [`Error::Histogram`] for no bins, and for bounds that are not finite or not in ascending order; [`Error::OutOfMemory`].
pub(crate) fn bin_edges(bins: usize, low: f64, high: f64) -> Result<Array, Error> {
    let (first, last) = match low == high {
        true => (low - 0.5, high + 0.5),
        false => (low, high),
    };
    let length = last - first;
    // Not so for NaN either.
    let is_range = length.is_finite() && length >= 0.0;
    if bins == 0 || !is_range {
        return Err(Error::Histogram { bins, low, high });
    }
    let number = |number: usize| convert::<u64, f64>(u64::try_from(number).unwrap_or(u64::MAX));
    let width = length / number(bins);
    let len = bins.saturating_add(1);
    let edges = Array::from_positions(&[len], |at| match at == bins {
        true => last,
        false => first + number(at) * width,
    });
    named("histogram", edges)
}

/// Checks that each edge, of `f64`, is a number that is not below the one before it.
///
/// # Errors
/// [`Error::EdgesNotAscending`].
pub(crate) fn check_edges(operation: &'static str, edges: &Array) -> Result<(), Error> {
    let mut before = f64::NEG_INFINITY;
    for (position, edge) in edges.iter::<f64>().enumerate() {
        if edge.is_nan() || edge < before {
            return Err(Error::EdgesNotAscending {
                operation,
                position,
            });
        }
        before = edge;
    }
    Ok(())
}

/// Counts the elements in each of the bins of equal width between two bounds. A bin has its lower edge and not its upper one, except
/// the last, which has both. Other elements and NaN are not counted.
///
/// # Errors
/// The errors of [`bin_edges`], [`Error::UnsupportedDType`] of complex numbers.
pub(crate) fn histogram(
    x: &Array,
    bins: usize,
    [low, high]: [f64; 2],
    out: DType,
) -> Result<Array, Error> {
    check_real("histogram", x)?;
    let edges = bin_edges(bins, low, high)?;
    let edges: &[f64] = edges.as_slice().unwrap_or_default();
    let (first, last) = (edges[0], edges[bins]);
    let numbers = cast(Cow::Borrowed(x), DType::F64)?;
    let numbers = numbers.row_major()?;
    let numbers: &[f64] = numbers.as_slice().unwrap_or_default();
    let mut counts = ScalarBits::new(0_i64).full(&[bins])?;
    let slice: &mut [i64] = counts.as_mut_slice()?;
    let scale = convert::<u64, f64>(u64::try_from(bins).unwrap_or(u64::MAX)) / (last - first);
    for number in numbers {
        if !(first..=last).contains(number) {
            continue;
        }
        // Rounding can lead to a bin beside its own. It can lead far away if bins are narrower than the floats there are.
        let near = convert::<f64, u64>((number - first) * scale);
        let near = usize::try_from(near).unwrap_or(usize::MAX).min(bins - 1);
        let is_in =
            |bin: usize| edges[bin] <= *number && (bin + 1 == bins || *number < edges[bin + 1]);
        let bin = match is_in(near) {
            true => near,
            false => edges[1..bins].partition_point(|edge| edge <= number),
        };
        slice[bin] += 1;
    }
    cast(Cow::Owned(counts), out)
}
