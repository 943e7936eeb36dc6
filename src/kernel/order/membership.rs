//! Membership of elements of 8 and 16 bits, by a table with a bit for each of their patterns; and of integers among values of a small
//! range, by a table with a bit for each integer of the range.
//!
//! The bit of each value's pattern is set. If a zero is among the values, so is the bit of the other zero. That of a NaN is never set,
//! because NaN equals nothing. The table of 16 bits has 8 KB, so that it stays in the L1 cache. (100,000 `u16` among 50: 0.06 ms, by a
//! search 0.8.)

use super::SortOrder;
use super::keys::{Bits, Keys};
use super::radix::range_of;
use crate::array::Array;
use crate::dtype::Kind;
use crate::error::Error;

/// The number of words of a table of patterns of 16 bits.
const WORDS: usize = 1 << 10;

/// Returns where an element equals one of the values, which have its dtype; there is at least one. `None` if the dtype has more than 16
/// bits, and is one of floats or the range of the values is too large for a table.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn is_in_table(x: &Array, values: &Array) -> Result<Option<Array>, Error> {
    debug_assert_eq!(x.dtype(), values.dtype());
    match x.dtype().size() {
        1 => looked_up::<u8>(x, values).map(Some),
        2 => looked_up::<u16>(x, values).map(Some),
        _ if x.dtype().kind() == Kind::Float => Ok(None),
        4 => looked_up_in_range::<u32>(x, values),
        _ => looked_up_in_range::<u64>(x, values),
    }
}

/// [`is_in_table`] of integers with the bits of `K`. `None` if the range of the values is too large for a table.
fn looked_up_in_range<K: Bits>(x: &Array, values: &Array) -> Result<Option<Array>, Error> {
    let (dtype, bits) = (x.dtype(), x.dtype().bits_dtype());
    let keys = Keys::<K>::new(dtype, SortOrder::Ascending);
    let values = values.row_major()?.into_owned().bitcast(bits);
    let values: &[K] = values.as_slice().unwrap_or_default();
    let values = values.iter().map(|value| keys.key(*value));
    let (least, range) = range_of(values.clone());
    if range >= 64 * WORDS {
        return Ok(None);
    }
    let mut table = [0_u64; WORDS];
    for value in values {
        let place = value.above(least);
        table[place / 64] |= 1 << (place % 64);
    }
    let x = x.row_major()?.into_owned().bitcast(bits);
    let elements: &[K] = x.as_slice().unwrap_or_default();
    let found = Array::from_positions(x.shape(), |at| {
        let place = keys.key(elements[at]).above(least);
        let word = table.get(place / 64).copied().unwrap_or_default();
        word >> (place % 64) & 1 == 1
    });
    found.map(Some)
}

/// [`is_in_table`] of elements with the bits of `K`.
fn looked_up<K: Bits>(x: &Array, values: &Array) -> Result<Array, Error> {
    let (dtype, bits) = (x.dtype(), x.dtype().bits_dtype());
    let keys = Keys::<K>::new(dtype, SortOrder::Ascending);
    let [x, values] = [x, values].map(Array::row_major);
    let (x, values) = (
        x?.into_owned().bitcast(bits),
        values?.into_owned().bitcast(bits),
    );
    let mut table = [0_u64; WORDS];
    let mut add = |pattern: K| table[pattern.index() / 64] |= 1 << (pattern.index() % 64);
    let (nan, zero) = (keys.nan(), keys.key(K::ZERO));
    let values: &[K] = values.as_slice().unwrap_or_default();
    for value in values {
        let key = keys.key(*value);
        if Some(key) == nan {
            continue;
        }
        add(*value);
        if key == zero {
            // The dtype may have two zeros.
            [K::ZERO, K::SIGN]
                .into_iter()
                .filter(|pattern| keys.key(*pattern) == zero)
                .for_each(&mut add);
        }
    }
    let elements: &[K] = x.as_slice().unwrap_or_default();
    Array::from_positions(x.shape(), |at| {
        let pattern = elements[at].index();
        table[pattern / 64] >> (pattern % 64) & 1 == 1
    })
}
