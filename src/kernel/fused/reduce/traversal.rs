//! The order in which a reduction visits its operands.
#![allow(unsafe_code, reason = "room that is filled only where it is needed")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::{ALL_AXES, ReduceLoop};
use crate::array::{Array, Dims, PerAxis, broadcast_strides, row_major};
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
    /// The access of each operand; of all of them the first one if they are alike.
    accesses: [MaybeUninit<Access>; MAX_INPUTS],
    /// `true` if operands that are not contiguous must be copied before a loop can read them.
    pub(super) gathers: bool,
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
            gathers: false,
            nditer: NdIter {
                rank: 1,
                total,
                ..NdIter::START
            },
        };
        operands.nditer.sizes[0] = total;
        let access = operands.accesses[0].write(Access::START);
        access.strides[0] = 1;
        operands
    }

    /// Makes operands that broadcast to a shape, in the order of its axes.
    pub(super) fn in_order_of(sources: &'a LoopInputs<'a>, shape: &Dims) -> Self {
        let mut operands = Self::new(sources, shape.iter().product());
        operands.reorder(shape, &ALL_AXES[..shape.len()]);
        operands.gathers = true;
        operands
    }

    /// Walks the operands along a shape instead, with its axes in this order.
    #[inline(never)]
    fn reorder(&mut self, shape: &Dims, order: &[usize]) {
        let mut operands = [Operand::none(); MAX_INPUTS];
        let count = if self.sources.alike {
            operands[0].strides = row_major(shape);
            1
        } else {
            let mut numbers = [0; MAX_INPUTS];
            self.sources
                .write_operands(shape, &mut operands, &mut numbers)
        };
        for operand in &mut operands[..count] {
            operand.strides = in_order(&operand.strides, order);
        }
        let mut accesses = [Access::START; MAX_INPUTS];
        let ordered = in_order(shape, order);
        (self.nditer).coalesce(&ordered, &operands[..count], &mut accesses[..count]);
        for (to, access) in self.accesses.iter_mut().zip(&accesses[..count]) {
            to.write(*access);
        }
    }

    /// The number of each operand, the address of its first element and their size in bytes, and its access.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, (*const u8, usize), &Access)> {
        let inputs = self.sources.addresses().iter().zip(self.sources.dtypes());
        let inputs = inputs.enumerate().filter_map(|(number, (address, dtype))| {
            dtype.map(|dtype| (number, (*address, dtype.size())))
        });
        inputs.enumerate().map(|(at, (number, input))| {
            let access = &self.accesses[if self.sources.alike { 0 } else { at }];
            // SAFETY: `new` wrote the first access, and `reorder` that of each operand if they are not alike.
            (number, input, unsafe { access.assume_init_ref() })
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
        for (number, (address, size), access) in self.each() {
            let offset = access.offset(&index) * size.cast_signed();
            addresses[number] = address.wrapping_offset(offset);
            repeats |= u32::from(access.strides[last] == 0) << number;
        }
        (addresses, repeats)
    }

    /// Returns the distance in bytes between elements that lie a number of elements apart along rows, or a row apart if that is
    /// the length of rows.
    pub(super) fn steps(&self, elements: usize) -> [isize; MAX_INPUTS] {
        let last = self.nditer.rank.saturating_sub(1);
        let mut steps = [0; MAX_INPUTS];
        for (number, (_, size), access) in self.each() {
            let stride = match last.checked_sub(1) {
                Some(outer) if elements == self.nditer.row() => access.strides[outer],
                _ => access.strides[last] * elements.cast_signed(),
            };
            steps[number] = stride * size.cast_signed();
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
    /// The number of parts, each a reduction of its own in this order, which follow one another in memory.
    pub(super) parts: usize,
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
    /// Group by group, each along rows, of operands that are copied.
    GatheredRows,
}

/// Returns whether the packs of a row, of which the last one overlaps the one before it, have many more lanes than the row has elements: more
/// than a quarter. (Sums of squares of 500 rows of 33 `f32` on an Intel Xeon with AVX-512: 2.2 us, 4.1 column by column.)
fn wastes_lanes(columns: usize) -> bool {
    4 * columns.next_multiple_of(LANES) > 5 * columns
}

/// The fewest elements that are reduced by themselves, which takes as long as 200 elements.
const FEWEST_IN_PART: usize = 1 << 8;

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
        let are_short = count < LANES || is_alike && wastes_lanes(count);
        let is_best = are_short || is_alike && !self.is_cached(count * depth);
        let are_rows = has_columns && axes.iter().copied().eq(0..axes.len()) && !self.is_apart();
        if are_rows && is_best && count * depth >= LANES {
            let accumulator = self.accumulator();
            if accumulator.is_some_and(|of| ContiguousRows::are_fast(of, depth, count)) {
                let operands = match is_alike {
                    true => Operands::new(self.of.sources, count * depth),
                    false => Operands::in_order_of(self.of.sources, shape),
                };
                let order = ReduceOrder::ContiguousRows;
                return Some(run(&ReduceTraversal {
                    operands,
                    order,
                    parts: 1,
                }));
            }
        }
        if has_columns
            && !axes.starts_with(&[0])
            && let Some(traversal) = self.in_parts(shape, axes)
        {
            return Some(run(&traversal));
        }
        let is_columnwise =
            has_columns && is_columnwise(shape, &strides, split, axes, SHORT_GROUP_OF_ONE_LOOP);
        let (outer, inner) = match is_columnwise {
            true => (axes, &*split.kept_axes),
            false => (&*split.kept_axes, axes),
        };
        let ordered = |first: &[usize], then: &[usize]| {
            let mut order = PerAxis::filled(0, shape.len()).ok()?;
            for (to, axis) in order.iter_mut().zip(first.iter().chain(then)) {
                *to = *axis;
            }
            Some(order)
        };
        let order = ordered(outer, inner)?;
        let mut traversal = ReduceTraversal {
            operands: Operands::new(self.of.sources, count * depth),
            order: ReduceOrder::Columns,
            parts: 1,
        };
        let operands = &mut traversal.operands;
        if !(is_alike && order.is_sorted()) {
            operands.reorder(shape, &order);
        }
        if is_columnwise {
            let nditer = &operands.nditer;
            let is_one = nditer.rank <= 1 && nditer.row() == count * depth;
            let is_plain = nditer.rank == 2 && nditer.row() == count;
            if count >= LANES && (is_one || is_plain) && operands.along_rows() {
                return Some(run(&traversal));
            }
        } else if !(has_columns && self.prefers_computed_rows(depth))
            && let Some(groups) = operands.groups(depth)
        {
            traversal.order = ReduceOrder::Rows(groups);
            return Some(run(&traversal));
        }
        if self.copies(shape, axes) {
            return None;
        }
        // A loop computes at least a pack.
        if depth < LANES && self.computed_rows(count, depth).is_none() {
            return None;
        }
        if is_columnwise {
            operands.reorder(shape, &ordered(&split.kept_axes, axes)?);
        }
        traversal.order = ReduceOrder::GatheredRows;
        operands.gathers = true;
        Some(run(&traversal))
    }

    /// Returns the traversal of axes between others, or before others, by the loops across rows: a part for each position along the axes before
    /// them. `None` if each part has few elements, or if the operands are not contiguous along the axes after them or, if these have less than a
    /// pack, along all of a part.
    #[inline(never)]
    fn in_parts(&self, shape: &Dims, axes: &[usize]) -> Option<ReduceTraversal<'_>> {
        let (first, end) = (*axes.first()?, axes.last()? + 1);
        let sizes = |axes: Range<usize>| shape[axes].iter().product::<usize>();
        let (parts, depth, columns) = (sizes(0..first), sizes(first..end), sizes(end..shape.len()));
        if !axes.iter().copied().eq(first..end) || depth * columns < FEWEST_IN_PART {
            return None;
        }
        let is_alike = self.of.like().is_some();
        let mut operands = Operands::new(self.of.sources, parts * depth * columns);
        if !is_alike {
            operands.reorder(shape, &ALL_AXES[..shape.len()]);
        }
        let nditer = &operands.nditer;
        let row = nditer.row();
        let order = if columns >= LANES {
            let outer = nditer.rank.checked_sub(2).map(|outer| nditer.sizes[outer]);
            let are_even = match outer {
                None => is_alike,
                Some(outer) => row == columns && outer.is_multiple_of(depth),
            };
            let are_columns = are_even && operands.along_rows();
            are_columns.then_some(ReduceOrder::Columns)?
        } else {
            let accumulator = self.accumulator()?;
            let last = nditer.rank.saturating_sub(1);
            let are_contiguous = row.is_multiple_of(depth * columns)
                && operands
                    .each()
                    .all(|(_, _, access)| access.strides[last] == 1);
            let are_fast = ContiguousRows::are_fast(accumulator, depth, columns);
            (are_contiguous && are_fast).then_some(ReduceOrder::ContiguousRows)?
        };
        Some(ReduceTraversal {
            operands,
            order,
            parts,
        })
    }
}
