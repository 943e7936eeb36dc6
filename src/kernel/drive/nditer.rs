//! The way through operands that lie otherwise than the output, or broadcast to it.
#![allow(unsafe_code, reason = "walks raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::{
    self, BLOCK, BlockBuffer, LONG_ROW, MAX_OPERANDS, Operand, Output, Scratch, convert,
};
use super::nontemporal::{PrefetchSet, StreamingWriter};
use crate::array::strided::copy_strided;
use crate::array::{AllocError, Dims, MAX_RANK};

/// The dimensions of a shape, coalesced where all operands walk them as one.
pub(in crate::kernel) struct NdIter {
    pub(in crate::kernel) rank: usize,
    /// The number of elements.
    pub(in crate::kernel) total: usize,
    pub(in crate::kernel) sizes: [usize; MAX_RANK],
}

/// An operand's way through the coalesced dimensions.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Access {
    pub(in crate::kernel) strides: [isize; MAX_RANK],
    /// Whether the operand is row-major as a whole.
    pub(in crate::kernel) contiguous: bool,
    /// After how many elements it repeats itself.
    pub(in crate::kernel) period: usize,
    /// Where the block that lies in its scratch began, and how long it is.
    cached: Option<(isize, usize)>,
}

impl Access {
    /// Of an operand that [`NdIter::coalesced`] has yet to see.
    pub(in crate::kernel) const START: Self = Self {
        strides: [0; MAX_RANK],
        contiguous: true,
        period: 1,
        cached: None,
    };

    /// Where the element at an index lies, in elements.
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
    /// Writes each operand's way, which was [`Access::START`].
    pub(in crate::kernel) fn coalesced(
        shape: &Dims,
        operands: &[Operand],
        accesses: &mut [Access],
    ) -> Self {
        let mut nditer = Self {
            rank: 0,
            total: shape.iter().product(),
            sizes: [1; MAX_RANK],
        };
        for (axis, size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            let extent = size.cast_signed();
            let merges = nditer.rank > 0
                && operands
                    .iter()
                    .zip(accesses.iter())
                    .all(|(operand, access)| {
                        access.strides[nditer.rank - 1]
                            == operand.strides[axis].wrapping_mul(extent)
                    });
            if merges {
                nditer.sizes[nditer.rank - 1] *= size;
            } else {
                nditer.sizes[nditer.rank] = *size;
                nditer.rank += 1;
            }
            for (operand, access) in operands.iter().zip(accesses.iter_mut()) {
                access.strides[nditer.rank - 1] = operand.strides[axis];
            }
        }
        let sizes = &nditer.sizes[..nditer.rank];
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
        nditer
    }

    /// How many elements a block takes at most, and whether it must end where a row does.
    pub(in crate::kernel) fn block_length(
        &self,
        accesses: &[Access],
        scratch_used: bool,
    ) -> (usize, bool) {
        if all_contiguous(accesses) {
            return (BLOCK, false);
        }
        let row = self.row();
        if row >= LONG_ROW {
            let in_place = accesses
                .iter()
                .all(|access| access.strides[self.rank - 1] == 1);
            let whole_rows = in_place && !scratch_used;
            return (if whole_rows { row } else { BLOCK }, true);
        }
        // A whole number of periods makes every block of a periodic operand the same.
        let periods = accesses.iter().map(|access| access.period);
        let common = periods
            .filter(|period| *period < self.total)
            .try_fold(1, |common, period| {
                Some(lcm(common, period)).filter(|common| *common <= BLOCK)
            });
        match common {
            Some(common) => (BLOCK / common * common, false),
            None => (BLOCK, false),
        }
    }

    /// The number of elements in a row: along the last of the coalesced dimensions.
    pub(in crate::kernel) fn row(&self) -> usize {
        self.sizes[self.rank.saturating_sub(1)]
    }

    /// How many elements of a row are left at an index within it.
    pub(in crate::kernel) fn left_in_row(&self, index: &[usize; MAX_RANK]) -> usize {
        self.row() - index[self.rank.saturating_sub(1)]
    }

    /// Whether blocks of an operand may have to be gathered, and whether such a block can serve again:
    /// then its memory belongs to the operand alone.
    pub(in crate::kernel) fn gathers(&self, access: &Access) -> (bool, bool) {
        let periodic = access.period < self.total && access.period <= BLOCK;
        let repeats = access.strides[self.rank.saturating_sub(1)] == 0;
        (!access.contiguous, periodic || repeats)
    }

    pub(in crate::kernel) fn index_at(&self, position: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = position;
        for axis in (0..self.rank).rev() {
            index[axis] = left % self.sizes[axis];
            left /= self.sizes[axis];
        }
        index
    }

    /// The index with this number among those that are zero along an axis and along the last.
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

    /// Runs over a range of positions, in blocks so long at most, or to the end of a row.
    ///
    /// # Safety
    /// That of [`block::run`](super::block::run), for these positions.
    #[inline(never)]
    pub(in crate::kernel) unsafe fn run(
        &self,
        range: Range<usize>,
        (longest, ends_with_row): (usize, bool),
        accesses: &mut [Access],
        operands: &[Operand],
        output: &Output,
        streams: bool,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        // SAFETY: `Scratch` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { scratch.assume_init_mut() };
        let to = output.pointer.wrapping_add(range.start * output.size);
        let reads = || {
            let along = accesses
                .iter()
                .zip(operands)
                .filter(|(access, _)| access.contiguous);
            let first =
                |operand: &Operand| operand.pointer.wrapping_add(range.start * operand.size);
            let arrays = along.map(|(_, operand)| (first(operand), operand.size));
            PrefetchSet::new(output.size, arrays)
        };
        let mut writer = StreamingWriter::new(to, streams.then(|| (&mut scratch.output, reads())));
        let between = scratch.blocks.between.each_mut().map(BlockBuffer::pointer);
        let mut position = range.start;
        while position < range.end {
            let index = self.index_at(position);
            let mut len = longest.min(range.end - position);
            if ends_with_row {
                len = len.min(self.left_in_row(&index));
            }
            let mut inputs = [core::ptr::null(); MAX_OPERANDS];
            for (number, (operand, access)) in operands.iter().zip(accesses.iter_mut()).enumerate()
            {
                let fetched = scratch.blocks.operands[number].pointer();
                // SAFETY: the caller's; the block lies within the shape.
                inputs[number] = unsafe {
                    self.fetch(access, operand, (position, &index), len, fetched, between)
                };
            }
            // SAFETY: inputs hold `len` elements such as the loop takes; the output has as many left.
            unsafe { output.write(&inputs, len, &mut scratch.blocks.result, writer.next()) };
            // SAFETY: the output has room for the block, which was written.
            unsafe { writer.advance(len * output.size) };
            position += len;
        }
        // SAFETY: all blocks were written.
        unsafe { writer.finish() }
    }

    /// An operand's part of a block, as the loop takes it: where it lies in memory, or in `fetched`.
    ///
    /// # Safety
    /// Along the shape, the operand's elements can be read; its chain fits them. The way is the
    /// operand's, and what the last block left in `fetched` is still there. The block lies within
    /// the shape, begins at this position and index, and is no longer than [`BLOCK`] if anything of
    /// it goes through scratch: then `fetched` and, with more than one step, both of `between` have
    /// room for a block.
    #[inline]
    pub(in crate::kernel) unsafe fn fetch(
        &self,
        access: &mut Access,
        operand: &Operand,
        (position, index): (usize, &[usize; MAX_RANK]),
        len: usize,
        fetched: *mut u8,
        between: [*mut u8; 2],
    ) -> *const u8 {
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
        // Where a block of a periodic operand begins within the period, or a repeated element lies,
        // says all about its contents.
        let contents = if access.period < self.total && access.period <= BLOCK {
            Some((position % access.period).cast_signed())
        } else if within_row && access.strides[last_axis] == 0 {
            Some(offset)
        } else {
            None
        };
        if let (Some(contents), Some((cached, cached_len))) = (contents, access.cached)
            && contents == cached
            && len <= cached_len
        {
            return fetched;
        }
        // With conversions still to come, gather into the memory that the first of them reads.
        let mut source = first;
        if !in_place {
            let gathered = if operand.chain.is_empty() {
                fetched
            } else {
                between[1]
            };
            // SAFETY: the caller's; a block of elements fits the scratch.
            unsafe { self.gather(access, operand, first, *index, len, gathered) };
            source = gathered;
        }
        // SAFETY: the source holds `len` elements.
        source = unsafe { convert(operand.chain, source, len, fetched, between) };
        access.cached = contents.map(|contents| (contents, len));
        source
    }

    /// Copies an operand's part of a block together, row by row.
    ///
    /// # Safety
    /// That of [`Self::fetch`]; `to` has room for `len` elements.
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
            let run = (self.sizes[last] - index[last]).min(len - done);
            let to = to.wrapping_add(done * operand.size);
            // SAFETY: `run` elements of the row are left, and there is room for them.
            unsafe { copy_strided(operand.size, from, strides[last], run, to) };
            done += run;
            // On to the next row.
            index[last] += run;
            from = from.wrapping_offset(run.cast_signed() * strides[last] * size);
            for axis in (1..self.rank).rev() {
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

/// One operand, read from anywhere: what reductions read.
pub(in crate::kernel) struct Reader {
    nditer: NdIter,
    access: Access,
    operand: Operand,
    /// Strips, which are three.
    scratch: Vec<BlockBuffer>,
}

impl Reader {
    /// # Errors
    /// If there is no memory.
    pub(in crate::kernel) fn new(shape: &Dims, operand: Operand) -> Result<Self, AllocError> {
        let mut access = Access::START;
        Ok(Self {
            nditer: NdIter::coalesced(shape, &[operand], core::slice::from_mut(&mut access)),
            access,
            operand,
            scratch: block::allocate(3)?,
        })
    }

    /// Converted elements from a position on, which the next call may overwrite.
    ///
    /// # Safety
    /// Along the shape, elements can be read; the chain fits them. There are `len` of them, at most
    /// [`BLOCK`], from the position on.
    pub(in crate::kernel) unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        let [fetched, free, used] = &mut self.scratch[..] else {
            unreachable!("three blocks")
        };
        let [fetched, free, used] = [fetched, free, used].map(BlockBuffer::pointer);
        let place = (position, &self.nditer.index_at(position));
        let (access, operand) = (&mut self.access, &self.operand);
        // SAFETY: the caller's; the scratch is this operand's alone.
        unsafe { (self.nditer).fetch(access, operand, place, len, fetched, [free, used]) }
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
