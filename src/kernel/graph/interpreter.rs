//! One pass over a shape: all steps of that shape, block by block.
//!
//! A block's values lie in registers: scratch that is given free where its value is read for the last
//! time, so that a chain of any length needs two or three. What is contiguous is read where it lies, and
//! what is asked for is written where it shall lie.
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

/// Registers begin at such addresses.
const LINE: usize = 64;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([MaybeUninit<u8>; LINE]);

/// A block of zeros of any dtype, in the place of what could not be computed.
static ZEROS: [u128; BLOCK] = [0; BLOCK];

/// The steps of one shape, ready to run.
pub(super) struct BlockInterpreter {
    nditer: NdIter,
    operands: Vec<Operand>,
    accesses: Vec<Access>,
    instructions: Vec<Instruction>,
    /// Where each value's part of the block begins.
    places: Vec<*mut u8>,
    outputs: Vec<Output>,
    /// The registers; not a `Box`, which must be alone in knowing its memory.
    _scratch: Vec<MaybeUninit<Line>>,
    scratch: *mut u8,
    /// Where the value lies that reductions read.
    last: usize,
    failed: Option<Failure>,
    /// What the operands point into.
    _arrays: Vec<Array>,
}

enum Instruction {
    /// Finds an operand's part of the block, or gathers it into scratch.
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

/// Whether one of `len` elements is refused.
///
/// # Safety
/// The elements can be read, and are of the type the function was made for.
type Refuses = unsafe fn(*const u8, usize) -> bool;

impl BlockInterpreter {
    /// A pass that writes values to memory.
    ///
    /// # Errors
    /// If there is no memory for the registers. Nothing was written then.
    ///
    /// # Safety
    /// The values' steps and what these read broadcast to the shape, and it is theirs. There is room
    /// for their elements, which overlap what the pass reads only where the last step's value takes
    /// the place of a contiguous operand (or the target) of that shape with elements of that size.
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

    /// A pass that gives the blocks of a value, with its axes in another order.
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

    /// Why blocks are zeros in the place of what could not be computed.
    pub(super) fn failed(&self) -> Option<Failure> {
        self.failed
    }

    /// Runs over the whole shape, or until a step fails.
    ///
    /// # Safety
    /// The memory that outputs and the target were given is still there.
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
            // SAFETY: the block lies within the shape; the caller's.
            unsafe { self.run_block((position, &index), len)? };
            position += len;
        }
        Ok(())
    }

    /// # Safety
    /// The block lies within the shape and is no longer than [`BLOCK`]; that of [`Self::run`].
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
                    // SAFETY: operands broadcast to the shape, and their arrays are kept; they have no
                    // chain. Scratch of operands whose blocks can serve again is theirs alone.
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
                        // SAFETY: the second input was written before, as a block of the elements that
                        // the step takes.
                        if unsafe { refuses(inputs[1], len) } {
                            return Err(Failure::Value(*value));
                        }
                    }
                    // SAFETY: the inputs were written or found before, as blocks of the elements that
                    // the loop takes. The output is a register or memory of the value's own, or the
                    // register of an input with elements of the same size that is read for the last
                    // time; or see `to_memory`.
                    unsafe { kernel(inputs.as_ptr(), self.places[*place], len) };
                }
            }
        }
        Ok(())
    }
}

// SAFETY: the last place holds a block of the value that was asked for; the zeros can be read as elements
// of any dtype.
unsafe impl Blocks for BlockInterpreter {
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        if self.failed.is_none() {
            let index = self.nditer.index_at(position);
            // SAFETY: the caller's; there are no outputs or targets in memory.
            let result = unsafe { self.run_block((position, &index), len) };
            self.failed = result.err();
        }
        match self.failed {
            Some(_) => ZEROS.as_ptr().cast(),
            None => self.places[self.last],
        }
    }
}

/// Assigns places and registers.
struct RegisterAllocator<'p, 'a> {
    graph: &'p Graph<'a>,
    /// The steps, in their order.
    steps: Vec<(Value, &'p Step)>,
    /// By value, the number of the last step that reads it; more than there are if it is kept.
    last_read: Vec<usize>,
    /// The place of each value, once it has one.
    places: Vec<Option<usize>>,
    /// Operands with their values, in the order in which they are first read.
    loads: Vec<Value>,
    nditer: NdIter,
    operands: Vec<Operand>,
    accesses: Vec<Access>,
    arrays: Vec<Array>,
    /// By place, the register that becomes free with it.
    registers: Vec<Option<Register>>,
    offsets: Vec<usize>,
    free: Vec<Register>,
    /// Bytes of scratch, and elements in a block.
    end: usize,
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
                // A second owner of the target would forbid to write it.
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
                // The operands' common dtype, which is that of the result.
                (refuses(check, self.graph.dtype(value)), value)
            });
            instructions.push(Instruction::Run {
                kernel: step.kernel,
                inputs,
                place,
                check,
            });
        }
        // A value may be an operand.
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

    /// The places of what a step reads; operands that have none yet are loaded.
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

    /// A register for elements of a size: one that is free, or a new one.
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

/// What finds elements that a check refuses.
fn refuses(check: Check, dtype: DType) -> Refuses {
    match check {
        Check::Zero { .. } => for_unsigned_of_size!(dtype, T => has_zero::<T>),
        Check::Negative => for_integer!(dtype, T => has_negative::<T>),
    }
}

/// # Safety
/// That of [`Refuses`].
unsafe fn has_zero<T: Copy + Default + PartialEq>(from: *const u8, len: usize) -> bool {
    // SAFETY: the caller's.
    let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), len) };
    // To the end, so that it vectorises.
    elements
        .iter()
        .fold(false, |found, element| found | (*element == T::default()))
}

/// # Safety
/// That of [`Refuses`].
unsafe fn has_negative<T: Copy + Default + PartialOrd>(from: *const u8, len: usize) -> bool {
    // SAFETY: the caller's.
    let elements = unsafe { core::slice::from_raw_parts(from.cast::<T>(), len) };
    elements
        .iter()
        .fold(false, |found, element| found | (*element < T::default()))
}
