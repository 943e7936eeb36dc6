//! The memory that loops compute packs from: rows of inputs, bound values, and scratch memory.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::cell::Cell;
use core::mem::MaybeUninit;

use super::{ElementSizes, MAX_BOUND, MAX_INPUTS, Pack};
use crate::dtype::format::{Format, STAGED_PACKS};
use crate::simd::{LANES, lanes, prefetch_all};

/// The rows of elements that a loop computes. Inputs either advance along a row or repeat one element there.
pub struct LoopRows<'a> {
    /// The first element of each input, by number.
    pub(in crate::kernel) inputs: &'a [*const u8; MAX_INPUTS],
    /// The distance from each input's row to its next one, by number, in bytes.
    pub(in crate::kernel) steps: &'a [isize; MAX_INPUTS],
    /// The inputs that repeat one element along a row, one bit for each number.
    pub(in crate::kernel) repeats: u32,
    /// The address of the first result.
    pub(in crate::kernel) output: *mut u8,
    /// The number of elements in a row.
    pub(in crate::kernel) len: usize,
    /// The number of rows. Their results follow one another.
    pub(in crate::kernel) count: usize,
    /// The number of rows that are reduced together; where rows are reduced to one row, the number of lanes that
    /// take them in turn.
    pub(in crate::kernel) group: usize,
    /// Whether the output holds the result of earlier rows, with which these are combined. (Only where rows are reduced to one row.)
    pub(in crate::kernel) continues: bool,
    /// The distance, in bytes, at which a reduction along rows prefetches its inputs; zero if they stay in the caches.
    pub(in crate::kernel) ahead: usize,
    /// `true` if results are stored past the caches. Only loops that are compiled with such stores look at it.
    pub(in crate::kernel) streams: bool,
    /// The number of elements of a pack that exist: fewer than [`LANES`] where a single pack is filled up. Operations without
    /// vectors compute only these.
    pub(in crate::kernel) existing: usize,
}

impl<'a> LoopRows<'a> {
    /// Makes a single row, along which all inputs advance.
    #[inline(always)]
    pub(in crate::kernel) fn single(
        inputs: &'a [*const u8; MAX_INPUTS],
        output: *mut u8,
        len: usize,
    ) -> Self {
        Self {
            inputs,
            steps: &[0; MAX_INPUTS],
            repeats: 0,
            output,
            len,
            count: 1,
            group: 1,
            continues: false,
            ahead: 0,
            streams: false,
            existing: LANES,
        }
    }

    /// Makes a single pack, of which only some elements exist, at least one.
    #[inline(always)]
    pub(in crate::kernel) fn part(
        inputs: &'a [*const u8; MAX_INPUTS],
        output: *mut u8,
        existing: usize,
    ) -> Self {
        Self {
            existing,
            ..Self::single(inputs, output, LANES)
        }
    }

    /// Returns the distance from each input's row to the one `count` rows later, by number, in bytes.
    #[inline(always)]
    pub(super) fn steps_of(&self, count: usize) -> [isize; MAX_INPUTS] {
        self.steps.map(|step| step * count.cast_signed())
    }
}

/// The memory that a loop's packs are computed from: its inputs and its bound values.
pub struct LoopContext {
    /// The first element of each input in the current row. Of an input that repeats one element this is a pack of copies.
    pub(super) inputs: [*const u8; MAX_INPUTS],
    /// All ones for inputs that advance along the row; zero for those that repeat an element, so that the position in the
    /// pack of copies is always zero.
    pub(super) masks: [usize; MAX_INPUTS],
    /// The position of the first pack of the current run of staged packs.
    pub(super) first: usize,
    /// Memory for the bound values, which is not part of the context: else LLVM would not keep the context in registers.
    pub(super) bound: *mut PackBuffer,
    /// The number of lanes that exist, see [`LoopRows::existing`].
    pub(super) existing: usize,
    /// `true` in the loop that reduces along rows. The compiler knows it for each loop.
    pub(super) reduces_rows: bool,
    /// The lanes in which an operation has failed, each zero or one.
    pub(super) failed: Cell<[u8; LANES]>,
}

/// Memory for bound values.
pub(in crate::kernel) type BoundBuffers = MaybeUninit<[PackBuffer; MAX_BOUND]>;

impl LoopContext {
    /// Makes the context of rows that are not started yet.
    #[inline(always)]
    pub(super) fn of_rows(rows: &LoopRows<'_>, bound: &mut BoundBuffers) -> Self {
        Self {
            existing: rows.existing,
            ..Self::of_row([core::ptr::null(); MAX_INPUTS], bound)
        }
    }

    /// Makes the context of a single row, along which all inputs advance.
    #[inline(always)]
    pub(in crate::kernel) fn of_row(
        inputs: [*const u8; MAX_INPUTS],
        bound: &mut BoundBuffers,
    ) -> Self {
        Self {
            inputs,
            masks: [usize::MAX; MAX_INPUTS],
            first: 0,
            bound: bound.as_mut_ptr().cast(),
            existing: LANES,
            reduces_rows: false,
            failed: Cell::new([0; LANES]),
        }
    }

    /// Returns whether an operation has failed in any lane.
    #[inline(always)]
    pub(super) fn has_failed(&self) -> bool {
        let failed: [u64; LANES / 8] = bytemuck::cast(self.failed.get());
        failed.iter().fold(0, |all, lanes| all | lanes) != 0
    }

    /// Notes the lanes in which an operation fails.
    #[inline(always)]
    pub(super) fn fail(&self, fails: impl Fn(usize) -> bool + Copy) {
        let before = self.failed.get();
        self.failed.set(lanes(|lane| {
            before[lane] | u8::from(fails(lane) & (lane < self.existing))
        }));
    }

    /// Prefetches the elements that lie `distance` bytes after the pack at a position (of each input, by number), of inputs with
    /// elements of these sizes.
    #[inline(always)]
    pub(super) fn prefetch(
        &self,
        sizes: &ElementSizes,
        at: usize,
        distance: impl Fn(usize) -> isize,
    ) {
        for (number, size) in sizes.iter().copied().enumerate() {
            let at = at & self.masks[number];
            let pack = self.inputs[number].wrapping_add(at * size);
            prefetch_all(pack.wrapping_offset(distance(number)), LANES * size);
        }
    }

    /// Returns the number of the pack at a position within the current run. (The last pack may begin within the one before it.)
    #[inline(always)]
    #[expect(
        clippy::manual_div_ceil,
        reason = "LLVM makes no vectors of what stands before and after the branch of `div_ceil`"
    )]
    pub(super) fn number(&self, at: usize) -> usize {
        let number = (at - self.first + LANES - 1) / LANES;
        debug_assert!(number < STAGED_PACKS, "one of the staged packs");
        number
    }

    /// Returns the buffer of the bound value with this number.
    #[inline(always)]
    pub(super) fn buffer(&self, number: usize) -> *const PackBuffer {
        self.bound.wrapping_add(number)
    }
}

/// Scratch memory for a pack of any elements.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::kernel) struct PackSlot(MaybeUninit<[u8; LANES * 16]>);

/// Scratch memory for a run of staged packs.
pub struct PackBuffer(
    #[expect(dead_code, reason = "reached by its address")] [PackSlot; STAGED_PACKS],
);

impl PackBuffer {
    /// Returns the slot of the pack at a position.
    #[inline(always)]
    pub(super) fn slot<T: Format>(
        buffer: *const Self,
        from: &LoopContext,
        at: usize,
    ) -> *mut Pack<T> {
        let slots = buffer.cast::<PackSlot>().cast_mut();
        slots.wrapping_add(from.number(at)).cast()
    }
}

/// Runs the body for each pack from the first one up to the end if `$more`, else for the first one alone. If a part of a pack is left at
/// the end, the last pack begins within the one before it.
macro_rules! for_packs {
    ($at:ident in $first:expr, $end:expr, if $more:expr => $body:block) => {
        let mut $at = $first;
        loop {
            $body
            if !$more {
                break;
            }
            if $at + LANES >= $end {
                break;
            }
            $at = black_box_usize(($at + LANES).min($end - LANES));
        }
    };
}

pub(super) use for_packs;
