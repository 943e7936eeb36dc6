//! Runs fused loops over operands that broadcast or have strides.
//!
//! Operands that advance by one element along rows, or repeat an element there, are read where they are: the loop computes
//! many rows in a call. Transposed operands are copied tile by tile. Others, and those of short rows, are gathered block by block; few
//! elements are one block.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::{ControlFlow, Range};

use super::Loop;
use super::inputs::Pointers;
use super::{LoopRows, MAX_INPUTS, PackSlot};
use crate::array::Dims;
use crate::kernel::drive::block::{BLOCK_BYTES, BlockBuffer, LONG_ROW, Operand};
use crate::kernel::drive::gather::{MAX_GATHERED, fill_up_of, gather_array, matrix_strides};
use crate::kernel::drive::matrix::{self, MatrixOperand};
use crate::kernel::drive::nditer::{Access, NdIter, OperandBuffer};
use crate::kernel::drive::nontemporal::{
    self, PrefetchSet, STAGED_BYTES, StagingBuffer, StreamingWriter,
};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, is_split, split};
use crate::kernel::drive::plan::{Block, Memory, Plan};
use crate::simd::{LANES, LINE};

/// The bytes of gathered inputs: a pack of any elements for each input. A larger buffer would span more pages of the stack, each of
/// which is probed.
const GATHERED_BYTES: usize = MAX_INPUTS * size_of::<PackSlot>();

/// Room for inputs that are gathered, each from the start of a cache line on.
#[repr(C, align(64))]
pub(super) struct SmallInputs(MaybeUninit<[u8; GATHERED_BYTES + MAX_INPUTS * LINE]>);

impl Loop<'_> {
    /// Runs over operands that broadcast to a shape.
    ///
    /// # Safety
    /// `output` has room for the shape's elements, and for a whole pack if `is_padded`, in memory that no array refers to. If
    /// an input is the output's former elements ([`LoopInputs::output`](super::LoopInputs)), they are initialised.
    #[inline(never)]
    pub(super) unsafe fn run_strided(&self, shape: &Dims, output: *mut u8, is_padded: bool) {
        let total: usize = shape.iter().product();
        if total == 0 {
            return;
        }
        if total <= MAX_GATHERED && self.can_gather(total) && self.sources.output.is_none() {
            // SAFETY: the caller guarantees room for the shape's elements, or for a pack.
            return unsafe { self.run_gathered(shape, total, output, is_padded) };
        }
        // SAFETY: the caller guarantees room for the shape's elements that no array refers to.
        if shape.len() <= 2 && unsafe { self.run_matrix(shape, total, output) } {
            return;
        }
        // SAFETY: the caller guarantees room for the shape's elements that no array refers to.
        unsafe { self.run_walked(shape, output) }
    }

    /// [`Self::run_strided`] over operands of any strides. Apart, because its scratch needs a stack frame that takes longer to
    /// probe than few elements take.
    ///
    /// # Safety
    /// The contract of [`Self::run_strided`], for a shape with elements.
    #[inline(never)]
    unsafe fn run_walked(&self, shape: &Dims, output: *mut u8) {
        let total: usize = shape.iter().product();
        let mut operands = [Operand::none(); MAX_INPUTS];
        let mut numbers = [0; MAX_INPUTS];
        let count = self
            .sources
            .write_operands(shape, &mut operands, &mut numbers);
        let operands = &operands[..count];
        let mut accesses = [Access::START; MAX_INPUTS];
        let mut nditer = NdIter::START;
        nditer.coalesce(shape, operands, &mut accesses[..count]);
        let size = self.dtype.size();
        let read = accesses.iter().zip(operands);
        let read = read.map(|(access, operand)| access.period.min(total) * operand.size);
        let streams = self.sources.output.is_none()
            && nontemporal::is_worthwhile(
                self.bytes_of_whole.max(read.sum::<usize>() + total * size),
                size,
                self.cost,
            );
        let (accesses, numbers) = (&accesses[..count], &numbers[..count]);
        let last = nditer.rank.saturating_sub(1);
        let along = |access: &Access| matches!(access.strides[last], 0 | 1);
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        let repeats = accesses.iter().any(|access| access.strides[last] == 0);
        if !prefers_blocks(nditer.row(), total, repeats) && accesses.iter().all(along) {
            let mut addresses: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (address, operand) in addresses.iter_mut().zip(operands) {
                *address = operand.pointer;
            }
            let shared = SendPtr::new((addresses, output));
            let sizes: [usize; MAX_INPUTS] =
                core::array::from_fn(|at| operands.get(at).map_or(0, |operand| operand.size));
            let rows = RowOperands {
                nditer: &nditer,
                accesses,
                numbers,
                sizes: &sizes[..count],
                streams,
            };
            split(total, nditer.row(), min_len, |piece| {
                let (addresses, output) = shared.get();
                // SAFETY: the caller guarantees room for the shape's elements that no array refers to; the operands
                // broadcast to the shape. `split` hands each piece of the output to one thread.
                unsafe { self.rows(&rows, &addresses[..count], output, piece) };
            });
            return;
        }
        let mut plan = Plan::new(
            &nditer,
            accesses,
            operands,
            (output, size, self.cost),
            false,
        );
        if self.sources.output.is_some() {
            plan = plan.without_streaming();
        }
        let (units, grain, min_len) = plan.pieces(min_len);
        split(units, grain, min_len, |piece| {
            // On the stack, where it cannot fail: the output may be an array that is overwritten.
            let mut blocks = MaybeUninit::<[BlockBuffer; MAX_INPUTS]>::uninit();
            // SAFETY: `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
            let blocks = unsafe { blocks.assume_init_mut() };
            let mut buffers = blocks
                .each_mut()
                .map(|block| OperandBuffer::new(block.pointer()));
            let mut addresses = [core::ptr::null(); MAX_INPUTS];
            let memory = Memory {
                buffers: &mut buffers[..count],
                between: [core::ptr::null_mut(); 2],
                addresses: &mut addresses[..count],
            };
            let mut body = |block: Block<'_>| {
                let mut by_number: Pointers = [core::ptr::null(); MAX_INPUTS];
                for (number, input) in numbers.iter().zip(&*block.addresses) {
                    by_number[*number] = *input;
                }
                // SAFETY: the plan passes `len` elements of each operand, of which each comes to its number, and room
                // for `len` results.
                unsafe { self.run(&by_number, block.output, block.len) };
                ControlFlow::Continue(())
            };
            // SAFETY: the operands are arrays that broadcast to the shape, and have no chains, so `between` is not
            // used. The caller guarantees room for the shape's elements that no array refers to, so the output
            // overlaps no operand; `split` hands each piece of it to one thread. Each buffer has memory for `BLOCK`
            // elements of any type. `run` writes all `len` elements, however many they are.
            unsafe { plan.run(piece, memory, &mut body) };
        });
    }

    /// Fast path of [`Self::run_strided`] for shapes of at most two axes, whose rows take a single call, or one for each block. Returns
    /// whether it applies: the output is neither streamed nor split among threads, and no operand is read by tiles.
    ///
    /// # Safety
    /// The contract of [`Self::run_strided`], for a shape of `total` elements, at least one.
    unsafe fn run_matrix(&self, shape: &Dims, total: usize, output: *mut u8) -> bool {
        let row = shape.last().copied().unwrap_or(1);
        let (mut steps, mut repeats) = ([0; MAX_INPUTS], 0);
        let mut is_apart = false;
        let mut bytes = self.bytes_of_whole + total * self.dtype.size();
        for (number, array) in self.sources.arrays[..self.sources.end].iter().enumerate() {
            let Some(array) = *array else { continue };
            let [down, along] = matrix_strides(array);
            let size = array.dtype().size();
            bytes += array.len() * size;
            repeats |= u32::from(along == 0) << number;
            steps[number] = down * size.cast_signed();
            is_apart |= !matches!(along, 0 | 1);
        }
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        let streams = nontemporal::is_worthwhile(bytes, self.dtype.size(), self.cost);
        if is_apart && row >= LONG_ROW || streams || is_split(total, min_len) {
            return false;
        }
        if is_apart || prefers_blocks(row, total, repeats != 0) {
            // SAFETY: the caller guarantees operands that broadcast to these rows, and room for their elements that no array refers to.
            unsafe { self.run_blocks([total / row, row], output) };
            return true;
        }
        // SAFETY: the arrays broadcast to `total / row` rows of `row` elements, at these steps; the caller guarantees room for as
        // many results, in memory that no array refers to.
        unsafe {
            self.run_rows(&LoopRows {
                steps: &steps,
                repeats,
                count: total / row,
                ..LoopRows::single(self.sources.addresses(), output, row)
            });
        }
        true
    }

    /// Runs over blocks of rows.
    ///
    /// # Safety
    /// The contract of [`Self::run_strided`], for a matrix with at least one row, and as many elements in each as [`prefers_blocks`] or
    /// [`LONG_ROW`] allow.
    #[inline(never)]
    unsafe fn run_blocks(&self, shape: [usize; 2], output: *mut u8) {
        const { assert!(LONGEST_IN_BLOCKS * 16 <= BLOCK_BYTES && LONG_ROW <= LONGEST_IN_BLOCKS) };
        let size = self.dtype.size();
        let mut room = [const { BlockBuffer::empty() }; MAX_INPUTS];
        let room = room.each_mut().map(BlockBuffer::pointer);
        let mut operands = [MatrixOperand::NONE; MAX_INPUTS];
        for (operand, array) in operands.iter_mut().zip(&self.sources.arrays) {
            if let Some(array) = array {
                *operand = MatrixOperand::new(array);
            }
        }
        let mut body = |inputs: &Pointers, position: usize, len: usize| {
            let to = output.wrapping_add(position * size);
            // SAFETY: `for_each_block` passes `len` contiguous elements of each operand. The caller guarantees room for the results.
            unsafe { self.run(inputs, to, len) };
        };
        let operands = &operands[..self.sources.end];
        // SAFETY: the caller guarantees the rows of the operands, and an output that overlaps none. Elements have at most 16 bytes, so a row fits
        // a block, as is asserted above. `BlockBuffer` has room for a block, and is aligned for all elements.
        unsafe { matrix::for_each_block(shape, operands, room, &mut body) };
    }

    /// Runs over few elements, which are gathered as one block.
    ///
    /// # Safety
    /// The contract of [`Self::run_strided`], for a shape of `total` elements, at least one, that [can be gathered](Self::can_gather);
    /// no input is the output's former elements.
    unsafe fn run_gathered(&self, shape: &Dims, total: usize, output: *mut u8, is_padded: bool) {
        let (mut buffer, mut inputs) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the caller guarantees operands that broadcast to the shape, which can be gathered.
        let inputs = unsafe { self.gathered(shape, total, &mut buffer, &mut inputs) };
        if total >= LANES {
            // SAFETY: each input has `total` elements that can be read; the caller guarantees room for `total` results.
            return unsafe { self.run(inputs, output, total) };
        }
        if is_padded {
            // SAFETY: each input has a pack that can be read; the caller guarantees room for a pack.
            return unsafe { self.run_rows(&LoopRows::part(inputs, output, total)) };
        }
        let mut results = MaybeUninit::<PackSlot>::uninit();
        let to = results.as_mut_ptr().cast::<u8>();
        // SAFETY: each input has a pack that can be read, and `results` has room for one; the caller guarantees room for
        // `total` results.
        unsafe {
            self.run_rows(&LoopRows::part(inputs, to, total));
            output.copy_from_nonoverlapping(to, total * self.dtype.size());
        }
    }

    /// Returns whether there is room for all inputs, of `total` elements each and at least a pack.
    #[inline]
    pub(super) fn can_gather(&self, total: usize) -> bool {
        total.max(LANES) * self.sources.size <= GATHERED_BYTES
    }

    /// Returns the addresses of inputs of a small shape, as contiguous elements, at least a pack of each. Inputs that are not
    /// contiguous, or not padded to a pack, are copied to `buffer`.
    ///
    /// # Safety
    /// The arrays broadcast to the shape, which has `total` elements, at least one, that [can be gathered](Self::can_gather).
    pub(super) unsafe fn gathered<'a>(
        &'a self,
        shape: &Dims,
        total: usize,
        buffer: &'a mut MaybeUninit<SmallInputs>,
        inputs: &'a mut MaybeUninit<Pointers>,
    ) -> &'a Pointers {
        let is_part = total < LANES;
        if self.sources.alike && (!is_part || self.reads_padding()) {
            return self.sources.addresses();
        }
        let mut to = buffer.as_mut_ptr().cast::<u8>();
        let inputs = inputs.write([core::ptr::null(); MAX_INPUTS]);
        for (number, array) in self.sources.arrays[..self.sources.end].iter().enumerate() {
            let Some(array) = *array else { continue };
            let size = array.dtype().size();
            let in_place = array.len() == total
                && array.is_contiguous()
                && (!is_part || array.is_padded_to(LANES * size));
            if in_place && (self.computes_padding || !is_part) {
                inputs[number] = array.as_ptr();
                continue;
            }
            // SAFETY: the buffer has room for `total` elements of each input and at least a pack, and for the rest of a cache line
            // after each (`can_gather`); a line is aligned for all elements. The caller guarantees that the array broadcasts to the
            // shape, of `total` elements, at least one. To be filled up they are fewer than a pack, one after another.
            unsafe {
                if is_part && array.len() == total && array.is_contiguous() {
                    fill_up_of(size, array.as_ptr(), total, to);
                } else {
                    gather_array(array, shape, total, to);
                }
            }
            inputs[number] = to;
            to = to.wrapping_add((total.max(LANES) * size).next_multiple_of(LINE));
        }
        inputs
    }

    /// Runs over a range of positions, row by row.
    ///
    /// # Safety
    /// The contract of [`Self::run_strided`]. `addresses` are the operands' first elements, and the range lies within
    /// the shape.
    unsafe fn rows(
        &self,
        rows: &RowOperands<'_>,
        addresses: &[*const u8],
        output: *mut u8,
        range: Range<usize>,
    ) {
        let (nditer, size) = (rows.nditer, self.dtype.size());
        let (last, row) = (nditer.rank.saturating_sub(1), nditer.row());
        let longest = match rows.streams {
            true => STAGED_BYTES / size,
            false => usize::MAX,
        };
        let (mut steps, mut repeats) = ([0; MAX_INPUTS], 0);
        for (access, (number, size)) in rows.operands() {
            repeats |= u32::from(access.strides[last] == 0) << number;
            if last > 0 {
                steps[number] = access.strides[last - 1] * size.cast_signed();
            }
        }
        let mut staging = StagingBuffer::empty();
        let to = output.wrapping_add(range.start * size);
        let reads = || {
            let along = rows.operands().zip(addresses);
            let along = along.filter(|((access, _), _)| access.contiguous);
            // The rows of a part are in the cache; those of the next part are not.
            let start = range.start
                + if self.bytes_of_whole > 0 {
                    nditer.total
                } else {
                    0
                };
            let first = |from: &*const u8, size| from.wrapping_add(start * size);
            let arrays = along.map(|((_, (_, size)), from)| (first(from, size), size));
            PrefetchSet::new(size, arrays)
        };
        let mut writer = StreamingWriter::new(to, rows.streams.then(|| (&mut staging, reads())));
        let mut position = range.start;
        while position < range.end {
            let index = nditer.index_at(position);
            let left = (range.end - position).min(nditer.left_in_row(&index));
            // Whole rows that follow one another, or a part of one.
            let (len, count) = if left == row && row <= longest {
                let along = last
                    .checked_sub(1)
                    .map_or(1, |outer| nditer.sizes[outer] - index[outer]);
                (
                    row,
                    along.min((range.end - position) / row).min(longest / row),
                )
            } else {
                (left.min(longest), 1)
            };
            let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
            for ((access, (number, size)), from) in rows.operands().zip(addresses) {
                inputs[number] = from.wrapping_offset(access.offset(&index) * size.cast_signed());
            }
            // SAFETY: `count` rows of `len` elements lie within the range, from an index on: of each operand they can be read
            // there. `writer.next()` has room for as many results: a streamed piece has at most `STAGED_BYTES`, less than
            // `MAX_PIECE`.
            unsafe {
                self.run_rows(&LoopRows {
                    steps: &steps,
                    repeats,
                    count,
                    ..LoopRows::single(&inputs, writer.next(), len)
                });
                writer.advance(len * count * size);
            }
            position += len * count;
        }
        // SAFETY: each piece that was announced by `advance` was written right before.
        unsafe { writer.finish() }
    }
}

/// The fewest rows longer than a pack that are read in blocks.
const FEWEST_IN_BLOCKS: usize = 128;
/// No longer rows are read in blocks.
const LONGEST_IN_BLOCKS: usize = 8 * LANES;

/// Returns whether rows of so many elements, `total` in all, take less time in blocks, for which operands that broadcast are copied. Many
/// rows do if they end with a part of a pack: their packs overlap, and their stores are not aligned. `repeats` says whether an operand
/// repeats an element along rows: then more is copied.
fn prefers_blocks(row: usize, total: usize, repeats: bool) -> bool {
    let longest = if repeats {
        LONGEST_IN_BLOCKS / 2
    } else {
        LONGEST_IN_BLOCKS
    };
    row < LANES || row < longest && !row.is_multiple_of(LANES) && total >= FEWEST_IN_BLOCKS * row
}

/// Operands that are contiguous along rows, or repeat an element there.
struct RowOperands<'a> {
    nditer: &'a NdIter,
    accesses: &'a [Access],
    numbers: &'a [usize],
    /// The size of each operand's elements, in bytes.
    sizes: &'a [usize],
    streams: bool,
}

impl<'a> RowOperands<'a> {
    /// The access of each operand, its number, and the size of its elements in bytes.
    fn operands(&self) -> impl Iterator<Item = (&'a Access, (usize, usize))> {
        let numbers = self.numbers.iter().copied().zip(self.sizes.iter().copied());
        self.accesses.iter().zip(numbers)
    }
}
