//! Runs a plan for a few rows at a time.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::record::{ComputeLoop, Does};
use crate::array::alloc::{vec_filled, vec_with_capacity};
use crate::array::{AllocError, Array, Dims};
use crate::dtype::DType;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, max_workers, split};
use crate::kernel::fused::inputs::Pointers;
use crate::kernel::fused::reduce::LaneResults;
use crate::kernel::fused::{LoopRows, MAX_INPUTS};
use crate::simd::{LANES, LINE, end_streaming};

/// A row program with the places of its inputs.
pub(crate) struct RowPlan<'a> {
    pub(super) steps: Vec<PlannedStep>,
    /// The shape of the result.
    pub(super) shape: Dims,
    /// The number of elements of a row.
    pub(super) depth: usize,
    /// The number of rows that are computed at a time.
    pub(super) at_once: usize,
    /// The scratch memory that a thread needs, in cache lines.
    pub(super) lines: usize,
    pub(super) dtype: DType,
    /// The approximate cost of an element of all steps together, and of the result alone, in additions.
    pub(super) cost: (usize, usize),
    pub(super) operands: PhantomData<&'a Array>,
}

/// A step with the places of its inputs.
pub(super) struct PlannedStep {
    pub(super) does: Does,
    pub(super) inputs: Vec<(usize, Place)>,
    /// The distance between rows of each input, by number, in bytes.
    pub(super) steps: [isize; MAX_INPUTS],
    /// The inputs that repeat an element along a row, one bit for each number.
    pub(super) repeats: u32,
    /// The inputs that are a single element for all rows.
    pub(super) singles: u32,
    /// `true` if the step computes rows; else an element for each row, from such elements.
    pub(super) is_wide: bool,
    /// The offsets of the value and of the mean in scratch memory, in bytes.
    pub(super) to: [usize; 2],
}

/// The memory that an input is read from.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In an operand, whose rows have this distance, in bytes.
    Operand(SendPtr<*const u8>, isize),
    /// In scratch memory, from this byte on.
    Scratch(usize),
}

/// The scratch memory of a thread.
type Scratch = Vec<ScratchLine>;

/// A cache line of scratch memory.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct ScratchLine([u8; LINE]);

impl RowPlan<'_> {
    /// The shape of the result.
    pub(crate) fn shape(&self) -> &Dims {
        &self.shape
    }

    /// The dtype of the result.
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    /// The number of elements of a row.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The approximate cost of an element of the result, without the passes before, in additions.
    pub(in crate::kernel::fused) fn cost_of_result(&self) -> usize {
        self.cost.1
    }

    /// Returns whether the result reads an operand that begins at an address.
    pub(in crate::kernel::fused) fn result_reads(&self, address: *const u8) -> bool {
        let reads = |(_, place): &(usize, Place)| match place {
            Place::Operand(first, _) => core::ptr::eq(first.get(), address),
            Place::Scratch(_) => false,
        };
        let result = self.steps.last();
        result.is_some_and(|result| result.inputs.iter().any(reads))
    }

    /// Computes some rows of the result. `output` is the address of the first row of all. If it `streams`, rows are written past the caches,
    /// provided that they consist of whole packs.
    ///
    /// # Errors
    /// [`AllocError`] without scratch memory. No row is written then.
    ///
    /// # Safety
    /// The operands have these rows. The output has room for them, and begins a cache line if it `streams`. No array refers to it but an operand
    /// of the same shape; if the result reads that, rows are whole packs.
    pub(in crate::kernel::fused) unsafe fn run(
        &self,
        rows: Range<usize>,
        output: *mut u8,
        streams: bool,
    ) -> Result<(), AllocError> {
        let streams = streams && self.depth.is_multiple_of(LANES);
        let output = SendPtr::new(output);
        let min_rows = MIN_WORK_PER_THREAD / self.cost.0.max(1) / self.depth;
        // All of it comes before the first row is written.
        let all = self.scratch(max_workers(rows.len(), min_rows))?;
        split(rows.len(), self.at_once, min_rows, |piece| {
            let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(mut scratch) = lock().pop() else {
                unreachable!("scratch memory for each thread")
            };
            let mut lanes = MaybeUninit::uninit();
            let (first, end) = (rows.start + piece.start, rows.start + piece.end);
            for row in (first..end).step_by(self.at_once) {
                let count = self.at_once.min(end - row);
                for step in &self.steps {
                    // SAFETY: the caller guarantees rows of the operands, and room for those of the result. `scratch` has room for the
                    // values of all passes, which are written before they are read. `split` hands each piece to one thread.
                    unsafe {
                        step.run(
                            (row, count, self.depth),
                            (scratch.as_mut_ptr().cast(), &mut lanes),
                            output.get().add(row * self.depth * self.dtype.size()),
                            streams,
                        );
                    }
                }
            }
            if streams {
                end_streaming();
            }
            lock().push(scratch);
        });
        Ok(())
    }

    /// Allocates scratch memory for some threads.
    fn scratch(&self, threads: usize) -> Result<Mutex<Vec<Scratch>>, AllocError> {
        let mut all = vec_with_capacity(threads)?;
        for _ in 0..threads {
            // Whole packs of values are read, also where there are fewer rows.
            all.push(vec_filled(ScratchLine([0; LINE]), self.lines)?);
        }
        Ok(Mutex::new(all))
    }
}

impl PlannedStep {
    /// Runs the step for some rows: the first one, their number, and the number of elements in each.
    ///
    /// # Safety
    /// The operands have these rows, and the values of the steps before are in `scratch`, which has room for those of this step. If it
    /// computes the result, `output` has room for these rows; if it also `streams`, rows are whole packs, and the output of all rows begins a
    /// cache line.
    #[inline]
    unsafe fn run(
        &self,
        (row, count, depth): (usize, usize, usize),
        (scratch, lanes): (*mut u8, &mut MaybeUninit<LaneResults>),
        output: *mut u8,
        streams: bool,
    ) {
        let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
        for (number, place) in &self.inputs {
            inputs[*number] = match place {
                Place::Operand(first, distance) => {
                    first.get().wrapping_offset(row.cast_signed() * distance)
                }
                Place::Scratch(offset) => scratch.cast_const().wrapping_add(*offset),
            };
        }
        let to = scratch.wrapping_add(self.to[0]);
        let rows = LoopRows {
            steps: &self.steps,
            repeats: self.repeats,
            count,
            ..LoopRows::single(&inputs, to, depth)
        };
        match &self.does {
            Does::Reduce {
                loops,
                mean,
                to: value,
                ..
            } => {
                let mean = mean.map(|mean| (scratch.wrapping_add(self.to[1]), mean.dtype));
                // SAFETY: the caller guarantees rows that can be read, of which there are at most as many as the planner allows, and
                // room for an element for each.
                unsafe { loops.run(&rows, lanes, mean, (to, value.dtype)) };
            }
            Does::Compute {
                code, expression, ..
            } => {
                let (code, output) = match code {
                    ComputeLoop::Value(code) => (*code, to),
                    ComputeLoop::Result(repeating) => (repeating.code, output),
                };
                let rows = match self.is_wide {
                    true => LoopRows {
                        output,
                        streams,
                        ..rows
                    },
                    // The elements of the rows follow one another, and there is room for a pack. A single element is repeated.
                    false => LoopRows {
                        repeats: self.singles,
                        ..LoopRows::part(&inputs, output, count)
                    },
                };
                // SAFETY: the code is for the SIMD level in use and for this expression, whose inputs had these dtypes when it was recorded.
                // The caller guarantees the rows and room for them, or for a pack. Rows have at least a pack; the result overlaps no input.
                unsafe { code(expression.at().get(), &rows) };
            }
        }
    }
}
