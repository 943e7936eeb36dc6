//! In which order a reduction walks its operands.

use super::ReduceLoop;
use super::fold::SMALL_LEN;
use crate::array::{Array, Dims, PerAxis, Strides, broadcast_strides, row_major};
use crate::kernel::accumulate::SEGMENT;
use crate::kernel::drive::block::Operand;
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::drive::parallel::SendPtr;
use crate::kernel::elementwise::operand;
use crate::kernel::fused::MAX_INPUTS;
use crate::kernel::fused::run::Pointers;
use crate::kernel::reduce::{AxisSplit, in_order, is_columnwise};
use crate::simd::LANES;

/// The operands of a reduction, in the order in which it walks them.
pub(super) struct Operands {
    pub(super) operands: SendPtr<[Operand; MAX_INPUTS]>,
    pub(super) accesses: [Access; MAX_INPUTS],
    pub(super) numbers: [usize; MAX_INPUTS],
    pub(super) count: usize,
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

impl Operands {
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &Operand, &Access)> {
        let numbers = self.numbers[..self.count].iter().copied();
        let operands = self.operands.get_ref().iter().zip(&self.accesses);
        numbers
            .zip(operands)
            .map(|(number, (operand, access))| (number, operand, access))
    }

    /// Whether all operands advance by one element along rows or repeat one there.
    fn along_rows(&self) -> bool {
        let last = self.nditer.rank.saturating_sub(1);
        self.each()
            .all(|(_, _, access)| matches!(access.strides[last], 0 | 1))
    }

    /// Returns the groups of `depth` elements, if the loops can walk each along rows.
    fn groups(&self, depth: usize) -> Option<Groups> {
        let nditer = &self.nditer;
        let row = nditer.row().min(depth);
        let is_whole = nditer.row().is_multiple_of(depth);
        // Where a group has several rows, these are whole packs, one axis, and fit segments.
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
        for (number, operand, access) in self.each() {
            let offset = access.offset(&index) * operand.size.cast_signed();
            addresses[number] = operand.pointer.wrapping_offset(offset);
            repeats |= u32::from(access.strides[last] == 0) << number;
        }
        (addresses, repeats)
    }

    /// Returns the distance in bytes between elements that lie a number of elements apart along rows, or a row apart if that is
    /// the length of rows.
    pub(super) fn steps(&self, elements: usize) -> [isize; MAX_INPUTS] {
        let last = self.nditer.rank.saturating_sub(1);
        let mut steps = [0; MAX_INPUTS];
        for (number, operand, access) in self.each() {
            let stride = match last.checked_sub(1) {
                Some(outer) if elements == self.nditer.row() => access.strides[outer],
                _ => access.strides[last] * elements.cast_signed(),
            };
            steps[number] = stride * operand.size.cast_signed();
        }
        steps
    }
}

/// How the elements of an expression are reduced, with the operands in that order.
pub(super) struct Way {
    pub(super) operands: Operands,
    pub(super) walk: Walk,
}

/// The order in which elements are combined.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    /// Group by group, each along rows.
    Rows(Groups),
    /// All groups side by side, row by row.
    Columns,
    /// All elements are computed first.
    Few,
}

impl ReduceLoop<'_> {
    /// Makes `run` of the way in which the loops reduce along the axes, if they can. (Moving a way takes longer than few elements.)
    #[inline(always)]
    pub(super) fn with_way<T>(
        &self,
        shape: &Dims,
        split: &AxisSplit,
        axes: &[usize],
        run: impl FnOnce(&Way) -> T,
    ) -> Option<T> {
        let (count, depth): (usize, usize) =
            (split.kept.iter().product(), split.reduced.iter().product());
        let arrays = self.of.sources.arrays.iter().flatten();
        let largest = arrays.max_by_key(|array| array.len());
        let strides = largest.map_or_else(
            || row_major(shape),
            |array| broadcast_strides(array.shape(), Array::strides(array), shape),
        );
        // Without loops across rows there is one group.
        let has_columns = self.values.columns.is_some();
        let is_few = has_columns && count * depth <= SMALL_LEN;
        let is_columnwise = has_columns && !is_few && is_columnwise(shape, &strides, split, axes);
        let (outer, inner) = match is_columnwise {
            true => (axes, &*split.kept_axes),
            false => (&*split.kept_axes, axes),
        };
        let mut order = PerAxis::filled(0, shape.len()).ok()?;
        for (to, axis) in order.iter_mut().zip(outer.iter().chain(inner)) {
            *to = *axis;
        }
        let operands = self.operands(shape, &order);
        let walk = if is_few {
            Walk::Few
        } else if is_columnwise {
            let nditer = &operands.nditer;
            let is_one = nditer.rank <= 1 && nditer.row() == count * depth;
            let is_plain = nditer.rank == 2 && nditer.row() == count;
            let fits = count >= LANES && (is_one || is_plain) && operands.along_rows();
            fits.then_some(Walk::Columns)?
        } else {
            Walk::Rows(operands.groups(depth)?)
        };
        Some(run(&Way { operands, walk }))
    }

    /// Returns the operands along a shape, with its axes in another order. Inlined, because moving them takes longer than few elements.
    #[inline(always)]
    fn operands(&self, shape: &Dims, order: &[usize]) -> Operands {
        let none = Operand {
            pointer: core::ptr::null(),
            strides: Strides::default(),
            size: 0,
            chain: &[],
        };
        let (mut operands, mut numbers, mut count) = ([none; MAX_INPUTS], [0; MAX_INPUTS], 0);
        for (number, array) in self.of.sources.arrays.iter().enumerate() {
            if let Some(array) = array {
                let mut operand = operand(array, shape, &[]);
                operand.strides = in_order(&operand.strides, order);
                (operands[count], numbers[count]) = (operand, number);
                count += 1;
            }
        }
        let mut accesses = [Access::START; MAX_INPUTS];
        let ordered = in_order(shape, order);
        let nditer = NdIter::coalesced(&ordered, &operands[..count], &mut accesses[..count]);
        Operands {
            operands: SendPtr::new(operands),
            accesses,
            numbers,
            count,
            nditer,
        }
    }
}
