//! Runs all steps of one shape, block by block.
//!
//! ```text
//! once:            give each value a place: an operand's part of the block, a register, or an output
//! for each block:  (the driver finds or gathers the operands) for each instruction: run a step's loop between places
//! ```
//!
//! A register is scratch for a block, and is reused after the last read of its value. So a chain of any length needs
//! two or three, which stay in the L1 cache. Contiguous operands are read in place, and outputs are written in place.
//! The driver ([`Plan`]) has the loop over positions. Threads share the instructions, and each has its own registers.
#![allow(unsafe_code, reason = "runs loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::{Check, Failure, MAX_INPUTS, Value};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array};
use crate::dtype::DType;
use crate::kernel::binary::loops::{for_integer, for_unsigned_of_size};
use crate::kernel::drive::block::{BLOCK, Operand};
use crate::kernel::drive::nditer::{Access, NdIter, OperandBuffer};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, max_workers, try_split};
use crate::kernel::drive::plan::{Block, Memory, Plan};
use crate::kernel::reduce::source::Blocks;
use crate::simd::{Kernel, for_types};

/// The alignment of registers, in bytes.
pub(super) const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([MaybeUninit<u8>; LINE]);

/// A block of zeros of any dtype, read instead of a value that could not be computed.
static ZEROS: [u128; BLOCK] = [0; BLOCK];

/// The compiled steps of one shape.
pub(super) struct BlockInterpreter {
    pub(super) nditer: NdIter,
    pub(super) operands: Vec<Operand>,
    pub(super) accesses: Vec<Access>,
    pub(super) instructions: Vec<Instruction>,
    /// By place, a number of bytes into the registers; 0 for operands, whose places come first and in their order, and
    /// for outputs.
    pub(super) places: Vec<usize>,
    pub(super) outputs: Vec<Output>,
    /// The sum of the steps' costs.
    pub(super) cost: usize,
    /// The size of the registers of a thread, in bytes.
    pub(super) registers: usize,
    /// The arrays that the operands point into.
    pub(super) _arrays: Vec<Array>,
}

/// A step's loop, and the places between which it runs.
pub(super) struct Instruction {
    pub(super) kernel: Kernel,
    pub(super) inputs: [usize; MAX_INPUTS],
    pub(super) place: usize,
    pub(super) check: Option<(Refuses, Value)>,
}

/// A value that is written to memory.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) place: usize,
    pub(super) pointer: *mut u8,
    pub(super) size: usize,
}

/// The scratch memory of one thread.
struct Worker {
    /// The registers, and room for a block of each operand that is gathered. Not a `Box`, which would claim exclusive
    /// access to its memory.
    _scratch: Vec<Line>,
    buffers: Vec<OperandBuffer>,
    /// The address of each value's part of the block.
    addresses: Vec<*const u8>,
}

// SAFETY: the pointers of a worker lead into its own scratch and into operands, which are only read; what they point to
// is accessed by the thread that has the worker.
unsafe impl Send for Worker {}

// SAFETY: the pointers of an interpreter are not dereferenced by itself, but by `run` and `BlockReader::block`: operands
// are only read, and each element of an output is written by one thread.
unsafe impl Sync for BlockInterpreter {}

/// Returns whether any of `len` elements is refused.
///
/// # Safety
/// `len` elements of the type that the function was made for can be read, and are aligned.
pub(super) type Refuses = unsafe fn(*const u8, usize) -> bool;

impl BlockInterpreter {
    /// Runs over the whole shape, or until a step fails. With several threads the step that failed is one of those
    /// that fail.
    ///
    /// # Errors
    /// The value that could not be computed; or that there is no memory for the registers, and nothing was written.
    ///
    /// # Safety
    /// The memory of the outputs and of the target can still be accessed.
    pub(super) unsafe fn run(&self) -> Result<(), Failure> {
        let Some(first) = self.outputs.first() else {
            return Ok(());
        };
        if self.nditer.total == 0 {
            return Ok(());
        }
        let to = (first.pointer, first.size, self.cost);
        let plan = Plan::new(&self.nditer, &self.accesses, &self.operands, to, true);
        let (units, grain, min_len) = plan.pieces(MIN_WORK_PER_THREAD / self.cost.max(1));
        // All memory is taken before anything is written: an operand may be overwritten.
        let count = max_workers(units, min_len);
        let workers = (0..count).map(|_| self.worker());
        let workers = Mutex::new(workers.collect::<Result<Vec<_>, _>>()?);
        let idle = || workers.lock().unwrap_or_else(PoisonError::into_inner);
        try_split(units, grain, min_len, |piece| {
            let mut worker = idle().pop().expect("a worker for each thread");
            let mut failed = None;
            let mut body = |block: Block<'_>| {
                // SAFETY: the plan passes a block of each operand, with at most `BLOCK` elements because scratch is
                // used, and room for its results in the first output; the addresses are this worker's. The caller
                // guarantees that the other outputs can be written, at the block's position too.
                match unsafe { self.run_block(block) } {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(failure) => {
                        failed = Some(failure);
                        ControlFlow::Break(())
                    }
                }
            };
            let memory = Memory {
                buffers: &mut worker.buffers,
                between: [core::ptr::null_mut(); 2],
                addresses: &mut worker.addresses,
            };
            // SAFETY: operands broadcast to the shape, have no chains, and `_arrays` (or the caller, for the target)
            // keeps them readable. The caller guarantees that outputs can be written and overlap contiguous operands
            // of the same size only, in place; `try_split` hands each piece to one thread. The worker has an entry for
            // each operand, and memory for a block of those that are not contiguous. `run_block` writes the first
            // output: it is the place of a step's result.
            unsafe { plan.run(piece, memory, &mut body) };
            idle().push(worker);
            failed.map_or(Ok(()), Err)
        })
    }

    /// Allocates what a thread needs.
    ///
    /// # Errors
    /// If there is no memory.
    fn worker(&self) -> Result<Worker, AllocError> {
        let longest = BLOCK.min(self.nditer.total);
        let gathered = |(access, operand): (&Access, &Operand)| {
            let bytes = (longest * operand.size).next_multiple_of(LINE);
            if access.contiguous { 0 } else { bytes }
        };
        let both = || self.accesses.iter().zip(&self.operands);
        let bytes = self.registers + both().map(gathered).sum::<usize>();
        let mut scratch: Vec<Line> = vec_with_capacity(bytes.div_ceil(LINE))?;
        let registers = scratch.as_mut_ptr().cast::<u8>();
        let mut buffers = vec_with_capacity(self.operands.len())?;
        let mut free = registers.wrapping_add(self.registers);
        for part in both() {
            buffers.push(OperandBuffer::new(free));
            free = free.wrapping_add(gathered(part));
        }
        let mut addresses = vec_with_capacity(self.places.len())?;
        let places = self.places.iter();
        addresses.extend(places.map(|offset| registers.wrapping_add(*offset).cast_const()));
        Ok(Worker {
            _scratch: scratch,
            buffers,
            addresses,
        })
    }

    /// Runs all steps on one block.
    ///
    /// # Errors
    /// The first value that cannot be computed. Places of values before it are written.
    ///
    /// # Safety
    /// The block lies within the shape and has at most [`BLOCK`] elements. Its addresses are those of a [`Worker`],
    /// which nothing else uses, with the operands' parts. The outputs and the target can be accessed there.
    #[inline]
    unsafe fn run_block(&self, block: Block<'_>) -> Result<(), Failure> {
        let Block {
            addresses,
            position,
            len,
            output,
        } = block;
        for (number, to) in self.outputs.iter().enumerate() {
            addresses[to.place] = match number {
                0 => output,
                _ => to.pointer.wrapping_add(position * to.size),
            }
            .cast_const();
        }
        for instruction in &self.instructions {
            let Instruction {
                kernel,
                inputs,
                place,
                check,
            } = instruction;
            let inputs = inputs.map(|input| addresses[input]);
            if let Some((refuses, value)) = check {
                // SAFETY: the driver found or an earlier instruction wrote the second input, a block of `len` elements
                // of the step's dtype.
                if unsafe { refuses(inputs[1], len) } {
                    return Err(Failure::Value(*value));
                }
            }
            // SAFETY: the driver found or earlier instructions wrote the inputs, blocks of `len` elements of the types
            // that the loop takes. The output is a register that holds no other live value, the register of an input
            // with elements of the same size that is read for the last time, or memory that `Graph::pass` requires to be
            // free or a contiguous operand of that size.
            unsafe { kernel(inputs.as_ptr(), addresses[*place].cast_mut(), len) };
        }
        Ok(())
    }
}

/// Computes the blocks of a value as they are read.
pub(super) struct BlockReader {
    interpreter: BlockInterpreter,
    worker: Worker,
    /// The place of the value.
    place: usize,
    failed: Option<Failure>,
}

impl BlockReader {
    /// Prepares to read the value in a place.
    ///
    /// # Errors
    /// If there is no memory for the registers.
    pub(super) fn new(interpreter: BlockInterpreter, place: usize) -> Result<Self, AllocError> {
        Ok(Self {
            worker: interpreter.worker()?,
            interpreter,
            place,
            failed: None,
        })
    }

    /// Returns the failure because of which blocks are zeros.
    pub(super) fn failed(&self) -> Option<Failure> {
        self.failed
    }
}

// SAFETY: `Graph::block_reader` gave the place of its value, which holds a block of its dtype; the zeros can be read as elements
// of any dtype, and are a whole block.
unsafe impl Blocks for BlockReader {
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        if self.failed.is_some() {
            return ZEROS.as_ptr().cast();
        }
        let Self {
            interpreter,
            worker,
            ..
        } = self;
        let BlockInterpreter {
            nditer,
            accesses,
            operands,
            ..
        } = &*interpreter;
        let index = nditer.index_at(position);
        for (number, operand) in operands.iter().enumerate() {
            let (access, buffer) = (&accesses[number], &mut worker.buffers[number]);
            let (place, between) = ((position, &index), [core::ptr::null_mut(); 2]);
            // SAFETY: operands broadcast to the shape, `_arrays` keeps them readable, and they have no chain. The
            // caller guarantees a block within the shape of at most `BLOCK` elements. The buffer is this operand's own,
            // with memory for a block if the operand is not contiguous.
            worker.addresses[number] =
                unsafe { nditer.fetch(access, operand, place, len, buffer, between) };
        }
        let block = Block {
            addresses: &mut worker.addresses,
            position,
            len,
            output: core::ptr::null_mut(),
        };
        // SAFETY: the block is the caller's, its inputs were fetched above, and the addresses are this reader's; it has no
        // outputs and no target in memory.
        match unsafe { interpreter.run_block(block) } {
            Ok(()) => worker.addresses[self.place],
            Err(failure) => {
                self.failed = Some(failure);
                ZEROS.as_ptr().cast()
            }
        }
    }
}

/// Returns the function that finds elements that a check refuses.
pub(super) fn refuses(check: Check, dtype: DType) -> Refuses {
    match check {
        Check::Zero { .. } => for_unsigned_of_size!(dtype, T => has_zero::<T>),
        Check::Negative => for_integer!(dtype, T => has_negative::<T>),
    }
}

/// Returns whether any element is zero.
///
/// # Safety
/// `len` elements of type `T` can be read, and are aligned.
unsafe fn has_zero<T: Copy + Default + PartialEq>(from: *const u8, len: usize) -> bool {
    // SAFETY: the caller guarantees `len` readable and aligned elements of type `T`; any bits are a valid integer.
    let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), len) };
    // Looks at all elements without an early exit, so that it vectorises.
    elements
        .iter()
        .fold(false, |found, element| found | (*element == T::default()))
}

/// Returns whether any element is negative.
///
/// # Safety
/// `len` elements of type `T` can be read, and are aligned.
unsafe fn has_negative<T: Copy + Default + PartialOrd>(from: *const u8, len: usize) -> bool {
    // SAFETY: the caller guarantees `len` readable and aligned elements of type `T`; any bits are a valid integer.
    let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), len) };
    elements
        .iter()
        .fold(false, |found, element| found | (*element < T::default()))
}
