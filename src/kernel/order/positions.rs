//! Positions of elements in sorted order.

use core::marker::PhantomData;
use std::borrow::Cow;

use super::integers::{Digits, Scratch};
use super::keys::{Bits, Keys};
use super::network::{SortScratch, is_selected, rows_at_once, sort_rows};
use super::presorted::{is_checked, positions_in_order};
use super::{SortOrder, check_count, each_piece, with_axis_back, with_axis_last, with_last};
use crate::array::{Array, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast;
use crate::simd::{Body, Isa, for_level, for_types};

/// Returns the positions along an axis of the first `count` elements in sorted order, in the dtype `out`. Equal elements keep their
/// order.
///
/// # Errors
/// The errors of [`check_count`], [`Error::OutOfMemory`].
pub(crate) fn argsort(
    operation: &'static str,
    x: &Array,
    axis: usize,
    order: SortOrder,
    count: usize,
    out: DType,
) -> Result<Array, Error> {
    check_count(operation, x, axis, count)?;
    let rows = with_axis_last(x, axis)?;
    let positions = row_positions(&rows, order, count)?;
    cast(Cow::Owned(with_axis_back(positions, axis)?), out)
}

/// [`argsort`] of rows, in the dtype `i64`.
pub(super) fn row_positions(rows: &Array, order: SortOrder, count: usize) -> Result<Array, Error> {
    let dtype = rows.dtype();
    let rows = rows.clone().bitcast(dtype.bits_dtype());
    let row_len = rows.shape()[rows.rank() - 1];
    // The smaller integers, if they have room for a key and the positions.
    match (dtype.size(), row_len) {
        (1, ..=0x100_0000) => packed::<u8, u32>(&rows, &Keys::new(dtype, order), count),
        (2, ..=0x1_0000) => packed::<u16, u32>(&rows, &Keys::new(dtype, order), count),
        (size, _) => for_types!(size, K in [1 => u8, 2 => u16, 4 => u32] =>
            packed::<K, u64>(&rows, &Keys::new(dtype, order), count),
            _ => packed::<u64, u64>(&rows, &Keys::new(dtype, order), count)
        ),
    }
}

/// How the keys of a row are packed. Each becomes its distance from the least key; if there is no room for all bits of the distances, the
/// lowest ones are dropped.
#[derive(Clone, Copy)]
struct Packing<K> {
    least: K,
    /// The number of bits that are left out.
    dropped: u32,
    /// The number of bits of a position.
    position_bits: u32,
}

/// A key and its position as one integer, which is smaller if the key is, or the position of equal keys. Keys that differ only in bits
/// that are left out seem equal.
trait Packed<K>: Digits {
    /// Returns how the keys of a row are packed above positions of so many bits.
    fn packing(keys: &[K], position_bits: u32) -> Packing<K>;
    fn new(key: K, position: usize, packing: Packing<K>) -> Self;
    fn position(self, position_bits: u32) -> i64;
    /// The part of the key that this holds.
    fn key_part(self, position_bits: u32) -> Self;
}

macro_rules! packed {
    ($($packed:ident of $($key:ident)*;)*) => {$($(
        impl Packed<$key> for $packed {
            #[inline(always)]
            fn packing(keys: &[$key], position_bits: u32) -> Packing<$key> {
                let room = Self::BITS - position_bits;
                if $key::BITS <= room {
                    return Packing { least: 0, dropped: 0, position_bits };
                }
                let (mut least, mut greatest) = ($key::MAX, 0);
                for key in keys {
                    (least, greatest) = (least.min(*key), greatest.max(*key));
                }
                let range = greatest.wrapping_sub(least);
                let dropped = ($key::BITS - range.leading_zeros()).saturating_sub(room);
                Packing { least, dropped, position_bits }
            }
            #[inline(always)]
            #[allow(clippy::as_conversions, clippy::cast_possible_truncation, reason = "positions in a row have so many bits")]
            fn new(key: $key, position: usize, packing: Packing<$key>) -> Self {
                let distance = Self::from(key.wrapping_sub(packing.least) >> packing.dropped);
                distance << packing.position_bits | position as Self
            }
            #[inline(always)]
            #[allow(clippy::as_conversions, clippy::cast_possible_wrap, reason = "a position, which is below 2^63")]
            fn position(self, position_bits: u32) -> i64 {
                (self & ((1 << position_bits) - 1)) as i64
            }
            #[inline(always)]
            fn key_part(self, position_bits: u32) -> Self {
                self >> position_bits
            }
        }
    )*)*};
}

packed! { u32 of u8 u16; u64 of u8 u16 u32 u64; }

/// [`row_positions`] of elements that are given by their bits.
fn packed<K: Bits, P: Packed<K>>(
    rows: &Array,
    keys: &Keys<K>,
    count: usize,
) -> Result<Array, Error> {
    let row_len = rows.shape().last().copied().unwrap_or(1);
    let mut positions = ScalarBits::new(0_i64).full(&with_last(rows.dims(), count))?;
    if row_len <= 1 {
        return Ok(positions);
    }
    let from: &[K] = rows.as_slice().unwrap_or_default();
    let group = rows_at_once(row_len);
    let is_selected = is_selected(row_len, count);
    // All bits that the key leaves, or as many as the positions need: then the lowest bits of the key may have to give way.
    let spare = 8 * (size_of::<P>() - size_of::<K>());
    let needed = usize::BITS - (row_len - 1).leading_zeros();
    let position_bits = needed.max(u32::try_from(spare).unwrap_or_default());
    let position_digits = usize::try_from(position_bits / 8).unwrap_or_default();
    each_piece(positions.as_mut_slice()?, row_len, count, |first, to| {
        let from = from[first * row_len..].chunks(group * row_len);
        let (mut pairs_memory, mut keys_memory) = (Scratch::default(), Scratch::default());
        let all_pairs: &mut [P] = pairs_memory.try_room(group * row_len)?;
        let all_keys: &mut [K] = keys_memory.try_room(group * row_len)?;
        let mut scratch = SortScratch::default();
        let checked = is_checked(group * row_len);
        for (rows, to) in from.zip(to.chunks_mut(group * count)) {
            if checked && positions_in_order(rows, row_len, keys, to, count) {
                continue;
            }
            let mut pairs = Pairs {
                pairs: &mut all_pairs[..rows.len()],
                keys: &mut all_keys[..rows.len()],
                row_len,
                position_bits,
                is_exact: true,
                sorted: if is_selected { count } else { row_len },
                count,
                to,
            };
            keys.write(rows, pairs.keys);
            pairs.run::<false>();
            if is_selected {
                pairs.select();
            } else {
                // Keys that leave no room have so many digits that passes over them take longer than other sorts.
                let digits = if pairs.is_exact { position_digits } else { 0 };
                sort_rows(pairs.pairs, row_len, digits, &mut scratch);
            }
            pairs.run::<true>();
            if !pairs.is_exact {
                pairs.sort_equal();
                pairs.run::<true>();
            }
        }
        Ok(())
    })?;
    Ok(positions)
}

/// The keys of some rows, packed with their positions.
struct Pairs<'a, K, P> {
    pairs: &'a mut [P],
    keys: &'a mut [K],
    row_len: usize,
    position_bits: u32,
    /// Whether sorted pairs are in the order of the whole keys. Packing clears this if it drops bits, and the pass that writes positions sets
    /// it if no neighbours seem equal.
    is_exact: bool,
    /// The number of pairs at the front of each row that are sorted.
    sorted: usize,
    /// The number of positions that are written for each row.
    count: usize,
    to: &'a mut [i64],
}

impl<K: Bits, P: Packed<K>> Pairs<'_, K, P> {
    /// Packs the keys, or writes the positions of sorted pairs, by a loop for the instruction set in use.
    fn run<const SORTED: bool>(&mut self) {
        let run = for_level::<PairsLoop<K, P, SORTED>>();
        // SAFETY: the loop takes no inputs, so that none has to be readable, and its output is a `Pairs` that this function borrows for
        // writing. `for_level` selects a loop that the processor can run.
        unsafe { run(core::ptr::null(), core::ptr::from_mut(self).cast(), 1) };
    }

    #[inline(always)]
    fn pack(&mut self) {
        let rows = self.pairs.chunks_exact_mut(self.row_len);
        for (pairs, keys) in rows.zip(self.keys.chunks_exact(self.row_len)) {
            let packing = P::packing(keys, self.position_bits);
            self.is_exact &= packing.dropped == 0;
            for (at, (pair, key)) in pairs.iter_mut().zip(keys).enumerate() {
                *pair = P::new(*key, at, packing);
            }
        }
    }

    /// Writes the positions. If keys may seem equal, it looks for such neighbours.
    #[inline(always)]
    fn write_positions(&mut self) {
        let bits = self.position_bits;
        let (width, row_len) = match self.count == self.row_len {
            true => (self.to.len(), self.pairs.len()), // all rows in one loop
            false => (self.count, self.row_len),
        };
        let rows = self.pairs.chunks_exact(row_len);
        for (to, pairs) in self.to.chunks_exact_mut(width).zip(rows) {
            for (to, pair) in to.iter_mut().zip(pairs) {
                *to = pair.position(bits);
            }
        }
        if !self.is_exact {
            let mut is_equal = false;
            for (a, b) in self.pairs.iter().zip(&self.pairs[1..]) {
                is_equal |= a.key_part(bits) == b.key_part(bits);
            }
            self.is_exact = !is_equal;
        }
    }

    /// Moves the first `count` pairs of each row in sorted order to its front, and sorts them; in the order of the pairs, if keys seem
    /// equal.
    fn select(&mut self) {
        let (bits, is_exact) = (self.position_bits, self.is_exact);
        let rows = self.pairs.chunks_exact_mut(self.row_len);
        for (pairs, keys) in rows.zip(self.keys.chunks_exact(self.row_len)) {
            if is_exact {
                pairs.select_nth_unstable(self.count);
            } else {
                let of_key = |pair: &P| (key_of(keys, *pair, bits), *pair);
                pairs.select_nth_unstable_by(self.count, |a, b| {
                    let order = a.key_part(bits).cmp(&b.key_part(bits));
                    order.then_with(|| of_key(a).cmp(&of_key(b)))
                });
            }
            pairs[..self.count].sort_unstable();
        }
    }

    /// Sorts the pairs whose keys seem equal by the keys.
    #[inline(never)]
    fn sort_equal(&mut self) {
        let bits = self.position_bits;
        let rows = self.pairs.chunks_exact_mut(self.row_len);
        for (pairs, keys) in rows.zip(self.keys.chunks_exact(self.row_len)) {
            let seem_equal = |a: &P, b: &P| a.key_part(bits) == b.key_part(bits);
            for run in pairs[..self.sorted].chunk_by_mut(seem_equal) {
                run.sort_unstable_by_key(|pair| (key_of(keys, *pair, bits), *pair));
            }
        }
    }
}

/// The whole key of a pair.
fn key_of<K: Bits, P: Packed<K>>(keys: &[K], pair: P, position_bits: u32) -> K {
    let position = usize::try_from(pair.position(position_bits));
    keys[position.unwrap_or_default()]
}

/// The loop of [`Pairs::run`]. Its output is a [`Pairs`].
struct PairsLoop<K, P, const SORTED: bool>(PhantomData<(K, P)>);

impl<K: Bits, P: Packed<K>, const SORTED: bool> Body for PairsLoop<K, P, SORTED> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: `Pairs::run`, the only caller, passes the address of a `Pairs` that it borrows for writing.
        let pairs = unsafe { &mut *output.cast::<Pairs<'_, K, P>>() };
        match SORTED {
            true => pairs.write_positions(),
            false => pairs.pack(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::Element;
    use crate::simd::{SimdLevel, with_level};

    /// Compares the first positions of rows with those of a stable sort of the standard library.
    fn check<E: Element + PartialOrd>(elements: &[E], row_len: usize) {
        let x = Array::from_elements(elements, &[elements.len() / row_len, row_len]).unwrap();
        for order in [SortOrder::Ascending, SortOrder::Descending] {
            let mut expected = Vec::new();
            for row in elements.chunks_exact(row_len) {
                let mut positions: Vec<usize> = (0..row_len).collect();
                positions.sort_by(|a, b| {
                    let by_element = row[*a].partial_cmp(&row[*b]).expect("no NaN");
                    match order {
                        SortOrder::Ascending => by_element,
                        SortOrder::Descending => by_element.reverse(),
                    }
                });
                expected.push(positions);
            }
            for count in [1, row_len / 3, row_len - 1, row_len] {
                let found = argsort("argsort", &x, 1, order, count, DType::I64).unwrap();
                let expected = expected.iter().flat_map(|row| &row[..count]);
                let expected: Vec<i64> = expected.map(|at| i64::try_from(*at).unwrap()).collect();
                assert_eq!(
                    found.to_vec::<i64>(),
                    expected,
                    "{:?}, {count} of {row_len}, {order:?}",
                    E::DTYPE
                );
            }
        }
    }

    /// Numbers of 64 bits that differ only in bits for which a pair with a position has no room, beside numbers far from them.
    #[test]
    fn keys_that_seem_equal_are_sorted() {
        let number = |at: usize| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        for level in SimdLevel::ALL {
            with_level(level, || {
                for (rows, row_len) in [(17, 2), (17, 5), (17, 33), (17, 64), (2, 300), (2, 1700)] {
                    let near = (0..rows * row_len).map(|at| match number(at) % 9 {
                        0 => i64::MIN,
                        1 => i64::MAX,
                        other => {
                            i64::try_from(number(at) >> 8 & 7).unwrap()
                                + i64::try_from(other / 4).unwrap()
                        }
                    });
                    let near: Vec<i64> = near.collect();
                    check(&near, row_len);
                    // Rows of a small range and of a wide one.
                    let mixed = near
                        .iter()
                        .enumerate()
                        .map(|(at, near)| match at / row_len % 2 {
                            0 => near & 0xFF_FFFF,
                            _ => *near,
                        });
                    check(&mixed.collect::<Vec<i64>>(), row_len);
                    let floats = near.iter().map(|near| {
                        f64::from_bits(near.cast_unsigned() & 7)
                            - 0.5 * f64::from(u8::from(*near == i64::MIN))
                    });
                    check(&floats.collect::<Vec<f64>>(), row_len);
                    let all: Vec<u64> = (0..rows * row_len)
                        .map(|at| u64::try_from(number(at)).unwrap())
                        .collect();
                    check(&all, row_len);
                }
            });
        }
    }
}
