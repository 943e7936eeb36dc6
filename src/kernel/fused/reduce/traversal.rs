//! The order in which a reduction visits its operands.
#![allow(unsafe_code, reason = "room that is filled only where it is needed")]

use core::mem::MaybeUninit;

use super::ReduceLoop;
use crate::array::{Array, Dims, MAX_RANK, PerAxis, broadcast_strides, row_major};
use crate::kernel::accumulate::{CACHED_BYTES, ContiguousRows, SEGMENT};
use crate::kernel::drive::block::Operand;
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::fused::inputs::Pointers;
use crate::kernel::fused::{LoopInputs, MAX_INPUTS};
use crate::kernel::reduce::plan::{AxisSplit, SHORT_GROUP_OF_ONE_LOOP, is_columnwise};
use crate::kernel::reduce::source::in_order;
use crate::simd::{LANES, prefetch_distance};

/// The operands of a reduction, in the order in which it visits them.
pub(super) struct Operands<'a> {
    sources: &'a LoopInputs<'a>,
    /// The access of each operand; of all of them the first one if they are `alike`.
    accesses: [MaybeUninit<Access>; MAX_INPUTS],
    alike: bool,
    pub(super) nditer: NdIter,
}

/// The elements of each group along rows.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    /// The number of elements in a group.
    pub(super) depth: usize,
    /// The length of the rows that make up a group.
    pub(super) row: usize,
}

impl<'a> Operands<'a> {
    /// Makes operands whose axes coalesce to one: row-major arrays of `total` elements, in their order.
    #[inline(always)]
    fn new(sources: &'a LoopInputs<'a>, total: usize) -> Self {
        let mut operands = Self {
            sources,
            accesses: [const { MaybeUninit::uninit() }; MAX_INPUTS],
            alike: true,
            nditer: NdIter {
                rank: 1,
                total,
                sizes: [1; MAX_RANK],
            },
        };
        operands.nditer.sizes[0] = total;
        let access = operands.accesses[0].write(Access::START);
        access.strides[0] = 1;
        operands
    }

    /// Walks the operands along a shape instead, with its axes in another order.
    #[inline(never)]
    fn reorder(&mut self, shape: &Dims, order: &[usize]) {
        let mut operands = [Operand::none(); MAX_INPUTS];
        let (_, count) = self.sources.write_operands(shape, &mut operands);
        for operand in &mut operands[..count] {
            operand.strides = in_order(&operand.strides, order);
        }
        let mut accesses = [Access::START; MAX_INPUTS];
        let ordered = in_order(shape, order);
        self.nditer = NdIter::coalesced(&ordered, &operands[..count], &mut accesses[..count]);
        self.accesses = accesses.map(MaybeUninit::new);
        self.alike = false;
    }

    /// The number of each operand, its array and its access.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &Array, &Access)> {
        let arrays = self.sources.arrays.iter().enumerate();
        let arrays = arrays.filter_map(|(number, array)| array.map(|array| (number, array)));
        arrays.enumerate().map(|(at, (number, array))| {
            let access = &self.accesses[if self.alike { 0 } else { at }];
            // SAFETY: `new` wrote the first access, and `reorder` that of each operand if they are not alike.
            (number, array, unsafe { access.assume_init_ref() })
        })
    }

    /// Returns whether each operand, along a row, reads consecutive elements or repeats a single one.
    fn along_rows(&self) -> bool {
        let last = self.nditer.rank.saturating_sub(1);
        self.each()
            .all(|(_, _, access)| matches!(access.strides[last], 0 | 1))
    }

    /// Returns the groups of `depth` elements, if the loops can reduce each along rows.
    fn groups(&self, depth: usize) -> Option<Groups> {
        let nditer = &self.nditer;
        let row = nditer.row().min(depth);
        let is_whole = nditer.row().is_multiple_of(depth);
        // If a group has several rows, they are whole packs along one axis, and fit segments.
        let outer = nditer
            .rank
            .checked_sub(2)
            .map_or(1, |outer| nditer.sizes[outer]);
        let fits = depth.is_multiple_of(row)
            && row.is_multiple_of(LANES)
            && outer.is_multiple_of(depth / row)
            && (depth <= SEGMENT || SEGMENT.is_multiple_of(row) || row.is_multiple_of(SEGMENT));
        ((is_whole || fits) && self.along_rows()).then_some(Groups { depth, row })
    }

    /// Returns the addresses of the elements at a position, and the inputs that repeat one along rows.
    pub(super) fn at(&self, position: usize) -> (Pointers, u32) {
        let index = self.nditer.index_at(position);
        let last = self.nditer.rank.saturating_sub(1);
        let (mut addresses, mut repeats): (Pointers, u32) = ([core::ptr::null(); MAX_INPUTS], 0);
        for (number, array, access) in self.each() {
            let offset = access.offset(&index) * array.dtype().size().cast_signed();
            addresses[number] = array.as_ptr().wrapping_offset(offset);
            repeats |= u32::from(access.strides[last] == 0) << number;
        }
        (addresses, repeats)
    }

    /// Returns the distance in bytes between elements that lie a number of elements apart along rows, or a row apart if that is
    /// the length of rows.
    pub(super) fn steps(&self, elements: usize) -> [isize; MAX_INPUTS] {
        let last = self.nditer.rank.saturating_sub(1);
        let mut steps = [0; MAX_INPUTS];
        for (number, array, access) in self.each() {
            let stride = match last.checked_sub(1) {
                Some(outer) if elements == self.nditer.row() => access.strides[outer],
                _ => access.strides[last] * elements.cast_signed(),
            };
            steps[number] = stride * array.dtype().size().cast_signed();
        }
        steps
    }
}

/// The distance at which most processors prefetch a single input, in bytes. (The mean of 16 million `f32` takes 0.072 ns an element, 0.083 at
/// 6 KiB, and 0.105 without: AMD EPYC of family 26.)
const FAR_OF_ONE: usize = 12 << 10;
/// The distance at which they prefetch several inputs, in bytes, all together. (The sum of products of two vectors of 16 million `f32`
/// takes 0.19 ns an element, 0.20 without and at 12 KiB.)
const FAR_OF_SEVERAL: usize = 8 << 10;

/// The order in which the elements of an expression are reduced, with the operands in that order.
pub(super) struct ReduceTraversal<'a> {
    pub(super) operands: Operands<'a>,
    pub(super) order: ReduceOrder,
}

/// The order in which elements are combined.
#[derive(Clone, Copy)]
pub(super) enum ReduceOrder {
    /// Group by group, each along rows.
    Rows(Groups),
    /// All groups side by side, row by row.
    Columns,
    /// All groups side by side, in the order of memory.
    ContiguousRows,
}

impl ReduceLoop<'_> {
    /// Returns whether `total` elements of each input stay in the caches.
    pub(super) fn is_cached(&self, total: usize) -> bool {
        total * self.of.sources.size <= CACHED_BYTES
    }

    /// The distance, in bytes, at which inputs of `total` elements are prefetched along rows: zero if they stay in the caches.
    pub(super) fn prefetch_distance(&self, total: usize) -> usize {
        if self.is_cached(total) {
            return 0;
        }
        prefetch_distance(match self.of.sources.dtypes().iter().flatten().count() {
            0 | 1 => FAR_OF_ONE,
            inputs => FAR_OF_SEVERAL / inputs,
        })
    }

    /// Calls `run` with the traversal by which the loops reduce along the axes, if they can. (Moving a traversal takes longer than reducing
    /// few elements, so it stays where it is made.)
    #[inline(always)]
    pub(super) fn with_traversal<T>(
        &self,
        shape: &Dims,
        split: &AxisSplit,
        axes: &[usize],
        run: impl FnOnce(&ReduceTraversal<'_>) -> T,
    ) -> Option<T> {
        let (count, depth): (usize, usize) =
            (split.kept.iter().product(), split.reduced.iter().product());
        let is_alike = self.of.like().is_some();
        let strides = if is_alike {
            row_major(shape)
        } else {
            let arrays = self.of.sources.arrays.iter().flatten();
            let largest = arrays.max_by_key(|array| array.len());
            largest.map_or_else(
                || row_major(shape),
                |array| broadcast_strides(array.shape(), Array::strides(array), shape),
            )
        };
        // Without loops across rows there is one group.
        let has_columns = self.values.columns.is_some();
        // Inputs that stay in the caches are reduced column by column, so that results stay in registers, unless rows are too short.
        let are_rows = is_alike && axes.iter().copied().eq(0..axes.len());
        let is_best = count < LANES || !self.is_cached(count * depth);
        if has_columns && are_rows && is_best && count * depth >= LANES {
            let accumulator = self.accumulator();
            if accumulator.is_some_and(|of| ContiguousRows::are_fast(of, depth, count)) {
                let operands = Operands::new(self.of.sources, count * depth);
                let order = ReduceOrder::ContiguousRows;
                return Some(run(&ReduceTraversal { operands, order }));
            }
        }
        let is_columnwise =
            has_columns && is_columnwise(shape, &strides, split, axes, SHORT_GROUP_OF_ONE_LOOP);
        let (outer, inner) = match is_columnwise {
            true => (axes, &*split.kept_axes),
            false => (&*split.kept_axes, axes),
        };
        let mut order = PerAxis::filled(0, shape.len()).ok()?;
        for (to, axis) in order.iter_mut().zip(outer.iter().chain(inner)) {
            *to = *axis;
        }
        let mut traversal = ReduceTraversal {
            operands: Operands::new(self.of.sources, count * depth),
            order: ReduceOrder::Columns,
        };
        let operands = &mut traversal.operands;
        if !(is_alike && order.is_sorted()) {
            operands.reorder(shape, &order);
        }
        if is_columnwise {
            let nditer = &operands.nditer;
            let is_one = nditer.rank <= 1 && nditer.row() == count * depth;
            let is_plain = nditer.rank == 2 && nditer.row() == count;
            let fits = count >= LANES && (is_one || is_plain) && operands.along_rows();
            if !fits {
                return None;
            }
        } else {
            traversal.order = ReduceOrder::Rows(operands.groups(depth)?);
        }
        Some(run(&traversal))
    }
}
