//! Evaluation of graphs.
#![allow(unsafe_code, reason = "makes arrays of what passes write")]

use std::borrow::Cow;

use super::interpreter::BlockReader;
use super::{Failure, Graph, Origin, Step, Value, value_of};
use crate::array::{Array, Dims, Strides, Uninit, broadcast_strides, row_major};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::accumulate::ArgOp;
use crate::kernel::cast::copy;
use crate::kernel::reduce::op::ReduceOp;
use crate::kernel::reduce::source::Source;
use crate::kernel::reduce::{
    arg_reduce, arg_reduce_source, reduce, reduce_small, reduce_source, skips_nan,
};

/// Evaluating graphs.
impl<'a> Graph<'a> {
    /// Returns a value as an array. An operand gives its own memory to the result. If nothing can fail, so does an
    /// owned operand of the result's shape, with elements of the result's size.
    ///
    /// # Errors
    /// The error of the first step that fails: [`Error::DivisionByZero`] or [`Error::NegativeExponent`].
    /// [`Error::OutOfMemory`].
    ///
    /// # Panics
    /// If the value depends on [`Self::target`].
    pub(crate) fn evaluate(mut self, result: Value) -> Result<Array, Error> {
        let root = self.bytes(result);
        self.materialize_broadcast(root)
            .map_err(|failed| self.first_error(root, failed))?;
        if let Some(array) = self.evaluate_in_operand(root) {
            return Ok(array.bitcast(self.dtype(result)));
        }
        let array = self.array(root)?;
        Ok(array.bitcast(self.dtype(result)))
    }

    /// Writes a value into an array of its dtype and shape. It is written in place if the array is contiguous and has
    /// no other owner, and no step can fail; else into new memory, which the array then takes over. [`Self::target`]
    /// is the array's former value. If a user's function panics during an overwrite, some elements are new and others
    /// old.
    ///
    /// # Errors
    /// The errors of [`Self::evaluate`]; [`Error::ShapeMismatch`] and [`Error::DTypeMismatch`] if the array's shape or
    /// dtype is not the value's and the target's. The array is unchanged then.
    pub(crate) fn evaluate_into(
        mut self,
        operation: &'static str,
        result: Value,
        out: &mut Array,
    ) -> Result<(), Error> {
        let mut root = self.bytes(result);
        self.check_outputs(operation, (result, root), out)?;
        match self.node(root).origin {
            Origin::Target => return Ok(()),
            Origin::Operand(_) => {
                let (dtype, shape) = (self.dtype(root), *self.shape(root));
                root = self.step(Step::new(copy(dtype), &[root]), dtype, shape);
            }
            _ => {}
        }
        self.target = Some(out.clone());
        self.materialize_broadcast(root)
            .map_err(|failed| self.first_error(root, failed))?;
        if !self.can_fail(root) && out.is_contiguous() {
            // The graph's copy would be a second owner of the output.
            self.target = None;
            if let Some(pointer) = out.unique_mut_ptr() {
                let shape = *out.dims();
                let outputs = [(root, pointer)];
                // SAFETY: after `materialize_broadcast`, all steps have the result's shape, as the output has
                // (checked above). The output is contiguous, has the result's dtype and no other owner, so no operand
                // shares its memory. The target has its dtype, and the result's step comes last, as it depends on the
                // others.
                let pass = unsafe { self.pass(&shape, &outputs, Some(&*out)) };
                // SAFETY: `out`, which is the output and the target, is borrowed until the pass has run.
                let result = unsafe { pass.run() };
                return result.map_err(|failed| self.error(failed));
            }
            self.target = Some(out.clone());
        }
        let array = self.array(root)?;
        *out = array.bitcast(out.dtype());
        Ok(())
    }

    /// Checks that an output has the dtype and shape of a value, given with its elements as bytes, and of the target that it depends
    /// on.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::DTypeMismatch`].
    pub(super) fn check_outputs(
        &self,
        operation: &'static str,
        (result, root): (Value, Value),
        out: &Array,
    ) -> Result<(), Error> {
        self.check_output(operation, result, out)?;
        match self.target_below(root) {
            Some(target) => self.check_output(operation, target, out),
            None => Ok(()),
        }
    }

    /// Checks that an output has the dtype and shape of a value.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::DTypeMismatch`].
    pub(crate) fn check_output(
        &self,
        operation: &'static str,
        value: Value,
        out: &Array,
    ) -> Result<(), Error> {
        let (dtype, shape) = (self.dtype(value), self.shape(value));
        if shape != out.dims() {
            return Err(Error::ShapeMismatch {
                operation,
                lhs: out.shape().to_vec(),
                rhs: shape.to_vec(),
            });
        }
        if dtype != out.dtype() {
            return Err(Error::DTypeMismatch {
                operation,
                expected: out.dtype(),
                found: dtype,
            });
        }
        Ok(())
    }

    /// Reduces a value, as [`reduce`](crate::kernel::reduce()) does, without an array of its elements. They are
    /// computed as they are read, and twice for the variance and the standard deviation.
    ///
    /// # Errors
    /// The errors of [`Self::evaluate`]; [`Error::EmptyReduction`], [`Error::AxisOutOfRange`],
    /// [`Error::UnsupportedDType`].
    ///
    /// # Panics
    /// If the value depends on [`Self::target`].
    pub(crate) fn reduce(
        self,
        op: ReduceOp,
        x: Value,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        match &self.node(x).origin {
            Origin::Operand(array) => reduce_small(op, array, axes, keep_dims, out, reduce).array(),
            _ => reduce_source(op, Fused::new(self, x), axes, keep_dims, out),
        }
    }

    /// Returns the positions of extremes, as [`arg_reduce`](crate::kernel::arg_reduce()) does, without an array of
    /// the elements.
    ///
    /// # Errors
    /// The errors of [`Self::evaluate`]; [`Error::EmptyReduction`], [`Error::AxisOutOfRange`].
    ///
    /// # Panics
    /// If the value depends on [`Self::target`].
    pub(crate) fn arg_reduce(
        self,
        op: ArgOp,
        x: Value,
        axis: Option<usize>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        match &self.node(x).origin {
            Origin::Operand(array) => arg_reduce(op, array, axis, keep_dims, out),
            _ if skips_nan(op, self.dtype(x)) => {
                arg_reduce(op, &self.evaluate(x)?, axis, keep_dims, out)
            }
            _ => arg_reduce_source(op, Fused::new(self, x), axis, keep_dims, out),
        }
    }

    /// Returns whether each value, up to the last of `values`, is one of these or an input that they depend on.
    pub(super) fn live(&self, values: &[Value]) -> Vec<bool> {
        let last = values.iter().map(|value| value.index()).max();
        let mut live = vec![false; last.map_or(0, |last| last + 1)];
        for value in values {
            live[value.index()] = true;
        }
        for number in (0..live.len()).rev() {
            if !live[number] {
                continue;
            }
            match &self.nodes[number].origin {
                Origin::Step(step) => {
                    for input in step.inputs.iter() {
                        live[input.index()] = true;
                    }
                }
                Origin::Bytes(bytes) => live[bytes.index()] = true,
                Origin::Operand(_) | Origin::Target => {}
            }
        }
        live
    }

    /// Returns the steps that the values depend on, and the values themselves if they are steps.
    fn live_steps(&self, values: &[Value]) -> Vec<Value> {
        let live = self.live(values).into_iter().enumerate();
        live.filter(|(_, live)| *live)
            .map(|(number, _)| value_of(number))
            .filter(|value| matches!(self.node(*value).origin, Origin::Step(_)))
            .collect()
    }

    /// Returns the output's former elements.
    ///
    /// # Panics
    /// If there is no output.
    pub(super) fn former_output(&self) -> &Array {
        let output = self.target.as_ref();
        output.expect("a graph with a target has an output")
    }

    /// Returns the target, if a value depends on it.
    fn target_below(&self, value: Value) -> Option<Value> {
        let live = self.live(&[value]).into_iter().enumerate();
        live.filter(|(_, live)| *live)
            .map(|(number, _)| value_of(number))
            .find(|value| matches!(self.node(*value).origin, Origin::Target))
    }

    /// Returns whether the value depends on a step that can fail.
    pub(super) fn can_fail(&self, value: Value) -> bool {
        let checked = |step: &Value| self.is_checked(*step);
        self.can_fail && self.live_steps(&[value]).iter().any(checked)
    }

    fn is_checked(&self, value: Value) -> bool {
        matches!(&self.node(value).origin, Origin::Step(step) if step.check.is_some())
    }

    /// Returns the error of a failure.
    fn error(&self, failed: Failure) -> Error {
        let failed = match failed {
            Failure::Value(failed) => failed,
            Failure::Memory(error) => return error.into(),
        };
        let node = self.node(failed);
        match &node.origin {
            Origin::Step(step) => match step.check {
                Some(check) => check.error(node.dtype),
                None => unreachable!("only checked steps fail"),
            },
            _ => unreachable!("only steps fail"),
        }
    }

    /// Returns the error of the first step that fails in the order of the steps, given a failed one.
    pub(super) fn first_error(&mut self, value: Value, failure: Failure) -> Error {
        // Without memory, other steps could not be evaluated either.
        if let Failure::Value(failed) = failure {
            for step in self.live_steps(&[value]) {
                if step < failed
                    && self.is_checked(step)
                    && let Err(error) = self.array_or_error(step)
                {
                    return error;
                }
            }
        }
        self.error(failure)
    }

    fn array_or_error(&mut self, step: Value) -> Result<(), Error> {
        self.materialize_broadcast(step)
            .map_err(|failed| self.error(failed))?;
        self.written(step).map_err(|failed| self.error(failed))?;
        Ok(())
    }

    /// Returns a value as an array. All steps it depends on have its shape, after [`Self::materialize_broadcast`].
    pub(super) fn array(&mut self, value: Value) -> Result<Array, Error> {
        match &self.node(value).origin {
            Origin::Operand(array) => Ok(array.as_ref().clone()),
            Origin::Target => Ok(self.former_output().clone()),
            _ => self
                .written(value)
                .map_err(|failed| self.first_error(value, failed)),
        }
    }

    /// Computes a step into a new array. All steps it depends on have its shape, after
    /// [`Self::materialize_broadcast`].
    fn written(&self, step: Value) -> Result<Array, Failure> {
        let shape = *self.shape(step);
        let arrays = self.write(&shape, &[step])?;
        Ok(arrays.into_iter().next().expect("one array for a step"))
    }

    /// Computes steps of one shape into new arrays. All steps they depend on have that shape.
    fn write(&self, shape: &Dims, steps: &[Value]) -> Result<Vec<Array>, Failure> {
        let count: usize = shape.iter().product();
        let mut buffers: Vec<Uninit> = steps
            .iter()
            .map(|step| Uninit::new(count * self.dtype(*step).size()))
            .collect::<Result<_, _>>()?;
        let outputs: Vec<(Value, *mut u8)> = steps
            .iter()
            .zip(&mut buffers)
            .map(|(step, buffer)| (*step, buffer.as_mut_ptr()))
            .collect();
        // SAFETY: the buffers are new, one for each step, with room for its elements of the shape; no operand shares
        // them. The caller ensures that all steps have the shape.
        let pass = unsafe { self.pass(shape, &outputs, None) };
        // SAFETY: `buffers` keeps the outputs' memory; there is no target.
        unsafe { pass.run()? };
        let arrays = steps.iter().zip(buffers).map(|(step, buffer)| {
            // SAFETY: the pass ran over the whole shape, so it has written all elements.
            let buffer = unsafe { buffer.assume_init() };
            Array::from_buffer(buffer, self.dtype(*step), *self.shape(*step))
        });
        Ok(arrays.collect())
    }

    /// Computes a step into the memory of an operand that the graph owns. `None` if there is none, or no memory, or
    /// if a step can fail: to find the first error, the operand may have to be read again.
    fn evaluate_in_operand(&mut self, step: Value) -> Option<Array> {
        let is_step = matches!(self.node(step).origin, Origin::Step(_));
        if !self.owns || !is_step || self.can_fail(step) {
            return None;
        }
        let (shape, size) = (*self.shape(step), self.dtype(step).size());
        let live = self.live(&[step]);
        let operands = self.nodes.iter_mut().zip(live).filter(|(_, live)| *live);
        let (pointer, array) = operands
            .filter_map(|(node, _)| match &mut node.origin {
                Origin::Operand(Cow::Owned(array)) => Some(array),
                _ => None,
            })
            .find_map(|array| {
                let fits =
                    array.dtype().size() == size && *array.dims() == shape && array.is_contiguous();
                let pointer = if fits { array.unique_mut_ptr() } else { None };
                pointer.map(|pointer| (pointer, array.clone()))
            })?;
        // SAFETY: after `materialize_broadcast`, all steps have the result's shape. The memory is that of a
        // contiguous operand of that shape, with elements of the result's size and without other owners. The result's
        // step comes last, as it depends on the others.
        let pass = unsafe { self.pass(&shape, &[(step, pointer)], None) };
        // SAFETY: `array` keeps the output's memory; there is no target.
        unsafe { pass.run() }.ok()?;
        Some(array.bitcast(self.dtype(step)))
    }

    /// Computes all steps that are broadcast to a larger shape, shape by shape: once, and not for each element that
    /// they are broadcast to. Afterwards they are operands.
    pub(super) fn materialize_broadcast(&mut self, value: Value) -> Result<(), Failure> {
        if !self.broadcasts {
            return Ok(());
        }
        // Groups by shape, without sizes of one at the left.
        let full = extent(self.shape(value)).to_vec();
        let mut groups: Vec<StepGroup> = Vec::new();
        for step in self.live_steps(&[value]) {
            let Origin::Step(Step { inputs, .. }) = &self.node(step).origin else {
                continue;
            };
            for input in inputs.iter() {
                let shape = extent(self.shape(input));
                let is_step = matches!(self.node(input).origin, Origin::Step(_));
                if !is_step || shape == full || shape == extent(self.shape(step)) {
                    continue;
                }
                let shape = *self.shape(input);
                let group = groups
                    .iter_mut()
                    .find(|group| extent(&group.shape) == extent(&shape));
                match group {
                    Some(group) => {
                        if !group.steps.contains(&input) {
                            group.steps.push(input);
                        }
                        if group.shape.len() < shape.len() {
                            group.shape = shape;
                        }
                    }
                    None => groups.push(StepGroup {
                        shape,
                        steps: vec![input],
                    }),
                }
            }
        }
        // A group depends only on groups with fewer sizes other than one.
        groups.sort_by_key(|group| group.shape.iter().filter(|size| **size != 1).count());
        for StepGroup { shape, steps } in groups {
            let arrays = self.write(&shape, &steps)?;
            for (step, array) in steps.into_iter().zip(arrays) {
                self.nodes[step.index()].origin = Origin::Operand(Cow::Owned(array));
            }
        }
        Ok(())
    }
}

/// Steps of one shape, except for sizes of one at the left, that are computed before the rest.
struct StepGroup {
    /// The shape with the most axes among the steps.
    shape: Dims,
    steps: Vec<Value>,
}

/// Returns a shape without the sizes of one at the left, which broadcasting adds.
fn extent(shape: &[usize]) -> &[usize] {
    let ones = shape.iter().take_while(|size| **size == 1).count();
    &shape[ones..]
}

/// A value that steps compute, as the source of a reduction.
struct Fused<'a> {
    graph: Graph<'a>,
    value: Value,
}

impl<'a> Fused<'a> {
    fn new(graph: Graph<'a>, value: Value) -> Self {
        Self { graph, value }
    }
}

impl Source for Fused<'_> {
    type Blocks = BlockReader;

    fn dtype(&self) -> DType {
        self.graph.dtype(self.value)
    }

    fn dims(&self) -> &Dims {
        self.graph.shape(self.value)
    }

    /// The strides of the largest operand, since reading it takes longest.
    fn strides(&self) -> Strides {
        let live = self.graph.live(&[self.value]);
        let nodes = self.graph.nodes.iter().zip(live);
        let operands = nodes.filter_map(|(node, live)| match &node.origin {
            Origin::Operand(array) if live => Some(array),
            _ => None,
        });
        let largest = operands.max_by_key(|array| array.len());
        largest.map_or_else(
            || row_major(self.dims()),
            |array| broadcast_strides(array.shape(), Array::strides(array), self.dims()),
        )
    }

    fn cast(mut self, to: DType) -> Result<Self, Error> {
        self.value = self.graph.cast(self.value, to);
        Ok(self)
    }

    fn prepare(&mut self) -> Result<(), Error> {
        let (graph, value) = (&mut self.graph, self.value);
        let materialized = graph.materialize_broadcast(value);
        materialized.map_err(|failed| graph.first_error(value, failed))
    }

    fn blocks(&mut self, order: &[usize], dtype: DType) -> Result<BlockReader, Error> {
        let value = self.graph.cast(self.value, dtype);
        self.prepare()?;
        Ok(self.graph.block_reader(value, order)?)
    }

    fn finish(&mut self, blocks: BlockReader) -> Result<(), Error> {
        match blocks.failed() {
            Some(failed) => Err(self.graph.first_error(self.value, failed)),
            None => Ok(()),
        }
    }
}
