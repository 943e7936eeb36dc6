//! The loop over positions that compiled kernels, fused expressions and the interpreter share.
//!
//! ```text
//! plan:              choose tiles, rows or blocks, streaming or ordinary stores
//! for each piece:    a thread takes the next one (the caller splits the work: see `Plan::pieces`)
//!   for each block:  find, gather or convert each operand's part; the body computes the block; advance the output
//! ```
//!
//! A body is a closure that computes one block from contiguous inputs. It keeps the scratch of its thread. The loop is
//! compiled once; a body costs it an indirect call for each block.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::{ControlFlow, Range};

use super::block::{BLOCK, BLOCK_BYTES, MAX_OPERANDS, Operand};
use super::nditer::{Access, NdIter, OperandBuffer};
use super::nontemporal::{self, MAX_PIECE, PrefetchSet, StagingBuffer, StreamingWriter};
use super::tiling::Tiling;
use crate::array::strided::copy_contiguous_rows;
use crate::simd::{Kernel, repeat};

/// The number of bytes of a block that is copied straight into the output.
const COPIED_BYTES: usize = 1 << 16;

/// A block to compute.
pub(in crate::kernel) struct Block<'a> {
    /// The addresses of [`Memory::addresses`]: each operand's part, contiguous and converted, then the scratch of the body.
    pub(in crate::kernel) addresses: &'a mut [*const u8],
    /// The position of the block's first element in the output.
    pub(in crate::kernel) position: usize,
    /// The number of elements.
    pub(in crate::kernel) len: usize,
    /// The address of the results: in the output, or into memory that is streamed to it.
    pub(in crate::kernel) output: *mut u8,
}

/// Computes a block, and tells whether the piece goes on. A body that breaks off need not have written its block.
pub(in crate::kernel) type Body<'a> = dyn FnMut(Block<'_>) -> ControlFlow<()> + 'a;

/// The memory of a thread for operands.
pub(in crate::kernel) struct Memory<'a> {
    /// The memory in which each operand's part is gathered and converted.
    pub(in crate::kernel) buffers: &'a mut [OperandBuffer],
    /// Room for a block each, for conversions of several steps. Not used without conversions.
    pub(in crate::kernel) between: [*mut u8; 2],
    /// An entry for each operand, which [`Plan::run`] sets for each block. More may follow, which are the body's.
    pub(in crate::kernel) addresses: &'a mut [*const u8],
}

/// Operands and an output along a shape, and how they are visited.
pub(in crate::kernel) struct Plan<'a> {
    pub(super) nditer: &'a NdIter,
    pub(super) accesses: &'a [Access],
    pub(super) operands: &'a [Operand],
    pub(super) output: *mut u8,
    /// The size of an element of the output, in bytes.
    pub(super) size: usize,
    pub(super) streams: bool,
    /// Gathers the blocks of the only operand straight into the output ([`Self::copying`]).
    copies: bool,
    traversal: Traversal,
}

enum Traversal {
    Tiles(Tiling),
    /// Rows, in parts of at most `longest` elements. Each operand advances by one element along them, or repeats one.
    Rows {
        longest: usize,
    },
    /// Blocks of at most `longest` elements, which end with a row if `ends_with_row`.
    Blocks {
        longest: usize,
        ends_with_row: bool,
    },
}

// SAFETY: a plan is plain data and raw pointers, which it only copies. To dereference them is the duty of `Plan::run`,
// whose caller guarantees that no two threads write the same elements.
unsafe impl Sync for Plan<'_> {}

impl<'a> Plan<'a> {
    /// Plans to visit operands and an output, given by its address, the size of its elements in bytes, and the approximate cost of
    /// one, in additions. The accesses are those of the operands. Blocks have at most [`BLOCK`] elements if `scratch_used`. Else those of an
    /// operand that goes through a [`OperandBuffer`] have at most [`BLOCK_BYTES`]. With chains, `scratch_used` is true. An output that is also an
    /// operand is not streamed.
    pub(in crate::kernel) fn new(
        nditer: &'a NdIter,
        accesses: &'a [Access],
        operands: &'a [Operand],
        (output, size, cost): (*mut u8, usize, usize),
        scratch_used: bool,
    ) -> Self {
        debug_assert!(scratch_used || operands.iter().all(|operand| operand.chain.is_empty()));
        let read = accesses.iter().zip(operands);
        let read = read.map(|(access, operand)| access.period.min(nditer.total) * operand.size);
        let in_place = |operand: &Operand| core::ptr::addr_eq(operand.pointer, output);
        let bytes = read.sum::<usize>() + nditer.total * size;
        let tiling = nditer.tiling(accesses, operands);
        // Tiles gain by streams whatever an element costs: their operands wait for memory while results are computed.
        let cost = if tiling.is_some() { 0 } else { cost };
        let streams =
            nontemporal::is_worthwhile(bytes, size, cost) && !operands.iter().any(in_place);
        let longest = |longest: usize| match streams {
            true => longest.min(MAX_PIECE / size),
            false => longest,
        };
        let traversal = if let Some(tiling) = tiling {
            Traversal::Tiles(tiling)
        } else if let Some(part) = nditer.row_part(accesses).filter(|_| !scratch_used) {
            Traversal::Rows {
                longest: longest(part),
            }
        } else {
            let largest = operands.iter().map(|operand| operand.size).max();
            let most = match largest.filter(|_| !scratch_used) {
                Some(size) => BLOCK_BYTES / size,
                None => BLOCK,
            };
            let (block, ends_with_row) = nditer.block_length(accesses, most);
            Traversal::Blocks {
                longest: longest(block),
                ends_with_row,
            }
        };
        Self {
            nditer,
            accesses,
            operands,
            output,
            size,
            streams,
            copies: false,
            traversal,
        }
    }

    /// For a body that copies the only operand, which has no chain. Without tiles, blocks are gathered straight into the output, and the
    /// body is not called.
    pub(in crate::kernel) fn copying(mut self) -> Self {
        self.copies = true;
        if !matches!(self.traversal, Traversal::Tiles(_)) {
            let bytes = if self.streams {
                MAX_PIECE
            } else {
                COPIED_BYTES
            };
            self.traversal = Traversal::Blocks {
                longest: bytes / self.size,
                ends_with_row: false,
            };
        }
        self
    }

    /// Writes with ordinary stores: the body reads what the output has held.
    pub(in crate::kernel) fn without_streaming(self) -> Self {
        Self {
            streams: false,
            ..self
        }
    }

    /// Returns the arguments for [`split`](super::parallel::split), whose pieces [`Self::run`] takes, if `min_len`
    /// elements are worth a thread: the number of units, the units at which pieces may begin, and the least number of
    /// units of a piece.
    pub(in crate::kernel) fn pieces(&self, min_len: usize) -> (usize, usize, usize) {
        match &self.traversal {
            Traversal::Tiles(tiling) => {
                let row = self.nditer.row();
                let rows = self.nditer.total / row;
                (rows, tiling.height, min_len.div_ceil(row))
            }
            Traversal::Rows { longest } | Traversal::Blocks { longest, .. } => {
                (self.nditer.total, *longest, min_len)
            }
        }
    }

    /// Runs over a piece.
    ///
    /// # Safety
    /// - Along the shape, each operand's elements can be read and are aligned for their size, up to 8 bytes; its chain
    ///   takes them. The output, row-major and contiguous, can be written. No other thread reads or writes the piece's
    ///   elements of it meanwhile.
    /// - The output overlaps an operand only if that operand's elements are contiguous, of the same size, and start at
    ///   the same address.
    /// - The body writes all elements of each block, unless it breaks off.
    /// - If an operand has a chain, the plan was made with `scratch_used`.
    /// - `memory` has an entry for each operand, and nothing else uses it. Buffers are new, or as an earlier call for a
    ///   plan of the same operands left them. The room of an operand that is not contiguous or has a chain has memory
    ///   for a block of elements of any type on its way: of [`BLOCK`] elements, or of as many as
    ///   the shape has if these are fewer. So has `memory.between`, if there are chains.
    pub(in crate::kernel) unsafe fn run(
        &self,
        piece: Range<usize>,
        memory: Memory<'_>,
        body: &mut Body<'_>,
    ) {
        let mut staging = MaybeUninit::<StagingBuffer>::uninit();
        // SAFETY: `StagingBuffer` consists of `MaybeUninit`, for which no memory is invalid.
        let staging = unsafe { staging.assume_init_mut() };
        match &self.traversal {
            // SAFETY: the contract of `run` is that of `run_tiles`, and the rows of `piece` are those of this traversal.
            Traversal::Tiles(tiling) => unsafe {
                self.run_tiles(tiling, piece, memory, staging, body)
            },
            // SAFETY: the contract of `run` is that of `run_rows`. `Plan::new` chooses this traversal if each operand has the stride 0 or 1
            // along rows (`row_part`) and `scratch_used` is false, so that the caller guarantees that there is no chain.
            Traversal::Rows { longest } => unsafe {
                self.run_rows(*longest, piece, memory, staging, body)
            },
            Traversal::Blocks {
                longest,
                ends_with_row,
            } => {
                let blocks = (*longest, *ends_with_row);
                // SAFETY: the contract of `run` is that of `run_blocks`.
                unsafe { self.run_blocks(blocks, piece, memory, staging, body) }
            }
        }
    }

    /// Runs over a range of positions, row by row, in parts of at most `longest` elements. It finds the operands' addresses by
    /// additions, and copies a repeated element once for each row.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for these positions, and each operand has the stride 0 or 1 along rows, without a chain.
    #[inline(never)]
    unsafe fn run_rows(
        &self,
        longest: usize,
        range: Range<usize>,
        memory: Memory<'_>,
        staging: &mut StagingBuffer,
        body: &mut Body<'_>,
    ) {
        let (nditer, operands) = (self.nditer, self.operands);
        let Memory {
            buffers, addresses, ..
        } = memory;
        let (last, row) = (nditer.rank.saturating_sub(1), nditer.row());
        let mut index = nditer.index_at(range.start);
        let mut column = core::mem::take(&mut index[last]);
        // The offset of each operand's current row from its first element, in elements.
        let mut starts = [0; MAX_OPERANDS];
        for (start, access) in starts.iter_mut().zip(self.accesses) {
            *start = access.offset(&index);
        }
        let copies: [Kernel; MAX_OPERANDS] = core::array::from_fn(|number| {
            repeat(operands.get(number).map_or(1, |operand| operand.size))
        });
        let mut writer = StreamingWriter::new(
            self.output.wrapping_add(range.start * self.size),
            self.streams
                .then(|| (staging, self.contiguous_reads(range.start))),
        );
        let mut position = range.start;
        while position < range.end {
            let len = longest.min(row - column).min(range.end - position);
            for (number, (operand, access)) in operands.iter().zip(self.accesses).enumerate() {
                let start = starts[number];
                let first = |offset: isize| {
                    let bytes = offset * operand.size.cast_signed();
                    operand.pointer.wrapping_offset(bytes)
                };
                addresses[number] = if access.strides[last] == 0 {
                    // SAFETY: the caller guarantees that the row's element can be read. The buffer is this operand's own, and has
                    // memory for `BLOCK` elements, or for all of the shape; a part of a row with a repeated operand has no more,
                    // and at least `LONG_ROW` (`row_part`).
                    unsafe {
                        buffers[number].repeat(
                            first(start),
                            start,
                            longest.min(row),
                            copies[number],
                        )
                    }
                } else {
                    first(start + column.cast_signed())
                };
            }
            let block = Block {
                addresses: &mut *addresses,
                position,
                len,
                output: writer.next(),
            };
            if body(block).is_break() {
                break;
            }
            // SAFETY: the output has room for the part, which the body wrote; if it is streamed, it has at most `MAX_PIECE` bytes
            // (`new`).
            unsafe { writer.advance(len * self.size) };
            position += len;
            column += len;
            if column == row {
                column = 0;
                for axis in (0..last).rev() {
                    index[axis] += 1;
                    let is_done = index[axis] == nditer.sizes[axis];
                    let steps = if is_done {
                        1 - index[axis].cast_signed()
                    } else {
                        1
                    };
                    for (start, access) in starts.iter_mut().zip(self.accesses) {
                        *start += access.strides[axis] * steps;
                    }
                    if !is_done {
                        break;
                    }
                    index[axis] = 0;
                }
            }
        }
        // SAFETY: each piece that was announced by `advance` was written right before.
        unsafe { writer.finish() }
    }

    /// Runs over a range of positions, in blocks of at most `longest` elements that end with a row if
    /// `ends_with_row`.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for these positions.
    #[inline(never)]
    unsafe fn run_blocks(
        &self,
        (longest, ends_with_row): (usize, bool),
        range: Range<usize>,
        memory: Memory<'_>,
        staging: &mut StagingBuffer,
        body: &mut Body<'_>,
    ) {
        let Self {
            nditer,
            accesses,
            operands,
            size,
            ..
        } = *self;
        let Memory {
            buffers,
            between,
            addresses,
        } = memory;
        let mut writer = StreamingWriter::new(
            self.output.wrapping_add(range.start * size),
            self.streams
                .then(|| (staging, self.contiguous_reads(range.start))),
        );
        let mut position = range.start;
        while position < range.end {
            let index = nditer.index_at(position);
            let mut len = longest.min(range.end - position);
            if ends_with_row {
                len = len.min(nditer.left_in_row(&index));
            }
            for (number, operand) in operands.iter().enumerate() {
                let (access, buffer) = (&accesses[number], &mut buffers[number]);
                if self.copies {
                    *buffer = OperandBuffer::new(writer.next());
                }
                // SAFETY: the caller guarantees that the operand can be read along the shape and that its chain fits;
                // `position + len <= range.end`, so the block lies within the shape. By `new`, blocks that
                // need scratch have at most `BLOCK` elements, or `BLOCK_BYTES` without chains; the buffer is this operand's own. A copy has the output in its place, which has
                // room for the block, or memory that is streamed to it, with room for `MAX_PIECE` bytes (`copying`).
                addresses[number] = unsafe {
                    nditer.fetch(access, operand, (position, &index), len, buffer, between)
                };
            }
            let output = writer.next();
            if self.copies {
                if !core::ptr::addr_eq(addresses[0], output) {
                    let (from, bytes) = (addresses[0], len * size);
                    // SAFETY: the block lies within the operand, contiguous and without a conversion; there is room for it, in the output
                    // or in memory that is streamed to it, which do not overlap the operand: it would be contiguous.
                    unsafe { copy_contiguous_rows((from, 0), (output, 0), 1, bytes) };
                }
            } else if body(Block {
                addresses: &mut *addresses,
                position,
                len,
                output,
            })
            .is_break()
            {
                break;
            }
            // SAFETY: the output has room for the block, which was copied there, or which the body wrote; if it is streamed, it has at most
            // `MAX_PIECE` bytes (`new` and `copying`).
            unsafe { writer.advance(len * size) };
            position += len;
        }
        // SAFETY: each piece that was announced by `advance` was written right before.
        unsafe { writer.finish() }
    }

    /// The operands that are read one element for each of the output's, from a position on.
    fn contiguous_reads(&self, position: usize) -> PrefetchSet {
        let both = self.accesses.iter().zip(self.operands);
        let along = both.filter(|(access, _)| access.contiguous);
        let first = |operand: &Operand| operand.pointer.wrapping_add(position * operand.size);
        PrefetchSet::new(
            self.size,
            along.map(|(_, operand)| (first(operand), operand.size)),
        )
    }
}
