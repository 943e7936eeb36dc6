//! One pass over a shape: runs all steps of that shape, block by block.
//!
//! ```text
//! once:            assign each value a place: an operand's memory, a register, or an output
//! for each block:  for each instruction: find or gather an operand, or run a step's loop from places to a place
//! ```
//!
//! A register is scratch for a block, and is reused after the last read of its value. So a chain of any length needs
//! two or three, which stay in the L1 cache. Contiguous operands are read in place, and outputs are written in place.
#![allow(unsafe_code, reason = "runs loops over raw memory")]

use core::mem::MaybeUninit;

use super::{Check, Failure, Graph, Inputs, MAX_INPUTS, Origin, Step, Value};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array, Dims, MAX_RANK};
use crate::dtype::DType;
use crate::kernel::binary::{for_integer, for_unsigned_of_size};
use crate::kernel::drive::block::{BLOCK, Operand};
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::elementwise::operand;
use crate::kernel::reduce::{Blocks, in_order};
use crate::simd::{Kernel, for_types};

/// The alignment of registers, in bytes.
const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([MaybeUninit<u8>; LINE]);

/// A block of zeros of any dtype, read instead of a value that could not be computed.
static ZEROS: [u128; BLOCK] = [0; BLOCK];

/// The compiled steps of one shape.
pub(super) struct BlockInterpreter {
    nditer: NdIter,
    operands: Vec<Operand>,
    accesses: Vec<Access>,
    instructions: Vec<Instruction>,
    /// The address of each value's part of the block.
    places: Vec<*mut u8>,
    outputs: Vec<Output>,
    /// The registers. Not a `Box`, which would claim exclusive access to its memory.
    _scratch: Vec<MaybeUninit<Line>>,
    scratch: *mut u8,
    /// The place of the value that reductions read.
    last: usize,
    failed: Option<Failure>,
    /// The arrays that the operands point into.
    _arrays: Vec<Array>,
}

enum Instruction {
    /// Finds an operand's part of the block in place, or gathers it into scratch.
    Load {
        operand: usize,
        place: usize,
        offset: usize,
    },
    Run {
        kernel: Kernel,
        inputs: [usize; MAX_INPUTS],
        place: usize,
        check: Option<(Refuses, Value)>,
    },
}

/// A value that is written to memory.
struct Output {
    place: usize,
    pointer: *mut u8,
    size: usize,
}

/// Returns whether any of `len` elements is refused.
///
/// # Safety
/// `len` elements of the type that the function was made for can be read, and are aligned.
type Refuses = unsafe fn(*const u8, usize) -> bool;

impl BlockInterpreter {
    /// Prepares a pass that writes values to memory.
    ///
    /// # Errors
    /// If there is no memory for the registers. Nothing was written then.
    ///
    /// # Safety
    /// - All steps that the values depend on have the shape; operands broadcast to it.
    /// - Each output has room for its value's elements, until [`Self::run`] returns.
    /// - An output overlaps an operand or the target only if it is that of the last step, and is exactly a contiguous
    ///   operand (or the target) of that shape with elements of that size.
    pub(super) unsafe fn to_memory(
        graph: &Graph,
        shape: &Dims,
        outputs: &[(Value, *mut u8)],
        target: Option<&Array>,
    ) -> Result<Self, AllocError> {
        let values: Vec<Value> = outputs.iter().map(|(value, _)| *value).collect();
        let mut pass =
            RegisterAllocator::new(graph, shape, None, &values, target).pass(&values, true)?;
        for (output, (value, pointer)) in pass.outputs.iter_mut().zip(outputs) {
            output.pointer = *pointer;
            output.size = graph.dtype(*value).size();
        }
        Ok(pass)
    }

    /// Prepares a pass that gives the blocks of a value, with its axes in another order.
    ///
    /// # Errors
    /// If there is no memory for the registers.
    pub(super) fn to_read(
        graph: &Graph,
        value: Value,
        order: &[usize],
    ) -> Result<Self, AllocError> {
        let shape = *graph.shape(value);
        let value = graph.bytes(value);
        RegisterAllocator::new(graph, &shape, Some(order), &[value], None).pass(&[value], false)
    }

    /// Returns the failure because of which blocks are zeros.
    pub(super) fn failed(&self) -> Option<Failure> {
        self.failed
    }

    /// Runs over the whole shape, or until a step fails.
    ///
    /// # Safety
    /// The memory of the outputs and of the target can still be accessed.
    pub(super) unsafe fn run(&mut self) -> Result<(), Failure> {
        let (longest, ends_with_row) = self.nditer.block_length(&self.accesses, true);
        let mut position = 0;
        while position < self.nditer.total {
            let index = self.nditer.index_at(position);
            let mut len = longest.min(self.nditer.total - position);
            if ends_with_row {
                len = len.min(self.nditer.left_in_row(&index));
            }
            for output in &self.outputs {
                self.places[output.place] = output.pointer.wrapping_add(position * output.size);
            }
            // SAFETY: `position + len <= total`, and `block_length` gives at most `BLOCK` elements; the caller
            // guarantees that the memory of outputs and target can still be accessed.
            unsafe { self.run_block((position, &index), len)? };
            position += len;
        }
        Ok(())
    }

    /// Runs all steps on one block.
    ///
    /// # Safety
    /// The block lies within the shape and has at most [`BLOCK`] elements. The memory of the outputs and of the
    /// target can be accessed.
    unsafe fn run_block(
        &mut self,
        (position, index): (usize, &[usize; MAX_RANK]),
        len: usize,
    ) -> Result<(), Failure> {
        for instruction in &self.instructions {
            match instruction {
                Instruction::Load {
                    operand,
                    place,
                    offset,
                } => {
                    let (access, operand) =
                        (&mut self.accesses[*operand], &self.operands[*operand]);
                    let fetched = self.scratch.wrapping_add(*offset);
                    let between = [core::ptr::null_mut(); 2];
                    // SAFETY: operands broadcast to the shape, `_arrays` (or the caller, for the target) keeps them
                    // readable, and they have no chain. The caller guarantees a block within the shape of at most
                    // `BLOCK` elements. Scratch of an operand whose blocks can be reused belongs to it alone
                    // (`RegisterAllocator::inputs`).
                    let found = unsafe {
                        self.nditer
                            .fetch(access, operand, (position, index), len, fetched, between)
                    };
                    self.places[*place] = found.cast_mut();
                }
                Instruction::Run {
                    kernel,
                    inputs,
                    place,
                    check,
                } => {
                    let inputs = inputs.map(|input| self.places[input].cast_const());
                    if let Some((refuses, value)) = check {
                        // SAFETY: an earlier instruction found or wrote the second input, a block of `len` elements
                        // of the step's dtype.
                        if unsafe { refuses(inputs[1], len) } {
                            return Err(Failure::Value(*value));
                        }
                    }
                    // SAFETY: earlier instructions found or wrote the inputs, blocks of `len` elements of the types
                    // that the loop takes. The output is a register that holds no other live value, the register of
                    // an input with elements of the same size that is read for the last time, or memory that
                    // `to_memory` requires to be free or a contiguous operand of that size.
                    unsafe { kernel(inputs.as_ptr(), self.places[*place], len) };
                }
            }
        }
        Ok(())
    }
}

// SAFETY: the last place holds a block of the value given to `to_read`, of its dtype; the zeros can be read as
// elements of any dtype, and are a whole block.
unsafe impl Blocks for BlockInterpreter {
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        if self.failed.is_none() {
            let index = self.nditer.index_at(position);
            // SAFETY: the caller guarantees a block of at most `BLOCK` elements within the shape; a pass to read has
            // no outputs and no target in memory.
            let result = unsafe { self.run_block((position, &index), len) };
            self.failed = result.err();
        }
        match self.failed {
            Some(_) => ZEROS.as_ptr().cast(),
            None => self.places[self.last],
        }
    }
}

/// Assigns places and registers to values.
struct RegisterAllocator<'p, 'a> {
    graph: &'p Graph<'a>,
    /// The steps, in their order.
    steps: Vec<(Value, &'p Step)>,
    /// By value, the number of the last step that reads it; `usize::MAX` for values that are kept.
    last_read: Vec<usize>,
    /// The place of each value, once it has one.
    places: Vec<Option<usize>>,
    /// Operands and the target, by value, in the order of their numbers.
    loads: Vec<Value>,
    nditer: NdIter,
    operands: Vec<Operand>,
    accesses: Vec<Access>,
    arrays: Vec<Array>,
    /// By place, the register that is freed with it.
    registers: Vec<Option<Register>>,
    offsets: Vec<usize>,
    free: Vec<Register>,
    /// Bytes of scratch in use.
    end: usize,
    /// Elements in a block.
    longest: usize,
}

#[derive(Clone, Copy)]
struct Register {
    offset: usize,
    size: usize,
}

impl<'p, 'a> RegisterAllocator<'p, 'a> {
    fn new(
        graph: &'p Graph<'a>,
        shape: &Dims,
        order: Option<&[usize]>,
        values: &[Value],
        target: Option<&Array>,
    ) -> Self {
        let live = graph.live(values);
        let mut steps = Vec::new();
        let mut last_read = vec![0; live.len()];
        let mut loads = Vec::new();
        for number in (0..live.len()).filter(|number| live[*number]) {
            let value = super::value_of(number);
            match &graph.node(value).origin {
                Origin::Step(step) => {
                    for input in step.inputs.iter() {
                        last_read[input.index()] = steps.len();
                    }
                    steps.push((value, step));
                }
                _ => loads.push(value),
            }
        }
        for value in values {
            last_read[value.index()] = usize::MAX;
        }
        let mut arrays = Vec::with_capacity(loads.len());
        let operands: Vec<Operand> = loads
            .iter()
            .map(|value| {
                let array = match (&graph.node(*value).origin, target) {
                    (Origin::Operand(array), _) => array.as_ref(),
                    (_, Some(target)) => target,
                    (_, None) => graph.held(),
                };
                let mut operand = operand(array, shape, &[]);
                if let Some(order) = order {
                    operand.strides = in_order(&operand.strides, order);
                }
                // Another owner of the target would prevent the write.
                if target.is_none_or(|target| !core::ptr::eq(target, array)) {
                    arrays.push(array.clone());
                }
                operand
            })
            .collect();
        let shape = order.map_or(*shape, |order| in_order(shape, order));
        let mut accesses = vec![Access::START; operands.len()];
        let nditer = NdIter::coalesced(&shape, &operands, &mut accesses);
        let longest = BLOCK.min(nditer.total);
        Self {
            graph,
            steps,
            places: vec![None; last_read.len()],
            last_read,
            loads,
            nditer,
            operands,
            accesses,
            arrays,
            registers: Vec::new(),
            offsets: Vec::new(),
            free: Vec::new(),
            end: 0,
            longest,
        }
    }

    fn pass(mut self, values: &[Value], to_memory: bool) -> Result<BlockInterpreter, AllocError> {
        let steps = core::mem::take(&mut self.steps);
        let mut instructions = Vec::with_capacity(steps.len() + self.loads.len());
        for (number, (value, step)) in steps.into_iter().enumerate() {
            let inputs = self.inputs(&step.inputs, &mut instructions);
            for (input, place) in step.inputs.iter().zip(inputs) {
                if self.last_read[input.index()] == number
                    && let Some(register) = self.registers[place].take()
                {
                    self.free.push(register);
                }
            }
            let size = self.graph.dtype(value).size();
            let in_memory = to_memory && values.contains(&value);
            let register = (!in_memory).then(|| self.register(size));
            let place = self.place(value, register);
            let check = step.check.map(|check| {
                // The dtype of the operands is that of the result.
                (refuses(check, self.graph.dtype(value)), value)
            });
            instructions.push(Instruction::Run {
                kernel: step.kernel,
                inputs,
                place,
                check,
            });
        }
        // A value may be an operand, which no step has loaded.
        for value in values.iter().filter(|_| !to_memory) {
            self.inputs(&Inputs::new(&[*value]), &mut instructions);
        }
        let place_of = |value: &Value| self.places[value.index()].expect("asked for, so placed");
        let outputs = values.iter().filter(|_| to_memory).map(|value| Output {
            place: place_of(value),
            pointer: core::ptr::null_mut(),
            size: 0,
        });
        let (outputs, last) = (outputs.collect(), values.last().map_or(0, place_of));
        let mut scratch: Vec<MaybeUninit<Line>> = vec_with_capacity(self.end.div_ceil(LINE))?;
        let first = scratch.as_mut_ptr().cast::<u8>();
        let places = self
            .offsets
            .iter()
            .map(|offset| first.wrapping_add(*offset));
        Ok(BlockInterpreter {
            places: places.collect(),
            nditer: self.nditer,
            operands: self.operands,
            accesses: self.accesses,
            instructions,
            outputs,
            _scratch: scratch,
            scratch: first,
            last,
            failed: None,
            _arrays: self.arrays,
        })
    }

    /// Returns the places of a step's inputs, and loads operands that have none yet.
    fn inputs(
        &mut self,
        inputs: &Inputs,
        instructions: &mut Vec<Instruction>,
    ) -> [usize; MAX_INPUTS] {
        inputs.values.map(|value| {
            if let Some(place) = self.places[value.index()] {
                return place;
            }
            let number = self.loads.binary_search(&value);
            let number = number.expect("what is no step of the pass is loaded");
            let (gathers, serves_again) = self.nditer.gathers(&self.accesses[number]);
            let register = gathers.then(|| {
                let size = self.graph.dtype(value).size();
                if serves_again {
                    self.fresh(size)
                } else {
                    self.register(size)
                }
            });
            let place = self.place(value, register.filter(|_| !serves_again));
            let offset = register.map_or(0, |register| register.offset);
            instructions.push(Instruction::Load {
                operand: number,
                place,
                offset,
            });
            place
        })
    }

    fn place(&mut self, value: Value, register: Option<Register>) -> usize {
        let place = self.registers.len();
        self.places[value.index()] = Some(place);
        self.registers.push(register);
        self.offsets
            .push(register.map_or(0, |register| register.offset));
        place
    }

    /// Takes a register for elements of a size: a free or a new one.
    fn register(&mut self, size: usize) -> Register {
        let free = self.free.iter().rposition(|free| free.size == size);
        match free {
            Some(number) => self.free.remove(number),
            None => self.fresh(size),
        }
    }

    fn fresh(&mut self, size: usize) -> Register {
        let offset = self.end;
        self.end += (self.longest * size).next_multiple_of(LINE);
        Register { offset, size }
    }
}

/// Returns the function that finds elements that a check refuses.
fn refuses(check: Check, dtype: DType) -> Refuses {
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
