//! Sorts of integers by vectors of AVX-512.
//!
//! ```text
//! sort(keys):
//!     if they fit a block of 32 vectors: sort them by a network
//!     pivot = the median of 32 keys
//!     divide the keys into those below the pivot and the others, a vector at a time; sort both parts
//! ```
//!
//! 1. No branch depends on a key but for the choice of the pivot. (65,536 random `u32` take 0.22 of the time of `sort_unstable`.)
//! 2. A block is sorted in registers. Its lanes are columns, which Batcher's merge sort sorts side by side by minima and maxima of whole
//!    vectors. Then neighbouring columns are merged, in four steps for 16 of them. Most comparisons of a merge are between vectors too:
//!    only those of different columns need a shuffle. At the end the block is transposed. (Rows of 256 `u32`: 0.9 ns for each key.)
//! 3. The keys of one part stay where they are, moved together, and the others go to free memory. Each part then has its keys in one of the
//!    two places and as much room in the other one, so nothing is copied back: the last step, which sorts a block, writes to the right place.
//! 4. No key is below `floor`, the pivot of the part to the left. If the pivot is that again, the keys that equal it are divided off, and
//!    are in order. So few distinct keys take few passes.
//!
//! If the pivots are so bad that the parts do not get smaller, the standard library sorts what is left.
#![allow(
    unsafe_code,
    reason = "calls a function for the processor's instruction set"
)]

use super::comparisons::each_exchange;
use super::integers::{Digits, Scratch};
use crate::simd::{Avx512, SortVector, U32x16, U64x8, first_lanes};

/// The number of vectors that are sorted in registers.
const VECTORS: usize = 16;
/// The number of keys whose median is the pivot.
const SAMPLE: usize = 32;
/// The distance in bytes at which free memory is prefetched. (It takes 0.94 of the time to sort 65,536 `u64`.)
const PREFETCHED: usize = 1024;

/// Sorts integers, if the processor has vectors for them. Returns whether it did; if not, there may be no memory for it.
pub(super) fn sort_by_vectors<T: Digits>(integers: &mut [T], scratch: &mut Scratch) -> bool {
    let Some(simd) = Avx512::in_use() else {
        return false;
    };
    match T::DIGITS {
        4 => sort_with::<U32x16, T>(simd, integers, scratch),
        8 => sort_with::<U64x8, T>(simd, integers, scratch),
        _ => false,
    }
}

fn sort_with<V: SortVector, T: Digits>(
    simd: Avx512,
    keys: &mut [T],
    scratch: &mut Scratch,
) -> bool {
    let len = keys.len();
    let free = match len <= 2 * VECTORS * V::LANES {
        true => Some(&mut [][..]),
        false => scratch.room::<T>(len),
    };
    let Some(free) = free else {
        return false;
    };
    let (keys, free) = (
        bytemuck::cast_slice_mut(keys),
        bytemuck::cast_slice_mut(free),
    );
    let floor = bytemuck::Zeroable::zeroed();
    // SAFETY: an `Avx512` exists, so the level in use is V4, which has these features.
    unsafe { quicksort::<V>(simd, keys, free, false, floor, 2 * len.max(1).ilog2()) };
    true
}

/// Sorts keys, none of which is below `floor`, in place or, if `at_free`, to the free memory. It has as many places as there are keys, if
/// these do not fit a block. After as many divisions as `depth` the standard library sorts what is left.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn quicksort<'a, V: SortVector>(
    simd: Avx512,
    mut keys: &'a mut [V::Lane],
    mut free: &'a mut [V::Lane],
    mut at_free: bool,
    mut floor: V::Lane,
    mut depth: u32,
) {
    while keys.len() > 2 * VECTORS * V::LANES {
        let step = keys.len() / SAMPLE;
        let mut sample: [_; SAMPLE] = core::array::from_fn(|at| keys[at * step + step / 2]);
        sort_block::<V>(simd, &mut sample, None);
        let mut pivot = sample[SAMPLE / 2];
        let is_floor = pivot == floor;
        if is_floor {
            pivot = V::successor(pivot).unwrap_or(pivot);
        }
        if depth == 0 || pivot == floor {
            keys.sort_unstable();
            if at_free {
                free.copy_from_slice(keys);
            }
            return;
        }
        depth -= 1;
        let stayed = divide::<V>(simd, keys, free, pivot, at_free);
        let (left, right) = keys.split_at_mut(stayed);
        let (free_left, free_right) = free.split_at_mut(right.len());
        let (lower, upper) = match at_free {
            true => ((free_left, right), (left, free_right)),
            false => ((left, free_right), (free_left, right)),
        };
        if !is_floor {
            quicksort::<V>(simd, lower.0, lower.1, false, floor, depth);
        }
        (keys, free) = upper;
        (at_free, floor) = (true, pivot);
    }
    sort_block::<V>(simd, keys, at_free.then_some(free));
}

/// Moves the keys below the pivot to the front, and the others to the front of the free memory; or the other way round, if `swapped`.
/// Returns the number of the former.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn divide<V: SortVector>(
    simd: Avx512,
    keys: &mut [V::Lane],
    free: &mut [V::Lane],
    pivot: V::Lane,
    swapped: bool,
) -> usize {
    let pivot = V::splat(simd, pivot);
    let flip = if swapped { u16::MAX } else { 0 };
    let (mut stayed, mut gone, mut at) = (0, 0, 0);
    while at + V::LANES <= keys.len() {
        simd.prefetch_to_write(
            free.as_ptr()
                .cast::<u8>()
                .wrapping_add(size_of::<V::Lane>() * gone + PREFETCHED),
        );
        let vector = V::load(simd, &keys[at..at + V::LANES]);
        let stays = (vector.less(pivot) ^ flip) & first_lanes(V::LANES);
        // Whole vectors are stored: behind the lanes that count, they overwrite only places that have been read, or are free.
        vector
            .compress(stays)
            .store(&mut keys[stayed..stayed + V::LANES]);
        vector
            .compress(!stays)
            .store(&mut free[gone..gone + V::LANES]);
        let count = ones(stays);
        (stayed, gone, at) = (stayed + count, gone + V::LANES - count, at + V::LANES);
    }
    let rest = keys.len() - at;
    let vector = V::load(simd, &keys[at..]);
    let stays = (vector.less(pivot) ^ flip) & first_lanes(rest);
    let count = ones(stays);
    vector
        .compress(stays)
        .store(&mut keys[stayed..stayed + count]);
    let goes = !stays & first_lanes(rest);
    vector
        .compress(goes)
        .store(&mut free[gone..gone + rest - count]);
    stayed + count
}

#[inline(always)]
fn ones(mask: u16) -> usize {
    usize::try_from(mask.count_ones()).unwrap_or_default()
}

/// Sorts at most `2 * VECTORS` vectors of keys, in place or to another place.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,popcnt")]
fn sort_block<V: SortVector>(simd: Avx512, keys: &mut [V::Lane], to: Option<&mut [V::Lane]>) {
    match keys.len().div_ceil(V::LANES) {
        ..=2 => sort_vectors::<V, 2>(simd, keys, to),
        3..=4 => sort_vectors::<V, 4>(simd, keys, to),
        5..=8 => sort_vectors::<V, 8>(simd, keys, to),
        9..=VECTORS => sort_vectors::<V, VECTORS>(simd, keys, to),
        _ => sort_two::<V>(simd, keys, to),
    }
}

/// Sorts at most `N` vectors of keys.
#[inline(always)]
fn sort_vectors<V: SortVector, const N: usize>(
    simd: Avx512,
    keys: &mut [V::Lane],
    to: Option<&mut [V::Lane]>,
) {
    let mut vectors = load::<V, N>(simd, keys);
    sort_by_columns(&mut vectors);
    store(&mut vectors, to.unwrap_or(keys));
}

/// Sorts more than [`VECTORS`] vectors of keys: two blocks, which are merged. (All in one block would not fit the registers: 1.4 times the
/// time.)
#[inline(always)]
fn sort_two<V: SortVector>(simd: Avx512, keys: &mut [V::Lane], to: Option<&mut [V::Lane]>) {
    let half = VECTORS * V::LANES;
    let mut first = load::<V, VECTORS>(simd, &keys[..half]);
    sort_by_columns(&mut first);
    let mut second = load::<V, VECTORS>(simd, &keys[half..]);
    sort_by_columns(&mut second);
    for at in 0..VECTORS {
        let mirrored = second[VECTORS - 1 - at];
        let mirrored = mirrored.shuffle(mirrored, |lane| V::LANES - 1 - lane);
        second[VECTORS - 1 - at] = first[at].maxima(mirrored);
        first[at] = first[at].minima(mirrored);
    }
    let (low, high) = to.unwrap_or(keys).split_at_mut(half);
    sort_bitonic(&mut first, V::LANES);
    store(&mut first, low);
    sort_bitonic(&mut second, V::LANES);
    store(&mut second, high);
}

#[inline(always)]
fn load<V: SortVector, const N: usize>(simd: Avx512, keys: &[V::Lane]) -> [V; N] {
    let mut vectors = [V::splat(simd, V::MAX); N];
    for (at, vector) in vectors.iter_mut().enumerate() {
        *vector = V::load(simd, keys.get(at * V::LANES..).unwrap_or_default());
    }
    vectors
}

/// Stores columns one after the other, as many keys as there is room for.
#[inline(always)]
fn store<V: SortVector, const N: usize>(vectors: &mut [V; N], to: &mut [V::Lane]) {
    // Interleaving both halves of the vectors rotates the bits of a key's place (vector, then lane) by one. When all bits of the vector's
    // number have moved to the end, it is the place in the lane's column.
    for _ in 0..N.ilog2() {
        let halves = *vectors;
        for pair in 0..N / 2 {
            let (a, b) = (halves[pair], halves[pair + N / 2]);
            let from_both = |lane: usize| lane / 2 + lane % 2 * V::LANES;
            vectors[2 * pair] = a.shuffle(b, from_both);
            vectors[2 * pair + 1] = a.shuffle(b, |lane| V::LANES / 2 + from_both(lane));
        }
    }
    for (at, vector) in vectors.iter().enumerate() {
        vector.store(to.get_mut(at * V::LANES..).unwrap_or_default());
    }
}

/// Sorts all keys of some vectors, of which there are at least two, a power of two: they ascend along the columns, one after the other.
#[inline(always)]
fn sort_by_columns<V: SortVector, const N: usize>(vectors: &mut [V; N]) {
    each_exchange(N, |low, high| exchange(vectors, low, high));
    let mut width = 2;
    while width <= V::LANES {
        // Of both halves of `width` columns, the last key of one is compared with the first key of the other, and so on: then all keys of
        // the first half are below those of the second one.
        let upper = lanes_with(width / 2);
        for at in 0..N / 2 {
            let (a, b) = (vectors[at], vectors[N - 1 - at]);
            let b = b.shuffle(b, |lane| lane ^ (width - 1));
            let (minima, maxima) = (a.minima(b), a.maxima(b));
            vectors[at] = minima.select(upper, maxima);
            let others = maxima.select(upper, minima);
            vectors[N - 1 - at] = others.shuffle(others, |lane| lane ^ (width - 1));
        }
        sort_bitonic(vectors, width / 2);
        width *= 2;
    }
}

/// Sorts the keys of each `width` columns, which first ascend and then descend, or the other way round.
#[inline(always)]
fn sort_bitonic<V: SortVector, const N: usize>(vectors: &mut [V; N], width: usize) {
    let mut apart = width / 2;
    while apart >= 1 {
        for vector in vectors.iter_mut() {
            let other = vector.shuffle(*vector, |lane| lane ^ apart);
            *vector = vector
                .minima(other)
                .select(lanes_with(apart), vector.maxima(other));
        }
        apart /= 2;
    }
    let mut apart = N / 2;
    while apart >= 1 {
        for at in 0..N {
            if at & apart == 0 {
                exchange(vectors, at, at + apart);
            }
        }
        apart /= 2;
    }
}

#[inline(always)]
fn exchange<V: SortVector>(vectors: &mut [V], low: usize, high: usize) {
    let (a, b) = (vectors[low], vectors[high]);
    (vectors[low], vectors[high]) = (a.minima(b), a.maxima(b));
}

/// The lanes whose number has a bit set.
#[inline(always)]
fn lanes_with(bit: usize) -> u16 {
    (0..16)
        .filter(|lane| lane & bit != 0)
        .map(|lane| 1 << lane)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts keys with so few divisions that the standard library sorts some parts, in place and to the other place.
    fn check<V: SortVector<Lane: core::fmt::Debug>>(simd: Avx512, key: impl Fn(usize) -> V::Lane) {
        for depth in 0..5 {
            for at_free in [false, true] {
                let mut keys: Vec<_> = (0..5000).map(&key).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                let mut free = vec![V::MAX; keys.len()];
                let floor = bytemuck::Zeroable::zeroed();
                // SAFETY: an `Avx512` exists, so the processor has these features.
                unsafe { quicksort::<V>(simd, &mut keys, &mut free, at_free, floor, depth) };
                assert!(
                    if at_free { free } else { keys } == expected,
                    "depth {depth}"
                );
            }
        }
    }

    #[test]
    fn parts_are_sorted_where_they_belong_at_every_depth() {
        let Some(simd) = Avx512::in_use() else {
            return;
        };
        let number = |at: usize| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        check::<U32x16>(simd, |at| u32::default().plus(number(at)));
        check::<U64x8>(simd, |at| u64::default().plus(number(at)));
        // Few values, among them the least and the greatest one.
        check::<U32x16>(simd, |at| u32::MAX.plus(number(at) % 5));
        check::<U64x8>(simd, |at| u64::MAX.plus(number(at) % 2));
        check::<U64x8>(simd, |_| u64::MAX);
    }
}
