//! Evaluation of several passes for some rows at a time.
//!
//! An expression with reductions along its last axes reads its operands in each pass. If they come from memory, or from a cache that
//! processors share, all passes of some rows take less time than each pass of all rows: the later passes find the rows in a nearer cache.
//!
//! ```text
//! pass by pass:    x from memory -> means    x from memory, means -> result to memory
//! some rows:       x from memory -> means    x from the cache, means -> result to memory    and the next rows
//! ```
//!
//! [`RowBlocks`] cuts the operands along their first axis, and [`RowsOutput`] collects the results.
#![allow(unsafe_code, reason = "writes results where they belong")]

use core::ops::Range;

use super::Loop;
use super::row_program::RowPlan;
use crate::array::{Array, ArrayMut, Dims, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::drive::nontemporal;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, is_split};
use crate::simd::{LANES, LINE};

/// The number of elements of a block of rows: all operands and the result of it stay in the L2 cache.
const BLOCK_LEN: usize = if cfg!(test) { 1 << 8 } else { 1 << 15 };

/// Operands and a result of fewer bytes than this stay in the L2 cache from pass to pass. From here up to the size of the last-level cache, a
/// row program takes 0.83 to 0.87 of the time of pass by pass. (A normalisation and a softmax of 0.5 to 4 million `f32` on an Intel Xeon with
/// 2 MB of L2 cache, one thread.)
const MIN_BYTES: usize = 4 << 20;

/// The operands of an expression, to be cut along their first axis.
pub(crate) struct RowBlocks<'a> {
    operands: &'a [Option<&'a Array>],
    /// The rank of the operands that are cut.
    rank: usize,
    /// The number of rows.
    pub(crate) count: usize,
    /// The number of rows of a block.
    height: usize,
    /// The number of bytes that all operands and the result have together.
    bytes: usize,
    /// `true` if blocks take less time than the whole also where no row program computes them: the operands come from memory, and one thread
    /// computes the rows. (With several threads, each pass of the whole is split among them.)
    pub(crate) are_fast: bool,
}

impl<'a> RowBlocks<'a> {
    /// Cuts the operands if that is faster: they do not stay in the L2 cache. The operands of the highest rank
    /// have their rows along the first axis; they must have `min_rank` axes. `None` if the operands are evaluated as a whole.
    pub(crate) fn new(operands: &'a [Option<&'a Array>], min_rank: usize) -> Option<Self> {
        let arrays = || operands.iter().flatten();
        let rank = arrays().map(|array| array.rank()).max()?;
        if rank < min_rank.max(2) || arrays().any(|array| array.has_handle()) {
            return None;
        }
        let cut = || arrays().filter(|array| array.rank() == rank && array.shape()[0] != 1);
        let count = cut().next()?.shape()[0];
        let largest = cut().max_by_key(|array| array.len())?;
        let bytes = cut().map(|array| array.len() * array.dtype().size());
        let bytes = bytes.sum::<usize>() + largest.len() * largest.dtype().size();
        let height = BLOCK_LEN / (largest.len() / count.max(1)).max(1);
        let exceeds_caches = nontemporal::exceeds_caches(bytes);
        let is_large = (exceeds_caches || bytes >= MIN_BYTES) && height > 0 && count > 2 * height;
        let is_even = cut().all(|array| array.shape()[0] == count);
        (is_large && is_even).then_some(Self {
            operands,
            rank,
            count,
            height,
            bytes,
            are_fast: exceeds_caches && !is_split(largest.len(), MIN_WORK_PER_THREAD),
        })
    }

    /// The ranges of rows, one after the other.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let (count, height) = (self.count, self.height);
        let starts = (0..count).step_by(height);
        starts.map(move |start| start..count.min(start + height))
    }

    /// Writes some rows of each operand to `to`, for those that are cut.
    ///
    /// # Errors
    /// The errors of slices of rows that do not exist.
    pub(crate) fn rows(&self, rows: &Range<usize>, to: &mut [Option<Array>]) -> Result<(), Error> {
        for (operand, to) in self.operands.iter().zip(to) {
            *to = match operand {
                Some(array) if array.rank() == self.rank && array.shape()[0] != 1 => {
                    let (start, end) = (rows.start.cast_signed(), rows.end.cast_signed());
                    Some(array.slice(0, start, end, 1)?)
                }
                _ => None,
            };
        }
        Ok(())
    }

    /// Makes the memory for all results from the results of the first rows. `None` if they do not extend along the rows, or without
    /// memory.
    pub(crate) fn output(&self, first: &Array) -> Option<RowsOutput> {
        if !self.begins_with(first) {
            return None;
        }
        let memory = Uninit::new(self.count * row_bytes(first)).ok()?;
        let mut output = self.output_in(Memory::New(memory), first);
        output.copy(first).then_some(output)
    }

    /// [`Self::output`] in the memory of an output, which keeps its elements until [`RowsOutput::run`] overwrites all. `None` if the output has
    /// another shape or dtype than the results.
    pub(crate) fn output_at(&self, to: &OutputMemory<'_>, first: &Array) -> Option<RowsOutput> {
        let mut shape = *first.dims();
        if !self.begins_with(first) || to.array.dtype() != first.dtype() {
            return None;
        }
        shape[0] = self.count;
        (*to.array.dims() == shape).then(|| self.output_in(Memory::Given(to.address), first))
    }

    /// Returns whether an array has the shape of the first rows.
    fn begins_with(&self, first: &Array) -> bool {
        first.rank() == self.rank && first.shape()[0] == self.height.min(self.count)
    }

    fn output_in(&self, memory: Memory, first: &Array) -> RowsOutput {
        RowsOutput {
            memory,
            dtype: first.dtype(),
            shape: *first.dims(),
            row_bytes: row_bytes(first),
            written: 0,
            count: self.count,
            bytes: self.bytes,
        }
    }
}

/// Returns the number of bytes of a row.
fn row_bytes(rows: &Array) -> usize {
    rows.len() / rows.shape()[0] * rows.dtype().size()
}

/// The elements of an output, which a row program may overwrite. Only the operands of the program share them.
pub(crate) struct OutputMemory<'o> {
    address: *mut u8,
    array: &'o Array,
}

impl<'o> OutputMemory<'o> {
    /// Takes the elements of an array. `None` if another array shares them, or if they are not contiguous.
    pub(crate) fn of(array: &'o mut Array) -> Option<Self> {
        if !array.is_contiguous() || array.has_handle() {
            return None;
        }
        let address = array.unique_mut_ptr()?;
        Some(Self { address, array })
    }

    /// Takes the elements of a view. `None` if they are not contiguous.
    pub(crate) fn of_view(view: &'o mut ArrayMut<'_>) -> Option<Self> {
        let (address, array) = (view.as_mut_ptr(), view.as_array());
        array.is_contiguous().then_some(Self { address, array })
    }

    /// The elements as an operand. No array that shares them may be read when the output has been written.
    pub(crate) fn array(&self) -> &'o Array {
        self.array
    }
}

/// Memory for the results of all rows.
enum Memory {
    New(Uninit),
    /// The elements of an output.
    Given(*mut u8),
}

impl Memory {
    fn address(&mut self) -> *mut u8 {
        match self {
            Self::New(memory) => memory.as_mut_ptr(),
            Self::Given(address) => *address,
        }
    }
}

/// The results of all rows.
pub(crate) struct RowsOutput {
    memory: Memory,
    dtype: DType,
    /// The shape of the results of the next rows.
    shape: Dims,
    row_bytes: usize,
    /// The number of rows that have been written.
    written: usize,
    count: usize,
    /// [`RowBlocks::bytes`].
    bytes: usize,
}

impl RowsOutput {
    /// Sets the number of rows that come next.
    pub(crate) fn expect(&mut self, rows: usize) {
        debug_assert!(rows <= self.count - self.written, "rows that exist");
        self.shape[0] = rows.min(self.count - self.written);
    }

    fn next(&mut self) -> *mut u8 {
        let done = self.written * self.row_bytes;
        self.memory.address().wrapping_add(done)
    }

    /// Computes the next rows. Returns whether the loop does it.
    pub(crate) fn compute(&mut self, code: &Loop<'_>) -> bool {
        let (mut shape, to) = (Dims::default(), self.next());
        if code.dtype != self.dtype
            || code.failed.is_some()
            || code.sources.output.is_some()
            || !code.has_shape(Some(&self.shape), &mut shape)
        {
            return false;
        }
        let code = Loop {
            bytes_of_whole: self.bytes,
            ..*code
        };
        // SAFETY: the operands broadcast to the shape of the next rows. `memory` has room for these rows, because `expect` limits
        // them to those that are left, and no array refers to it. The loop has no output among its inputs. `run_strided` writes all elements.
        unsafe { code.run_strided(&shape, to, false) };
        self.written += self.shape[0];
        true
    }

    /// Computes all rows that are left. Returns `false`, and leaves them as they are, if the plan is not one for this output, or without memory.
    pub(crate) fn run(&mut self, plan: &RowPlan<'_>) -> bool {
        self.shape[0] = self.count;
        let row_bytes = plan.depth() * self.dtype.size();
        if plan.dtype() != self.dtype
            || *plan.shape() != self.shape
            || !self.row_bytes.is_multiple_of(row_bytes)
        {
            return false;
        }
        // The last pack of uneven rows begins within the one before: it would read what that has overwritten.
        let address = self.memory.address();
        if !plan.depth().is_multiple_of(LANES) && plan.result_reads(address) {
            return false;
        }
        let rows = self.row_bytes / row_bytes;
        let rows = self.written * rows..self.count * rows;
        let streams =
            nontemporal::is_worthwhile(self.bytes, self.dtype.size(), plan.cost_of_result());
        let streams = streams && address.addr().is_multiple_of(LINE);
        // SAFETY: the plan's operands broadcast to the shape of all results, so they have these rows. `memory` has room for all rows. No other
        // array refers to it than an operand that is the output, and the result does not read that in uneven rows.
        let is_written = unsafe { plan.run(rows, address, streams) }.is_ok();
        if is_written {
            self.written = self.count;
        }
        is_written
    }

    /// Copies the next rows. Returns whether the array has their shape.
    pub(crate) fn copy(&mut self, rows: &Array) -> bool {
        if rows.dtype() != self.dtype || *rows.dims() != self.shape || !rows.is_contiguous() {
            return false;
        }
        let to = self.next();
        // SAFETY: the array is contiguous and has the shape of the next rows. `memory` has room for these rows, because `expect` and
        // `RowBlocks::output` limit them to those that are left, and no array refers to it.
        unsafe { to.copy_from_nonoverlapping(rows.as_ptr(), self.shape[0] * self.row_bytes) };
        self.written += self.shape[0];
        true
    }

    /// Returns the results, if those of all rows were written.
    pub(crate) fn finish(mut self) -> Option<Array> {
        self.shape[0] = self.count;
        if self.written != self.count {
            return None;
        }
        let Memory::New(memory) = self.memory else {
            return None;
        };
        // SAFETY: `compute` and `copy` wrote all elements of as many rows as they counted.
        let memory = unsafe { memory.assume_init() };
        Some(Array::from_buffer(memory, self.dtype, self.shape))
    }
}
