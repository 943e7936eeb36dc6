//! Row programs: the loops of several passes, recorded once and run for a few rows at a time.
//!
//! An expression with reductions along its last axes is evaluated in passes (`macros/src/fuse/passes.rs`). Each pass prepares its loop:
//! it checks shapes, decides on the order of elements, and allocates its value. That takes half a microsecond, so the passes are
//! evaluated for many rows at a time, and while one pass computes, memory is idle. A row program prepares them once:
//!
//! ```text
//! x - x.mean_keepdims(-1)
//!
//! first rows:   each pass is evaluated, and its loop recorded with the inputs that it reads      RowProgram
//! then:         where each input lies for a row: in an operand, or in scratch memory             RowPlan
//! other rows:   for a few rows:    x -> means in scratch    x from the cache, means -> result to memory
//! ```
//!
//! A few rows and the values of all passes stay in the first two caches, and the processor reads the next rows from memory while it computes
//! these. A normalisation of 16 million `f32` takes 0.75 of the time of blocks of 64 rows
//! (`docs/decisions/row-programs.md`).
//!
//! All rows have one length, the product of the last axes. Each input of a loop is a matrix of such rows: it advances along a row or repeats an
//! element there, and has one distance between rows. Expressions with other operands have no plan.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::call_site::{CallSite, Code, code};
use super::inputs::Pointers;
use super::reduce::{LaneResults, ReduceLoop, ReduceStep};
use super::{Elementwise, KeptExpression, Loop, LoopRows, MAX_INPUTS, Node, Values};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array, Dims, broadcast_strides};
use crate::dtype::DType;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::simd::{LANES, LINE, end_streaming};

/// The number of elements of the rows that are computed at a time: with the values of the passes they stay in the second cache.
const ELEMENTS_AT_ONCE: usize = if cfg!(test) { 1 << 8 } else { 1 << 13 };

/// What an input of a loop is, in an expression with passes.
#[derive(Clone, Copy, Debug)]
pub enum RowOperand {
    /// The operand of the expression with that number.
    Given(usize),
    /// The value of a pass with that number.
    Computed(usize),
}

/// The inputs of a loop, by their number.
type RowOperands<'o> = &'o [(usize, RowOperand)];

/// The loops of the passes of an expression, in their order.
#[derive(Default)]
pub(crate) struct RowProgram {
    steps: Vec<Step>,
    /// `true` if a pass has no loop that could be a step.
    is_refused: bool,
}

/// A loop of a pass or of the result.
struct Step {
    does: Does,
    inputs: Vec<(usize, RowOperand, DType)>,
    /// The approximate cost of an element, in additions.
    cost: usize,
}

/// What a step does.
enum Does {
    /// Computes an expression.
    Compute {
        loops: ComputeLoops,
        expression: KeptExpression,
        to: Value,
    },
    /// Reduces rows along so many of the last axes.
    Reduce {
        loops: ReduceStep,
        axes: usize,
        mean: Option<Value>,
        to: Value,
    },
}

/// The loops that compute an expression.
#[derive(Clone, Copy)]
struct ComputeLoops {
    code: Code,
    /// The loop that writes past the caches, for a result.
    streaming: Option<StreamingLoop>,
}

/// A loop that writes rows past the caches.
#[derive(Clone, Copy)]
pub(crate) struct StreamingLoop {
    code: Code,
    /// The inputs that must repeat an element along rows, one bit for each number.
    repeats: u32,
}

/// The value of a pass; the result has no number.
#[derive(Clone, Copy)]
struct Value {
    number: Option<usize>,
    dtype: DType,
}

impl Loop<'_> {
    /// Returns the loop of an expression that writes rows past the caches. The inputs that `REPEATS` has a bit for repeat an element along
    /// rows.
    pub(crate) fn streaming<S: CallSite, V: Values, A: Node, const REPEATS: u32>() -> StreamingLoop
    {
        StreamingLoop {
            code: code::<S, Elementwise<V, A, true, REPEATS>>(),
            repeats: REPEATS,
        }
    }
}

impl RowProgram {
    /// Adds the loop of a pass, whose value has this number.
    pub(crate) fn compute(&mut self, loops: &Loop<'_>, inputs: RowOperands<'_>, value: usize) {
        self.add_loop(loops, None, inputs, Some(value));
    }

    /// Adds the loop of the result.
    pub(crate) fn result(
        &mut self,
        loops: &Loop<'_>,
        streaming: StreamingLoop,
        inputs: RowOperands<'_>,
    ) {
        self.add_loop(loops, Some(streaming), inputs, None);
    }

    /// Adds a reduction of `rank` axes along some of them, which must be sorted and distinct. Its value has a number and a dtype, as has the mean
    /// of a reduction that gives both.
    pub(crate) fn reduce(
        &mut self,
        loops: &ReduceLoop<'_>,
        (rank, axes): (usize, Option<&[usize]>),
        inputs: RowOperands<'_>,
        mean: Option<(usize, DType)>,
        (value, out): (usize, DType),
    ) {
        let of = loops.elements();
        let count = axes.map_or(rank, <[usize]>::len);
        let are_last = axes.is_none_or(|axes| axes.iter().copied().eq(rank - count..rank));
        let step = loops.step().filter(|_| are_last && is_repeatable(of));
        match step {
            Some(loops) => self.add(
                of,
                inputs,
                Does::Reduce {
                    loops,
                    axes: count,
                    mean: mean.map(|(number, dtype)| Value {
                        number: Some(number),
                        dtype,
                    }),
                    to: Value {
                        number: Some(value),
                        dtype: out,
                    },
                },
            ),
            None => self.is_refused = true,
        }
    }

    fn add_loop(
        &mut self,
        loops: &Loop<'_>,
        streaming: Option<StreamingLoop>,
        inputs: RowOperands<'_>,
        value: Option<usize>,
    ) {
        // What the interpreter computes faster has no step.
        if !is_repeatable(loops) || !loops.has_shape(None, &mut Dims::default()) {
            self.is_refused = true;
            return;
        }
        // SAFETY: a `Loop` is only passed to code that runs while its expression exists.
        let expression = unsafe { loops.expression.keep() };
        let does = Does::Compute {
            loops: ComputeLoops {
                code: loops.code,
                streaming,
            },
            expression,
            to: Value {
                number: value,
                dtype: loops.dtype,
            },
        };
        self.add(loops, inputs, does);
    }

    fn add(&mut self, loops: &Loop<'_>, inputs: RowOperands<'_>, does: Does) {
        let dtypes = loops.sources.dtypes();
        let read = inputs.iter().filter_map(|(number, operand)| {
            let dtype = (*dtypes.get(*number)?)?;
            Some((*number, *operand, dtype))
        });
        let inputs: Vec<_> = read.collect();
        // Each input that the loop reads must be known.
        self.is_refused |= inputs.len() != dtypes.iter().flatten().count();
        self.steps.push(Step {
            does,
            inputs,
            cost: loops.cost,
        });
    }

    /// Plans the program for whole operands. `None` if the steps cannot compute the expression.
    pub(crate) fn plan<'a>(self, leaves: &[Option<&'a Array>]) -> Option<RowPlan<'a>> {
        if self.is_refused {
            return None;
        }
        Planner::new(&self.steps, leaves)?.plan(self.steps)
    }
}

/// Returns whether a loop computes the same again for other rows: no operation can fail, it calls no user's function, and reads no output.
fn is_repeatable(loops: &Loop<'_>) -> bool {
    loops.failed.is_none() && !loops.calls && loops.sources.output.is_none()
}

/// A row program with the places of its inputs.
pub(crate) struct RowPlan<'a> {
    steps: Vec<PlannedStep>,
    /// The shape of the result.
    shape: Dims,
    /// The number of elements of a row.
    depth: usize,
    /// The number of rows that are computed at a time.
    at_once: usize,
    /// The scratch memory that a thread needs, in cache lines.
    lines: usize,
    dtype: DType,
    /// The approximate cost of an element of all steps together, and of the result alone, in additions.
    cost: (usize, usize),
    operands: PhantomData<&'a Array>,
}

/// A step with the places of its inputs.
struct PlannedStep {
    does: Does,
    inputs: Vec<(usize, Place)>,
    /// The distance between rows of each input, by number, in bytes.
    steps: [isize; MAX_INPUTS],
    /// The inputs that repeat an element along a row, one bit for each number.
    repeats: u32,
    /// The inputs that are a single element for all rows.
    singles: u32,
    /// `true` if the step computes rows; else an element for each row, from such elements.
    is_wide: bool,
    /// Where the value begins in scratch memory, and where the mean does, in bytes.
    to: [usize; 2],
}

/// Where an input is read.
#[derive(Clone, Copy)]
enum Place {
    /// In an operand, whose rows have this distance, in bytes.
    Operand(SendPtr<*const u8>, isize),
    /// In scratch memory, from this byte on.
    Scratch(usize),
}

/// A value of a pass in scratch memory.
#[derive(Clone, Copy)]
struct Scratch {
    offset: usize,
    /// `true` if it has rows; else an element for each row.
    is_wide: bool,
    dtype: DType,
}

/// An operand as a matrix of rows.
#[derive(Clone, Copy)]
struct Matrix {
    /// The distance between rows, in elements.
    down: isize,
    /// `true` if it advances along a row, `false` if it repeats an element there.
    along: bool,
}

/// Finds places for the inputs and values of steps.
struct Planner<'l, 'a> {
    leaves: &'l [Option<&'a Array>],
    shape: Dims,
    /// The number of axes that make up a row.
    axes: usize,
    depth: usize,
    at_once: usize,
    /// The values of passes, by number.
    values: Vec<Option<Scratch>>,
    bytes: usize,
}

impl<'l, 'a> Planner<'l, 'a> {
    /// Returns `None` if the steps have rows of different lengths, or of a length that has no loops.
    fn new(steps: &[Step], leaves: &'l [Option<&'a Array>]) -> Option<Self> {
        let inputs = steps.iter().flat_map(|step| &step.inputs);
        let read = inputs.filter_map(|(_, operand, _)| match operand {
            RowOperand::Given(number) => leaves.get(*number).copied().flatten(),
            RowOperand::Computed(_) => None,
        });
        let rank = read.clone().map(Array::rank).max()?;
        let mut shape = Dims::single(rank);
        for array in read {
            shape.broadcast_with(array.dims())?;
        }
        let reductions = || {
            steps.iter().filter_map(|step| match &step.does {
                Does::Reduce { loops, axes, .. } => Some((loops, *axes)),
                Does::Compute { .. } => None,
            })
        };
        let (_, axes) = reductions().next()?;
        let kept = rank.checked_sub(axes)?;
        let depth: usize = shape[kept..].iter().product();
        let mut at_once = (ELEMENTS_AT_ONCE / depth.max(1)).clamp(1, LANES);
        for (loops, along) in reductions() {
            if along != axes {
                return None;
            }
            at_once = at_once.min(loops.most_rows(depth)?);
        }
        Some(Self {
            leaves,
            shape,
            axes,
            depth,
            at_once,
            values: Vec::new(),
            bytes: 0,
        })
    }

    fn plan(mut self, steps: Vec<Step>) -> Option<RowPlan<'a>> {
        let (mut dtype, mut cost, mut planned) = (None, (0, 0), Vec::with_capacity(steps.len()));
        for step in steps {
            // The result is the last step.
            if dtype.is_some() {
                return None;
            }
            let result = match &step.does {
                Does::Compute { to, .. } if to.number.is_none() => Some(to.dtype),
                _ => None,
            };
            let own = step.cost;
            let step = self.step(step)?;
            if result.is_some() {
                cost.1 = own;
                if !step.is_wide {
                    return None;
                }
            }
            if step.is_wide {
                cost.0 += own;
            }
            dtype = result;
            planned.push(step);
        }
        Some(RowPlan {
            steps: planned,
            shape: self.shape,
            depth: self.depth,
            at_once: self.at_once,
            lines: self.bytes / LINE,
            dtype: dtype?,
            cost,
            operands: PhantomData,
        })
    }

    /// Finds the places of a step's inputs and values.
    fn step(&mut self, step: Step) -> Option<PlannedStep> {
        let mut planned = PlannedStep {
            does: step.does,
            inputs: Vec::with_capacity(step.inputs.len()),
            steps: [0; MAX_INPUTS],
            repeats: 0,
            singles: 0,
            is_wide: false,
            to: [0; 2],
        };
        let (mut differs, mut is_narrow) = (false, true);
        for (number, operand, dtype) in step.inputs {
            let (place, along, distance) = match operand {
                RowOperand::Computed(value) => {
                    let value = (*self.values.get(value)?).filter(|value| value.dtype == dtype)?;
                    let row = if value.is_wide { self.depth } else { 1 };
                    differs = true;
                    let distance = (row * dtype.size()).cast_signed();
                    (Place::Scratch(value.offset), value.is_wide, distance)
                }
                RowOperand::Given(leaf) => {
                    let array = (*self.leaves.get(leaf)?).filter(|array| array.dtype() == dtype)?;
                    let matrix = self.matrix(array)?;
                    let distance = matrix.down * dtype.size().cast_signed();
                    differs |= distance != 0;
                    // A single element is the same for all rows.
                    is_narrow &= !matrix.along && distance == 0;
                    let first = SendPtr::new(array.as_ptr());
                    (Place::Operand(first, distance), matrix.along, distance)
                }
            };
            planned.is_wide |= along;
            planned.repeats |= u32::from(!along) << number;
            planned.singles |= u32::from(!along && distance == 0) << number;
            planned.steps[number] = distance;
            planned.inputs.push((number, place));
        }
        if let Does::Compute {
            loops:
                ComputeLoops {
                    streaming: Some(streaming),
                    ..
                },
            ..
        } = &planned.does
            && planned.repeats & streaming.repeats != streaming.repeats
        {
            return None;
        }
        // A value that is the same for all rows would be computed for each.
        if !differs || !planned.is_wide && !is_narrow {
            return None;
        }
        planned.to = match &planned.does {
            Does::Compute { to, .. } => [self.value(*to, planned.is_wide), 0],
            Does::Reduce { .. } if !planned.is_wide => return None,
            Does::Reduce {
                loops, mean, to, ..
            } => {
                loops.add_means(&mut planned.steps, &mut planned.repeats);
                let mean = mean.map_or(0, |mean| self.value(mean, false));
                [self.value(*to, false), mean]
            }
        };
        Some(planned)
    }

    /// Makes room for a value in scratch memory, unless it is the result.
    fn value(&mut self, value: Value, is_wide: bool) -> usize {
        let Some(number) = value.number else { return 0 };
        let (offset, size) = (self.bytes, value.dtype.size());
        let len = if is_wide {
            self.at_once * self.depth
        } else {
            LANES
        };
        self.bytes += (len * size).next_multiple_of(LINE);
        if self.values.len() <= number {
            self.values.resize(number + 1, None);
        }
        self.values[number] = Some(Scratch {
            offset,
            is_wide,
            dtype: value.dtype,
        });
        offset
    }

    /// Returns an operand as a matrix of rows, if it is one.
    fn matrix(&self, array: &Array) -> Option<Matrix> {
        let strides = broadcast_strides(array.shape(), Array::strides(array), &self.shape);
        let kept = self.shape.len() - self.axes;
        let axes = || self.shape.iter().zip(strides.iter());
        let along = joined(axes().skip(kept))?;
        let down = joined(axes().take(kept))?;
        matches!(along, 0 | 1).then_some(Matrix {
            down,
            along: along == 1,
        })
    }
}

/// Returns the stride of axes that are walked as one, if they can be: that of the last one.
fn joined<'s>(axes: impl DoubleEndedIterator<Item = (&'s usize, &'s isize)>) -> Option<isize> {
    let (mut first, mut next) = (None, 0);
    for (size, stride) in axes.rev().filter(|(size, _)| **size != 1) {
        match first {
            None => first = Some(*stride),
            Some(_) if *stride != next => return None,
            Some(_) => {}
        }
        next = stride.checked_mul(size.cast_signed())?;
    }
    Some(first.unwrap_or(0))
}

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
    pub(super) fn cost_of_result(&self) -> usize {
        self.cost.1
    }

    /// Computes some rows of the result. `output` is the address of the first row of all. If it `streams`, rows are written past the caches,
    /// provided that they consist of whole packs.
    ///
    /// # Errors
    /// [`AllocError`] without scratch memory.
    ///
    /// # Safety
    /// The operands have these rows. The output has room for them, begins a cache line, and no array refers to it.
    pub(super) unsafe fn run(
        &self,
        rows: Range<usize>,
        output: *mut u8,
        streams: bool,
    ) -> Result<(), AllocError> {
        let streams = streams && self.depth.is_multiple_of(LANES);
        let output = SendPtr::new(output);
        let min_rows = (MIN_WORK_PER_THREAD / self.cost.0.max(1) / self.depth).max(1);
        try_split(rows.len(), self.at_once, min_rows, |piece| {
            let mut scratch = vec_with_capacity(self.lines)?;
            // Whole packs of values are read, also where there are fewer rows.
            scratch.resize(self.lines, ScratchLine([0; LINE]));
            let mut lanes = MaybeUninit::uninit();
            let (first, end) = (rows.start + piece.start, rows.start + piece.end);
            for row in (first..end).step_by(self.at_once) {
                let count = self.at_once.min(end - row);
                for step in &self.steps {
                    // SAFETY: the caller guarantees rows of the operands, and room for those of the result. `scratch` has room for the
                    // values of all passes, which are written before they are read. `try_split` hands each piece to one thread.
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
            Ok(())
        })
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
                loops,
                expression,
                to: value,
            } => {
                let (code, output) = match (value.number, loops.streaming) {
                    (None, Some(streaming)) if streams => (streaming.code, output),
                    (None, _) => (loops.code, output),
                    (Some(_), _) => (loops.code, to),
                };
                let rows = match self.is_wide {
                    true => LoopRows { output, ..rows },
                    // Elements of rows lie one behind the other, and there is room for a pack. A single element is repeated.
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
