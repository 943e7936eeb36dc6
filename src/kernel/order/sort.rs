//! Sorted elements.

use std::borrow::Cow;

use super::keys::{Bits, Keys};
use super::network::{SortScratch, rows_at_once, sort_rows};
use super::presorted::{is_checked, sort_rows_in_order};
use super::{SortOrder, check_order, each_piece, with_axis_back, with_axis_last};
use crate::array::{Array, ScalarBits};
use crate::error::Error;
use crate::simd::for_types;

/// Sorts the elements along an axis. Equal elements keep their order, so also -0 and +0 do.
///
/// # Errors
/// The errors of [`check_order`], [`Error::OutOfMemory`].
pub(crate) fn sort(x: &Array, axis: usize, order: SortOrder) -> Result<Array, Error> {
    check_order("sort", x, axis)?;
    if x.shape()[axis] <= 1 {
        return x.row_major().map(Cow::into_owned);
    }
    let dtype = x.dtype();
    let rows = with_axis_last(x, axis)?.bitcast(dtype.bits_dtype());
    let sorted = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        sorted_rows(&rows, &Keys::<K>::new(dtype, order)),
        _ => sorted_rows(&rows, &Keys::<u64>::new(dtype, order))
    );
    with_axis_back(sorted?.bitcast(dtype), axis)
}

/// Sorts rows of elements, given by their bits.
fn sorted_rows<K: Bits>(x: &Array, keys: &Keys<K>) -> Result<Array, Error> {
    let mut sorted = ScalarBits::new(K::ZERO).full(x.shape())?;
    let row_len = x.shape().last().copied().unwrap_or(1);
    let from: &[K] = x.as_slice().unwrap_or_default();
    each_piece(sorted.as_mut_slice()?, row_len, row_len, |first, to| {
        let from = &from[first * row_len..];
        let mut scratch = SortScratch::default();
        let group = row_len * rows_at_once(row_len);
        let checked = is_checked(group);
        for (from, to) in from.chunks(group).zip(to.chunks_mut(group)) {
            let is_tied = keys.write(from, to);
            if !(checked && sort_rows_in_order(to, row_len)) {
                sort_rows(to, row_len, 0, &mut scratch);
            }
            for (row, to) in from.chunks_exact(row_len).zip(to.chunks_exact_mut(row_len)) {
                convert_back(keys, row, to, is_tied);
            }
        }
        Ok(())
    })?;
    Ok(sorted)
}

/// Converts the sorted keys of a row to its elements. Of those that may be `is_tied`, zeros and NaN are copied from the row.
fn convert_back<K: Bits>(keys: &Keys<K>, row: &[K], to: &mut [K], is_tied: bool) {
    let ties = match is_tied {
        true => keys
            .shared()
            .map(|key| key.map(|key| (key, start_of(to, key)))),
        false => [None; 2],
    };
    keys.convert_back(to);
    for (key, start) in ties.into_iter().flatten() {
        let equal = row.iter().filter(|element| keys.key(**element) == key);
        for (to, element) in to[start..].iter_mut().zip(equal) {
            *to = *element;
        }
    }
}

/// The position of the first sorted key that is not below a key.
fn start_of<K: Ord>(sorted: &[K], key: K) -> usize {
    sorted.partition_point(|other| *other < key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An axis of one position, which leaves nothing to sort, of an array that is not contiguous.
    #[test]
    fn an_axis_of_size_one_is_copied_in_order() {
        let x = Array::from_elements(&[3.0_f32, -0.0, f32::NAN, 1.0, 0.0, 2.0], &[2, 3, 1]);
        let x = x.unwrap().permute(&[1, 0, 2]).unwrap();
        for order in [SortOrder::Ascending, SortOrder::Descending] {
            let sorted = sort(&x, 2, order).unwrap();
            assert_eq!(sorted.shape(), x.shape());
            let bits = |x: Array| {
                x.to_vec::<f32>()
                    .into_iter()
                    .map(f32::to_bits)
                    .collect::<Vec<_>>()
            };
            assert_eq!(bits(sorted), bits(x.row_major().unwrap().into_owned()));
            let positions =
                super::super::argsort("argsort", &x, 2, order, 1, crate::dtype::DType::I64);
            assert_eq!(positions.unwrap().to_vec::<i64>(), [0; 6]);
        }
    }
}
