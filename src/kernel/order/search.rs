//! Binary search in sorted rows.
//!
//! While the values ascend, the position of one is a lower bound for the position of the next. So after [`ASCENTS`] values in ascending
//! order, each search starts at the last position and doubles its step until it has passed the value. That takes a constant number of steps if
//! both vectors are about equally dense. Values in random order rarely ascend that often. Ascents are counted without a branch, because the
//! processor would mispredict it for every second value.

use std::borrow::Cow;

use super::keys::{Bits, Keys};
use super::{SortOrder, bits_dtype, check_real};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast;
use crate::simd::for_types;

/// Checks the operands of [`searchsorted`].
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers; [`Error::DTypeMismatch`] if the dtypes differ; [`Error::RankMismatch`] if the
/// sorted elements are not a vector.
pub(crate) fn check_search(sorted: &Array, values: &Array) -> Result<(), Error> {
    let operation = "searchsorted";
    check_real(operation, sorted)?;
    if sorted.dtype() != values.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: sorted.dtype(),
            found: values.dtype(),
        });
    }
    match sorted.rank() {
        1 => Ok(()),
        _ => Err(Error::RankMismatch {
            operation,
            expected: 1,
            shape: sorted.shape().to_vec(),
        }),
    }
}

/// Returns, for each value, the number of sorted elements that are smaller, or (`right`) not greater.
///
/// # Errors
/// The errors of [`check_search`], [`Error::OutOfMemory`].
pub(crate) fn searchsorted(
    sorted: &Array,
    values: &Array,
    right: bool,
    out: DType,
) -> Result<Array, Error> {
    check_search(sorted, values)?;
    let dtype = sorted.dtype();
    let bits = bits_dtype(dtype);
    let [sorted, values] = [sorted, values].map(|x| {
        let x = x.row_major().map(Cow::into_owned);
        x.map(|x| x.bitcast(bits))
    });
    let (sorted, values) = (sorted?, values?);
    let order = SortOrder::Ascending;
    let found = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        positions(&sorted, &values, &Keys::<K>::new(dtype, order), right),
        _ => positions(&sorted, &values, &Keys::<u64>::new(dtype, order), right)
    );
    cast(Cow::Owned(found?), out)
}

/// [`searchsorted`] of elements that are given by their bits, in the dtype `i64`.
fn positions<K: Bits>(
    sorted: &Array,
    values: &Array,
    keys: &Keys<K>,
    right: bool,
) -> Result<Array, Error> {
    let sorted: &[K] = sorted.as_slice().unwrap_or_default();
    let from: &[K] = values.as_slice().unwrap_or_default();
    let (mut last, mut position, mut ascents) = (K::MAX, 0, 0);
    Array::from_positions(values.shape(), |at| {
        let value = keys.key(from[at]);
        let is_before = |element: &K| {
            let key = keys.key(*element);
            key < value || right && key == value
        };
        ascents = (ascents + 1) * usize::from(last <= value);
        last = value;
        position = match ascents >= ASCENTS {
            true => search_from(position, sorted, is_before),
            false => sorted.partition_point(is_before),
        };
        i64::try_from(position).unwrap_or(i64::MAX)
    })
}

/// Returns the number of elements that are before a value, of which there are at least `low`.
fn search_from<K>(mut low: usize, sorted: &[K], is_before: impl Fn(&K) -> bool) -> usize {
    let (mut high, mut step) = (sorted.len(), 1);
    while let Some(element) = sorted.get(low + step - 1) {
        if !is_before(element) {
            high = low + step - 1;
            break;
        }
        low += step;
        step *= 2;
    }
    low + sorted[low..high].partition_point(is_before)
}

/// The number of ascents between neighbouring values after which a search starts at the position of the value before.
const ASCENTS: usize = 8;
