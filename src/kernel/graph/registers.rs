//! Compiles a graph for the interpreter: assigns places and registers to its values.
#![allow(unsafe_code, reason = "takes the addresses of outputs")]

use super::interpreter::{BlockInterpreter, BlockReader, Instruction, LINE, Output, refuses};
use super::{Graph, Origin, Step, Value};
use crate::array::{AllocError, Array, Dims};
use crate::kernel::drive::block::{BLOCK, Operand};
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::elementwise::operand;
use crate::kernel::reduce::source::in_order;

impl Graph<'_> {
    /// Prepares a pass that writes values to memory.
    ///
    /// # Safety
    /// - All steps that the values depend on have the shape; operands broadcast to it.
    /// - Each output has room for its value's elements, until [`BlockInterpreter::run`] returns.
    /// - An output overlaps an operand or the target only if it is that of the last step, and is exactly a contiguous
    ///   operand (or the target) of that shape with elements of that size.
    pub(super) unsafe fn pass(
        &self,
        shape: &Dims,
        outputs: &[(Value, *mut u8)],
        target: Option<&Array>,
    ) -> BlockInterpreter {
        let values: Vec<Value> = outputs.iter().map(|(value, _)| *value).collect();
        let allocator = RegisterAllocator::new(self, shape, None, &values, target);
        allocator.finish(&values, outputs).0
    }

    /// Prepares to read the blocks of a value, with its axes in another order.
    ///
    /// # Errors
    /// If there is no memory for the registers.
    pub(super) fn block_reader(
        &self,
        value: Value,
        order: &[usize],
    ) -> Result<BlockReader, AllocError> {
        let shape = *self.shape(value);
        let value = self.bytes(value);
        let allocator = RegisterAllocator::new(self, &shape, Some(order), &[value], None);
        let (interpreter, place) = allocator.finish(&[value], &[]);
        BlockReader::new(interpreter, place)
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
    /// By place, a number of bytes into the registers.
    offsets: Vec<usize>,
    nditer: NdIter,
    /// Of operands and the target, in the order of their numbers.
    operands: Vec<Operand>,
    accesses: Vec<Access>,
    arrays: Vec<Array>,
    free: Vec<Register>,
    /// Bytes of registers in use.
    end: usize,
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
        let mut steps = Vec::with_capacity(live.len());
        let mut last_read = vec![0; live.len()];
        let mut places = vec![None; live.len()];
        let (mut operands, mut arrays) = (Vec::new(), Vec::new());
        for number in (0..live.len()).filter(|number| live[*number]) {
            let value = super::value_of(number);
            let array = match &graph.node(value).origin {
                Origin::Step(step) => {
                    for input in step.inputs.iter() {
                        last_read[input.index()] = steps.len();
                    }
                    steps.push((value, step));
                    continue;
                }
                Origin::Bytes(_) => continue,
                Origin::Operand(array) => array.as_ref(),
                Origin::Target => target.unwrap_or_else(|| graph.former_output()),
            };
            places[number] = Some(operands.len());
            let mut operand = operand(array, shape, &[]);
            if let Some(order) = order {
                operand.strides = in_order(&operand.strides, order);
            }
            operands.push(operand);
            // Another owner of the target would prevent the write.
            if target.is_none_or(|target| !core::ptr::eq(target, array)) {
                arrays.push(array.clone());
            }
        }
        for value in values {
            last_read[value.index()] = usize::MAX;
        }
        let shape = order.map_or(*shape, |order| in_order(shape, order));
        let mut accesses = vec![Access::START; operands.len()];
        let mut nditer = NdIter::START;
        nditer.coalesce(&shape, &operands, &mut accesses);
        Self {
            graph,
            steps,
            places,
            offsets: vec![0; operands.len()],
            last_read,
            nditer,
            operands,
            accesses,
            arrays,
            free: Vec::new(),
            end: 0,
        }
    }

    /// Returns the interpreter, and the place of the first value. Values with an output are written there, others are
    /// kept in registers.
    fn finish(
        mut self,
        values: &[Value],
        outputs: &[(Value, *mut u8)],
    ) -> (BlockInterpreter, usize) {
        let steps = core::mem::take(&mut self.steps);
        let mut instructions = Vec::with_capacity(steps.len());
        let mut cost = 0;
        for (number, (value, step)) in steps.into_iter().enumerate() {
            cost += step.cost;
            let inputs = step.inputs.values.map(|input| self.place(input));
            for (count, input) in step.inputs.iter().enumerate() {
                let is_first = !step.inputs.iter().take(count).any(|before| before == input);
                if is_first
                    && self.last_read[input.index()] == number
                    && self.place(input) >= self.operands.len()
                {
                    let offset = self.offsets[self.place(input)];
                    let size = self.graph.dtype(input).size();
                    self.free.push(Register { offset, size });
                }
            }
            let place = self.offsets.len();
            self.places[value.index()] = Some(place);
            let offset = match outputs.iter().any(|(output, _)| *output == value) {
                true => 0,
                false => self.register(self.graph.dtype(value).size()),
            };
            self.offsets.push(offset);
            instructions.push(Instruction {
                kernel: step.kernel,
                inputs,
                place,
                // The dtype of the operands is that of the result.
                check: (step.check).map(|check| (refuses(check, self.graph.dtype(value)), value)),
            });
        }
        let place = self.place(values[0]);
        let written = outputs.iter().map(|(value, pointer)| Output {
            place: self.places[value.index()].expect("a step of the pass"),
            pointer: *pointer,
            size: self.graph.dtype(*value).size(),
        });
        let interpreter = BlockInterpreter {
            nditer: self.nditer,
            operands: self.operands,
            accesses: self.accesses,
            instructions,
            outputs: written.collect(),
            places: self.offsets,
            cost,
            registers: self.end,
            _arrays: self.arrays,
        };
        (interpreter, place)
    }

    fn place(&self, value: Value) -> usize {
        self.places[value.index()]
            .expect("operands have places, and steps are placed before they are read")
    }

    /// Takes a register for elements of a size, a free or a new one. Returns its offset.
    fn register(&mut self, size: usize) -> usize {
        let free = self.free.iter().rposition(|free| free.size == size);
        match free {
            Some(number) => self.free.remove(number).offset,
            None => {
                let longest = BLOCK.min(self.nditer.total);
                let offset = self.end;
                self.end += (longest * size).next_multiple_of(LINE);
                offset
            }
        }
    }
}
