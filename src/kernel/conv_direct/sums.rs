//! The sums of products of a tile, which planes hold.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::ops::Range;

use super::copies::{copy, interleave};
use super::plan::{Job, MAX_PACK};
use crate::kernel::matmul::multiply_add::MultiplyAdd;
use crate::simd::{Isa, MAX_REGISTER_BYTES, lanes, load, store};

/// The largest number of filters whose sums are computed together.
pub(super) const MAX_BLOCK: usize = 8;

/// Returns whether there are registers for the sums of [`MAX_BLOCK`] filters: those of AVX-512.
const fn has_max_block<I: Isa>() -> bool {
    I::REGISTER_BYTES >= MAX_REGISTER_BYTES
}

/// The number of filters of the next block, at most `left`.
#[inline(always)]
fn block_of<I: Isa>(left: usize) -> usize {
    match left {
        MAX_BLOCK.. if const { has_max_block::<I>() } => MAX_BLOCK,
        4.. => 4,
        2.. => 2,
        _ => 1,
    }
}

/// Computes a tile of some filters of a group from the planes.
///
/// # Safety
/// The planes are those of the tile; there is room for the result, and for sums of each filter of a block in each phase of columns.
#[inline(always)]
pub(super) unsafe fn filters<I: Isa, T: MultiplyAdd>(
    job: &Job<'_, T>,
    stack: usize,
    tile: [(usize, usize); 2],
    filters: Range<usize>,
    output: *mut T,
) {
    let plan = job.plan;
    let [rows, columns] = plan.axes;
    let group = stack % plan.groups;
    // Numbers after the last row are not needed.
    let len = (tile[0].1 - 1) * plan.pitch + tile[1].1;
    let mut filter = filters.start;
    while filter < filters.end {
        let block = block_of::<I>(filters.end - filter);
        let first = (group * plan.filters + filter) * plan.offsets.len();
        for row_phase in 0..rows.phases {
            for column_phase in 0..columns.phases {
                let terms = plan.terms_of([row_phase, column_phase]);
                let sums = Sums {
                    planes: job.planes,
                    weights: &job.weights[first + terms.start..],
                    filter_len: plan.offsets.len(),
                    offsets: &plan.offsets[terms],
                    to: job
                        .sums
                        .wrapping_add(column_phase * block * plan.sums_len()),
                    sums_len: plan.sums_len(),
                };
                // SAFETY: the caller guarantees planes and room for the sums of `block` filters.
                unsafe {
                    // As many sums as half of the registers hold; a quarter if these are long, unless there are eight filters.
                    match const { I::REGISTER_BYTES / size_of::<T>() } {
                        512.. => sums.of_block::<I, 128, 64, 32>(block, len),
                        128.. => sums.of_block::<I, 64, 32, 16>(block, len),
                        64.. => sums.of_block::<I, 32, 16, 8>(block, len),
                        _ => sums.of_block::<I, 16, 8, 4>(block, len),
                    }
                }
            }
            for number in 0..block {
                let at = stack * plan.filters + filter + number;
                // Of two filters for the parts of a complex one, the numbers alternate in the result. (`parts` is 1 or 2.)
                let (at, part) = (at >> (plan.parts - 1), at & (plan.parts - 1));
                let to = output.wrapping_add(at * rows.result * columns.result * plan.parts + part);
                // SAFETY: the sums of all phases of columns were just computed, and the caller guarantees room for the result.
                unsafe { store_rows(job, [number, block], row_phase, tile, to) };
            }
        }
        filter += block;
    }
}

/// Stores the sums of a filter, `number` of a block, for a phase of rows and all phases of columns.
///
/// # Safety
/// There are sums for all positions of the tile, and `output` is the first number of the filter's result.
#[inline(always)]
unsafe fn store_rows<T: MultiplyAdd>(
    job: &Job<'_, T>,
    [number, block]: [usize; 2],
    row_phase: usize,
    [(top, height), (left, width)]: [(usize, usize); 2],
    output: *mut T,
) {
    let plan = job.plan;
    let [rows, columns] = plan.axes;
    let (present, first) = rows.results(top, height, row_phase);
    let pitch = columns.result * plan.parts;
    let (output, to_pitch) = (
        output.wrapping_add(first * pitch),
        rows.spread.wrapping_mul(pitch),
    );
    let sums = |phase: usize| {
        let filter = phase * block + number;
        let first = filter * plan.sums_len() + present.start * plan.pitch;
        job.sums.wrapping_add(first).cast_const()
    };
    let count = present.end - present.start;
    // The positions that both of two phases give. They are stored in pairs, the others of each phase on their own.
    let mut both = usize::MAX..usize::MAX;
    if columns.spread == 2 && columns.phases == 2 && plan.parts == 1 {
        let (even, at) = columns.results(left, width, 0);
        let (odd, _) = columns.results(left, width, 1);
        both = even.start.max(odd.start)..even.end.min(odd.end);
        let to = at + 2 * (both.start - even.start);
        for row in 0..count {
            // SAFETY: both phases have sums of these positions, whose places in the result follow one another.
            unsafe {
                let first = row * plan.pitch + both.start;
                let from = [sums(0).add(first), sums(1).add(first)];
                interleave(from, output.add(row * to_pitch + to), both.len());
            }
        }
    }
    for phase in 0..columns.phases {
        let (range, at) = columns.results(left, width, phase);
        let parts = [
            range.start..range.end.min(both.start),
            range.start.max(both.end)..range.end,
        ];
        for part in parts {
            if part.is_empty() {
                continue;
            }
            let to = (at + (part.start - range.start) * columns.spread) * plan.parts;
            for row in 0..count {
                // SAFETY: the filter has sums of these positions in this phase, and the result has their places, each of `parts` numbers.
                unsafe {
                    let from = sums(phase).add(row * plan.pitch + part.start);
                    let to = output.add(row * to_pitch + to);
                    copy(from, 1, to, columns.spread * plan.parts, part.len());
                }
            }
        }
    }
}

/// The sums of a block of filters for one phase.
struct Sums<'a, T> {
    planes: *const T,
    /// The position in the planes that the weight of each term is multiplied with first.
    offsets: &'a [usize],
    /// The weights of the terms, of the first filter of the block, and the distance of those of the next one.
    weights: &'a [T],
    filter_len: usize,
    /// Room for `sums_len` sums of each filter.
    to: *mut T,
    sums_len: usize,
}

impl<T: MultiplyAdd> Sums<'_, T> {
    /// Computes the first `len` sums of each of one, two, four or eight filters. `ONE`, `TWO` and `FOUR` are the numbers of elements of a
    /// pack for one, two, and four or eight filters.
    ///
    /// # Safety
    /// There are planes of the tile, weights of `filters` filters, and room for their sums.
    #[inline(always)]
    unsafe fn of_block<I: Isa, const ONE: usize, const TWO: usize, const FOUR: usize>(
        &self,
        filters: usize,
        len: usize,
    ) {
        const { assert!(ONE <= MAX_PACK) };
        // SAFETY: the caller guarantees planes, weights of these filters and room for their sums.
        unsafe {
            match filters {
                MAX_BLOCK if const { has_max_block::<I>() } => {
                    self.packs::<I, MAX_BLOCK, FOUR>(0, len);
                }
                4 => self.packs::<I, 4, FOUR>(0, len),
                2 => self.packs::<I, 2, TWO>(0, len),
                _ => {
                    let whole = len - len % ONE;
                    self.packs::<I, 1, ONE>(0, whole);
                    // One pack for the rest, no larger than it has to be: two packs would wait for two chains of additions.
                    match len - whole {
                        0 => {}
                        rest if rest <= FOUR => self.packs::<I, 1, FOUR>(whole, len),
                        rest if rest <= TWO => self.packs::<I, 1, TWO>(whole, len),
                        _ => self.packs::<I, 1, ONE>(whole, len),
                    }
                }
            }
        }
    }

    /// Computes the sums from `start` to `len` of `FILTERS` filters, a pack at a time.
    ///
    /// # Safety
    /// There are planes of the tile, weights of `FILTERS` filters, and room for their sums.
    #[inline(always)]
    unsafe fn packs<I: Isa, const FILTERS: usize, const N: usize>(&self, start: usize, len: usize) {
        let mut at = start;
        while at < len {
            let mut sums = [[T::ZERO; N]; FILTERS];
            for (term, offset) in self.offsets.iter().enumerate() {
                // SAFETY: a term of the last position lies within the planes, after which `MAX_PACK >= N` more numbers can be read. The
                // caller guarantees weights of each filter: one for each term.
                unsafe {
                    let x: [T; N] = load(self.planes.add(offset + at));
                    sums = lanes(|filter| {
                        let weight = filter * self.filter_len + term;
                        let weight = *self.weights.get_unchecked(weight);
                        let sums = sums[filter];
                        lanes(|lane| T::multiply_add::<I>(weight, x[lane], sums[lane]))
                    });
                }
            }
            for (filter, sums) in sums.into_iter().enumerate() {
                // SAFETY: `at < len`, and the caller guarantees room for `sums_len` sums of each filter: `MAX_PACK >= N` more than `len`.
                unsafe { store(self.to.add(filter * self.sums_len + at), sums) };
            }
            at += N;
        }
    }
}
