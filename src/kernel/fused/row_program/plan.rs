//! Finds the places of inputs and values, if the operands are matrices of rows.

use core::marker::PhantomData;

use super::record::{ComputeLoop, Does, RowOperand, RowProgram, Step, Value};
use super::run::{Place, PlannedStep, RowPlan};
use crate::array::{Array, Dims, broadcast_strides};
use crate::dtype::DType;
use crate::kernel::drive::nontemporal::exceeds_caches;
use crate::kernel::drive::parallel::SendPtr;
use crate::kernel::fused::MAX_INPUTS;
use crate::kernel::fused::reduce::ReduceStep;
use crate::simd::{LANES, LINE, hardware_prefetchers_keep_up};

/// The number of elements of the rows that are computed at a time: with the values of the passes they stay in the L2 cache.
const ELEMENTS_AT_ONCE: usize = if cfg!(test) { 1 << 8 } else { 1 << 14 };
/// The same for a program with one reduction whose operands come from memory, if the processor's own prefetchers keep up with sequential
/// reads: so few that they fetch the next rows while the result is computed.
const OF_ONE_REDUCTION: usize = if cfg!(test) { 1 << 8 } else { 3 << 9 };
/// The same if that reduction adds up squared deviations. Meanwhile it prefetches the next rows, which take half of the L1 cache.
const OF_DEVIATIONS: usize = if cfg!(test) { 1 << 8 } else { 1 << 12 };

impl RowProgram {
    /// Plans the program for whole operands. `None` if the steps cannot compute the expression.
    pub(crate) fn plan<'a>(self, leaves: &[Option<&'a Array>]) -> Option<RowPlan<'a>> {
        if self.is_refused {
            return None;
        }
        Planner::new(&self.steps, leaves)?.plan(self.steps)
    }
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

/// Returns the number of elements that are computed at a time by a program with these reductions and operands.
fn elements_at_once<'r>(
    reductions: impl Iterator<Item = &'r ReduceStep>,
    leaves: &[Option<&Array>],
) -> usize {
    let bytes = |array: &&Array| array.len().saturating_mul(array.dtype().size());
    let read = leaves.iter().flatten().map(bytes);
    // The result takes about as much.
    let is_from_memory = exceeds_caches(read.fold(0, usize::saturating_add).saturating_mul(2));
    let mut deviate = reductions.map(ReduceStep::deviates);
    match [deviate.next(), deviate.next()] {
        [Some(deviates), None] if is_from_memory && hardware_prefetchers_keep_up() => {
            match deviates {
                true => OF_DEVIATIONS,
                false => OF_ONE_REDUCTION,
            }
        }
        _ => ELEMENTS_AT_ONCE,
    }
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
        if depth == 0 {
            return None;
        }
        let loops = reductions().map(|(loops, _)| loops);
        let mut at_once = (elements_at_once(loops, leaves) / depth).clamp(1, LANES);
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
            code: ComputeLoop::Result(code),
            ..
        } = &planned.does
            && !code.fits(planned.repeats)
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

/// Returns the stride of axes that coalesce to one, which is that of the last one; `None` if they do not.
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
