//! Iteration over strided and broadcast operands.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::block::{self, BLOCK, BlockBuffer, LONG_ROW, MAX_OPERANDS, Operand, convert};
use super::gather::{copy_axes, repeat_period};
use crate::array::strided::copy_strided;
use crate::array::{AllocError, Dims, MAX_RANK};
use crate::simd::Kernel;

/// The axes of a shape, coalesced where every operand crosses them with one stride.
pub(in crate::kernel) struct NdIter {
    pub(in crate::kernel) rank: usize,
    /// The number of elements.
    pub(in crate::kernel) total: usize,
    /// The sizes of the coalesced axes; 1 beyond the rank.
    pub(in crate::kernel) sizes: [usize; MAX_RANK],
}

/// An operand's strides along the coalesced axes.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Access {
    /// Strides in elements.
    pub(in crate::kernel) strides: [isize; MAX_RANK],
    /// `true` if the operand is row-major and contiguous as a whole.
    pub(in crate::kernel) contiguous: bool,
    /// The number of elements after which the operand repeats itself.
    pub(in crate::kernel) period: usize,
}

/// The memory in which a thread gathers and converts an operand's blocks.
pub(in crate::kernel) struct OperandBuffer {
    /// Memory for a block. It is not used if the operand is contiguous and not converted.
    pub(super) block: *mut u8,
    /// The block that is there: an identifier of its contents, and its length.
    cached: Option<(isize, usize)>,
    /// The operand's tile, if it is read by tiles.
    pub(super) tile: Option<*mut u8>,
}

impl OperandBuffer {
    pub(in crate::kernel) const fn new(block: *mut u8) -> Self {
        Self {
            block,
            cached: None,
            tile: None,
        }
    }

    /// Returns `len` copies of an element, which the loop `copies` writes ([`repeat`](crate::simd::repeat)). `contents` identifies the element:
    /// if the block still has its copies, they are not written again.
    ///
    /// # Safety
    /// The element can be read; it has the size that the loop is for. `len` is at least [`LANES`](crate::simd::LANES). The block has room
    /// for as many elements, and holds what this method left there.
    #[inline]
    pub(super) unsafe fn repeat(
        &mut self,
        element: *const u8,
        contents: isize,
        len: usize,
        copies: Kernel,
    ) -> *const u8 {
        if self.cached != Some((contents, len)) {
            // SAFETY: the caller guarantees the element and room for its copies.
            unsafe { copies(&element, self.block, len) };
            self.cached = Some((contents, len));
        }
        self.block
    }
}

impl Access {
    /// The access of an operand before [`NdIter::coalesce`] fills it in.
    pub(in crate::kernel) const START: Self = Self {
        strides: [0; MAX_RANK],
        contiguous: true,
        period: 1,
    };

    /// Returns the distance of the element at an index from the operand's first one, in elements.
    pub(in crate::kernel) fn offset(&self, index: &[usize; MAX_RANK]) -> isize {
        let parts = index.iter().zip(&self.strides);
        parts
            .map(|(index, stride)| index.cast_signed() * stride)
            .sum()
    }
}

pub(in crate::kernel) fn all_contiguous(accesses: &[Access]) -> bool {
    accesses.iter().all(|access| access.contiguous)
}

impl NdIter {
    /// An iteration before [`Self::coalesce`] fills it in.
    pub(in crate::kernel) const START: Self = Self {
        rank: 0,
        total: 0,
        sizes: [1; MAX_RANK],
    };

    /// Becomes an iteration over `shape` with coalesced axes, and fills in each operand's access, which was [`Access::START`].
    // In place: a function that returns the iteration would copy it as a whole, right after its parts were stored, which stalls: 20 ns of
    // the 340 that the sum of a matrix of 16 x 16 and a row took.
    pub(in crate::kernel) fn coalesce(
        &mut self,
        shape: &Dims,
        operands: &[Operand],
        accesses: &mut [Access],
    ) {
        *self = Self {
            total: shape.iter().product(),
            ..Self::START
        };
        for (axis, size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            let extent = size.cast_signed();
            let merges = self.rank > 0
                && operands
                    .iter()
                    .zip(accesses.iter())
                    .all(|(operand, access)| {
                        access.strides[self.rank - 1] == operand.strides[axis].wrapping_mul(extent)
                    });
            if merges {
                self.sizes[self.rank - 1] *= size;
            } else {
                self.sizes[self.rank] = *size;
                self.rank += 1;
            }
            for (operand, access) in operands.iter().zip(accesses.iter_mut()) {
                access.strides[self.rank - 1] = operand.strides[axis];
            }
        }
        let sizes = &self.sizes[..self.rank];
        for access in accesses {
            let mut inner = 1_usize;
            for (size, stride) in sizes.iter().zip(&access.strides).rev() {
                access.contiguous &= *stride == inner.cast_signed();
                inner *= size;
                if *stride != 0 {
                    access.period = inner;
                }
            }
        }
    }

    /// Returns the largest length of a part of a row, if rows are long and each operand advances by one element along them, or
    /// repeats one. Copies of a repeated element fill a block.
    pub(in crate::kernel) fn row_part(&self, accesses: &[Access]) -> Option<usize> {
        let last = self.rank.checked_sub(1)?;
        let along = |access: &Access| access.strides[last];
        let is_simple = accesses.iter().all(|access| matches!(along(access), 0 | 1));
        if self.row() < LONG_ROW || !is_simple || accesses.len() > MAX_OPERANDS {
            return None;
        }
        let repeats = accesses.iter().any(|access| along(access) == 0);
        Some(if repeats { BLOCK } else { self.row() })
    }

    /// Returns the largest length of a block, and whether a block must end with a row. A block of gathered elements has at most `most`, which
    /// must be at least [`BLOCK`].
    pub(in crate::kernel) fn block_length(
        &self,
        accesses: &[Access],
        most: usize,
    ) -> (usize, bool) {
        if all_contiguous(accesses) {
            return (BLOCK, false);
        }
        if self.row() >= LONG_ROW {
            return (BLOCK, true);
        }
        // With a whole number of periods to a block, every block of a periodic operand is the same and is gathered once. Periods are the
        // sizes of the last axes multiplied, so the longest one is a multiple of the others, and of a row.
        let periods = accesses.iter().map(|access| access.period);
        let periods = periods.filter(|period| *period <= BLOCK);
        let longest = periods.fold(self.row(), usize::max);
        (most / longest * longest, false)
    }

    /// Returns the number of elements in a row, that is along the last coalesced axis.
    pub(in crate::kernel) fn row(&self) -> usize {
        self.sizes[self.rank.saturating_sub(1)]
    }

    /// Returns the number of elements from `index` to the end of its row.
    pub(in crate::kernel) fn left_in_row(&self, index: &[usize; MAX_RANK]) -> usize {
        self.row() - index[self.rank.saturating_sub(1)]
    }

    pub(in crate::kernel) fn index_at(&self, position: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = position;
        for axis in (1..self.rank).rev() {
            index[axis] = left % self.sizes[axis];
            left /= self.sizes[axis];
        }
        // `left` is within the first axis here. A division would take longer than this whole step.
        index[0] = left;
        index
    }

    /// Returns the index with this number among the indices that are zero along `axis` and along the last axis.
    pub(in crate::kernel) fn index_without(&self, number: usize, axis: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = number;
        for at in (0..self.rank - 1).rev().filter(|at| *at != axis) {
            index[at] = left % self.sizes[at];
            left /= self.sizes[at];
        }
        index
    }

    pub(in crate::kernel) fn position_of(&self, index: &[usize; MAX_RANK]) -> usize {
        let axes = index.iter().zip(&self.sizes).take(self.rank);
        axes.fold(0, |position, (index, size)| position * size + index)
    }

    /// Returns an operand's part of a block, converted for the loop: a pointer into the operand, or the buffer's block.
    ///
    /// # Safety
    /// - Along the shape, the operand's elements can be read; its chain fits them.
    /// - `access` and `buffer` are the operand's, and the buffer is as the previous call for it left it.
    /// - The block lies within the shape and begins at `position`, whose index is `index`.
    /// - If any of it goes through scratch, the buffer has memory for it. With conversions it has at most [`BLOCK`] elements, and both of
    ///   `between` have memory for as many.
    #[inline]
    pub(in crate::kernel) unsafe fn fetch(
        &self,
        access: &Access,
        operand: &Operand,
        (position, index): (usize, &[usize; MAX_RANK]),
        len: usize,
        buffer: &mut OperandBuffer,
        between: [*mut u8; 2],
    ) -> *const u8 {
        let fetched = buffer.block;
        let offset = if access.contiguous {
            position.cast_signed()
        } else {
            access.offset(index)
        };
        let first = operand
            .pointer
            .wrapping_offset(offset * operand.size.cast_signed());
        let last_axis = self.rank.saturating_sub(1);
        let within_row = len <= self.sizes[last_axis] - index[last_axis];
        let in_place = access.contiguous || (within_row && access.strides[last_axis] == 1);
        if in_place && operand.chain.is_empty() {
            return first;
        }
        // The offset of a periodic operand's block within the period, or of a repeated element or row, identifies the
        // block's contents.
        let contents = if access.period < self.total && access.period <= BLOCK {
            Some((position % access.period).cast_signed())
        } else if within_row && access.strides[last_axis] == 0
            || self.repeats_row(access, index, len)
        {
            Some(offset)
        } else {
            None
        };
        if let (Some(contents), Some((cached, cached_len))) = (contents, buffer.cached)
            && contents == cached
            && len <= cached_len
        {
            return fetched;
        }
        // If conversions follow, gather into the memory that the first of them reads.
        let mut source = first;
        if !in_place {
            let gathered = if operand.chain.is_empty() {
                fetched
            } else {
                between[1]
            };
            // An operand repeats itself after its period.
            let fresh = len.min(access.period);
            // SAFETY: the caller guarantees that the elements of the block can be read, and that scratch has room for them.
            unsafe {
                self.gather(access, operand, first, *index, fresh, gathered);
                repeat_period(gathered, fresh * operand.size, len * operand.size);
            }
            source = gathered;
        }
        // SAFETY: `source` holds `len` elements, in the operand or gathered into `between[1]`, which `convert` allows
        // as source; the caller guarantees that the chain takes them and that scratch has room.
        source = unsafe { convert(operand.chain, source, len, fetched, between) };
        buffer.cached = contents.map(|contents| (contents, len));
        source
    }

    /// Returns whether `len` elements of an operand from `index` on are one row and copies of it.
    fn repeats_row(&self, access: &Access, index: &[usize; MAX_RANK], len: usize) -> bool {
        let last = self.rank.saturating_sub(1);
        last.checked_sub(1).is_some_and(|outer| {
            let rows = self.sizes[outer] - index[outer];
            access.strides[outer] == 0 && index[last] == 0 && len <= rows * self.row()
        })
    }

    /// Gathers an operand's part of a block, row by row.
    ///
    /// # Safety
    /// The operand's elements can be read along the shape, and the `len` elements from `index` on lie within it;
    /// `first` is the element at `index`. `to` has room for `len` elements.
    #[inline]
    unsafe fn gather(
        &self,
        access: &Access,
        operand: &Operand,
        first: *const u8,
        mut index: [usize; MAX_RANK],
        len: usize,
        to: *mut u8,
    ) {
        let strides = &access.strides;
        let last = self.rank - 1;
        let size = operand.size.cast_signed();
        let (mut from, mut done) = (first, 0);
        while done < len {
            let to = to.wrapping_add(done * operand.size);
            let left = len - done;
            // Whole rows that follow one another, or a part of one.
            let rows = match last.checked_sub(1) {
                Some(outer) if index[last] == 0 => {
                    (self.sizes[outer] - index[outer]).min(left / self.sizes[last])
                }
                _ => 0,
            };
            let axis = if rows > 0 { last - 1 } else { last };
            let steps = if rows > 0 {
                let axes = (
                    &[self.sizes[last], rows][..],
                    &[strides[last], strides[last - 1]][..],
                );
                // SAFETY: `rows` whole rows of the block are left and can be read, as the caller guarantees; `to` has room for
                // them, as they are no more than `left` elements.
                unsafe { copy_axes(operand.size, from, axes, to) };
                done += rows * self.sizes[last];
                rows
            } else {
                let run = (self.sizes[last] - index[last]).min(left);
                // SAFETY: at least `run` elements of this row are left and can be read, as the caller guarantees for the
                // whole block; `to` has room for them, as they are no more than `left`.
                unsafe { copy_strided(operand.size, from, strides[last], run, to) };
                done += run;
                run
            };
            // Advance along the axis, and to the next row of each outer axis that has come to its end.
            index[axis] += steps;
            from = from.wrapping_offset(steps.cast_signed() * strides[axis] * size);
            for axis in (1..=axis).rev() {
                if index[axis] < self.sizes[axis] {
                    break;
                }
                let whole = self.sizes[axis].cast_signed() * strides[axis];
                from = from.wrapping_offset((strides[axis - 1] - whole) * size);
                index[axis] = 0;
                index[axis - 1] += 1;
            }
        }
    }
}

/// Reads one operand with any strides, block by block. Reductions use it.
pub(in crate::kernel) struct Reader {
    nditer: NdIter,
    access: Access,
    operand: Operand,
    buffer: OperandBuffer,
    /// Three blocks: the buffer's, and two for the steps between conversions.
    scratch: Vec<BlockBuffer>,
}

impl Reader {
    /// # Errors
    /// If there is no memory.
    pub(in crate::kernel) fn new(shape: &Dims, operand: Operand) -> Result<Self, AllocError> {
        let mut access = Access::START;
        let mut scratch = block::allocate(3)?;
        let mut nditer = NdIter::START;
        nditer.coalesce(shape, &[operand], core::slice::from_mut(&mut access));
        Ok(Self {
            nditer,
            access,
            operand,
            buffer: OperandBuffer::new(scratch[0].pointer()),
            scratch,
        })
    }

    /// Returns `len` converted elements from `position` on. The next call may overwrite them.
    ///
    /// # Safety
    /// Along the shape, the operand's elements can be read; its chain fits them. `position + len` is at most the
    /// number of elements, and `len` at most [`BLOCK`].
    pub(in crate::kernel) unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        let [_, free, used] = &mut self.scratch[..] else {
            unreachable!("three blocks")
        };
        let between = [free, used].map(BlockBuffer::pointer);
        let place = (position, &self.nditer.index_at(position));
        let (access, operand, buffer) = (&self.access, &self.operand, &mut self.buffer);
        // SAFETY: the caller guarantees readable elements, a chain that fits and a block of at most `BLOCK` elements
        // within the shape; the scratch belongs to this operand alone and is written by `fetch` only.
        unsafe { (self.nditer).fetch(access, operand, place, len, buffer, between) }
    }
}
