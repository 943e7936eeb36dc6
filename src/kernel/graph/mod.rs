//! Graphs: operations over broadcast operands, evaluated in one pass.
//!
//! A graph is built step by step. Each step is one of the loops of this module's neighbours, with a dtype and a
//! shape. Steps with the same loop and inputs are one value, so common subexpressions are computed once. Conversions
//! are steps like others, so each operation rounds as it does on its own, and results are equal bit for bit.
//!
//! `evaluate` runs graphs: it first computes broadcast steps that are smaller than the result, and then the rest in
//! blocks, whose intermediate values stay in the L1 cache (`interpreter`, with `registers` that are assigned before).

mod call;
mod evaluate;
mod interpreter;
mod into_view;
mod registers;

use std::borrow::Cow;
use std::collections::HashMap;

use super::binary::loops::kernel;
use super::binary::op::{BinaryOp, Check};
use super::binary::power;
use super::cast;
use super::compare::{self, CompareOp};
use super::unary::{self, UnaryOp};
use super::{saturate, select};
use crate::array::{AllocError, Array, Dims, Strides, broadcast, broadcast_strides, element_count};
use crate::dtype::compute::ShortPower;
use crate::dtype::{DType, compute_dtype};
use crate::error::Error;
use crate::simd::Kernel;

/// The largest number of inputs of a step.
const MAX_INPUTS: usize = 3;
/// The number of values from which they are looked up in a hash table instead of a list.
const HASH_FROM: usize = 24;

/// A graph of operations on operands, evaluated as one.
///
/// Steps that the result does not depend on are not evaluated, and their errors do not occur.
pub(crate) struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    /// The key of each node.
    keys: Vec<ValueKey>,
    /// The number of each node by its key, once there are more than [`HASH_FROM`].
    table: HashMap<ValueKey, Value>,
    /// The output's former elements, which [`Origin::Target`] reads.
    target: Option<Array>,
    /// `true` if a step can fail. `false` in this field and the next two saves a search.
    can_fail: bool,
    /// `true` if a step reads a step of another shape.
    broadcasts: bool,
    /// `true` if the graph owns an operand.
    owns: bool,
}

/// The reason why a graph was not evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
    /// The value that could not be computed.
    Value(Value),
    Memory(AllocError),
}

impl From<AllocError> for Failure {
    fn from(error: AllocError) -> Self {
        Self::Memory(error)
    }
}

/// The number of a value, which has a dtype and a shape. Use only with the graph that made it; other graphs may
/// panic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Value(u32);

struct Node<'a> {
    origin: Origin<'a>,
    dtype: DType,
    shape: Dims,
}

enum Origin<'a> {
    Operand(Cow<'a, Array>),
    /// The output's former elements.
    Target,
    /// The bytes of another value, which is not `Bytes` itself, as elements of another dtype.
    Bytes(Value),
    Step(Step),
}

/// A loop and its inputs: steps, operands or the target.
#[derive(Clone, Copy)]
struct Step {
    kernel: Kernel,
    inputs: Inputs,
    /// The check of the second input.
    check: Option<Check>,
    /// The approximate cost of an element, in additions.
    cost: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Inputs {
    values: [Value; MAX_INPUTS],
    len: usize,
}

/// The identity of a value: values with equal keys are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ValueKey {
    Operand {
        address: usize,
        dtype: DType,
        shape: Dims,
        strides: Strides,
    },
    Target,
    Bytes(Value, DType),
    /// Loops at one address are the same code, so they give the same results.
    Step {
        address: usize,
        inputs: Inputs,
        dtype: DType,
        check: Option<Check>,
    },
}

impl Inputs {
    fn new(values: &[Value]) -> Self {
        assert!(!values.is_empty(), "a step reads something");
        let mut inputs = Self {
            values: [values[0]; MAX_INPUTS],
            len: values.len(),
        };
        inputs.values[..values.len()].copy_from_slice(values);
        inputs
    }

    fn iter(&self) -> impl Iterator<Item = Value> {
        self.values.into_iter().take(self.len)
    }
}

impl Step {
    /// A step that cannot fail and costs as much as an addition.
    fn new(kernel: Kernel, inputs: &[Value]) -> Self {
        Self {
            kernel,
            inputs: Inputs::new(inputs),
            check: None,
            cost: 1,
        }
    }
}

impl Value {
    fn index(self) -> usize {
        // A `u32` fits a `usize`: the library does not run on 16-bit machines.
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Building graphs.
impl<'a> Graph<'a> {
    /// Makes a graph without operands.
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::with_capacity(8),
            keys: Vec::with_capacity(8),
            table: HashMap::new(),
            target: None,
            can_fail: false,
            broadcasts: false,
            owns: false,
        }
    }

    /// Adds an operand. The same operand again (same memory, layout and dtype) is the same value.
    pub(crate) fn operand(&mut self, array: Cow<'a, Array>) -> Value {
        let (dtype, shape) = (array.dtype(), *array.dims());
        self.owns |= matches!(array, Cow::Owned(_));
        let key = ValueKey::Operand {
            address: array.as_ptr().addr(),
            dtype,
            shape,
            strides: broadcast_strides(&shape, array.strides(), &shape),
        };
        self.value(key, || Node {
            origin: Origin::Operand(array),
            dtype,
            shape,
        })
    }

    /// Adds the output's former elements as a value (`out += ..`). It can only be evaluated by
    /// [`Self::evaluate_into`], into an output of this dtype and shape.
    pub(crate) fn target(&mut self, dtype: DType, shape: &Dims) -> Value {
        self.value(ValueKey::Target, || Node {
            origin: Origin::Target,
            dtype,
            shape: *shape,
        })
    }

    /// The array of an operand; `None` for other values.
    pub(crate) fn array_of(&self, value: Value) -> Option<&Array> {
        match &self.node(value).origin {
            Origin::Operand(array) => Some(array),
            _ => None,
        }
    }

    /// The dtype of a value's elements.
    pub(crate) fn dtype(&self, value: Value) -> DType {
        self.node(value).dtype
    }

    /// A value's shape.
    pub(crate) fn shape(&self, value: Value) -> &Dims {
        &self.node(value).shape
    }

    /// Casts both operands to a dtype and applies the operation in it, as [`binary`](super::binary()) does. Division
    /// by zero and negative exponents are found when the graph is evaluated. A float to the power of a literal 2 is a product.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`]; [`Error::UnsupportedDType`] if the operation is not
    /// defined in the dtype.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        compute: DType,
        lhs: Value,
        rhs: Value,
    ) -> Result<Value, Error> {
        self.binary_to(op, [compute; 2], lhs, rhs)
    }

    /// [`Self::binary`], with the result cast to the dtype `out`. By other literals than 2 and one half, a power is a product or a quotient
    /// where `out` is the dtype of the base, and narrower than `compute`.
    ///
    /// # Errors
    /// The errors of [`Self::binary`].
    pub(crate) fn binary_to(
        &mut self,
        op: BinaryOp,
        [compute, out]: [DType; 2],
        lhs: Value,
        rhs: Value,
    ) -> Result<Value, Error> {
        let kernel = kernel(op, op.loop_dtype(compute)).ok_or(Error::UnsupportedDType {
            operation: op.name(),
            dtype: compute,
        })?;
        let shape = self.common_shape(op.name(), &[lhs, rhs])?;
        let dtypes = [self.dtype(lhs), compute, out];
        let exponent = self.array_of(rhs);
        if let Some(power) = exponent.and_then(|of| power::short_power(op, dtypes, of)) {
            let result = match power {
                ShortPower::Square if op.is_real_power(compute) => {
                    self.binary(BinaryOp::Mul, compute, lhs, lhs)?
                }
                ShortPower::Root if self.dtype(lhs) != out => {
                    let x = self.cast(lhs, compute);
                    self.short_power(power, x)
                }
                _ => self.short_power(power, lhs),
            };
            return Ok(self.cast(result, out));
        }
        let loop_dtype = op.loop_dtype(compute);
        let inputs = [lhs, rhs].map(|x| {
            let x = self.cast(x, compute);
            self.cast(x, loop_dtype)
        });
        let step = Step {
            check: op.check(compute),
            cost: op.cost(),
            ..Step::new(kernel, &inputs)
        };
        let result = self.step(step, loop_dtype, shape);
        let result = self.cast(result, compute);
        Ok(self.cast(result, out))
    }

    /// Computes a short power, other than the square of real numbers, of a value, before it is rounded to the dtype of that.
    fn short_power(&mut self, power: ShortPower, base: Value) -> Value {
        let (dtype, shape) = (self.dtype(base), *self.shape(base));
        let loop_dtype = power::loop_dtype(dtype);
        let x = self.cast(base, loop_dtype);
        let step = Step {
            cost: power::COST,
            ..Step::new(power::kernel(power, dtype), &[x])
        };
        self.step(step, loop_dtype, shape)
    }

    /// Casts each operand to a dtype and compares them, as [`compare`](super::compare()) does.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
    pub(crate) fn compare(
        &mut self,
        op: CompareOp,
        compute: [DType; 2],
        lhs: Value,
        rhs: Value,
    ) -> Result<Value, Error> {
        let shape = self.common_shape(op.name(), &[lhs, rhs])?;
        let (op, operands) = op.without_greater([(lhs, compute[0]), (rhs, compute[1])]);
        let inputs = operands.map(|(x, compute)| self.in_compute_dtype(x, compute));
        let kernel = compare::kernel(op, operands.map(|(_, compute)| compute_dtype(compute)));
        Ok(self.step(Step::new(kernel, &inputs), DType::Bool, shape))
    }

    /// Casts the operand to a dtype and applies the function in it, as [`unary`](super::unary()) does.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] if the function is not defined in the dtype.
    pub(crate) fn unary(&mut self, op: UnaryOp, compute: DType, x: Value) -> Result<Value, Error> {
        let dtype = op.result(compute).ok_or(Error::UnsupportedDType {
            operation: op.name(),
            dtype: compute,
        })?;
        let Some(kernel) = unary::kernel(op, compute_dtype(compute)) else {
            return Ok(self.cast(x, compute));
        };
        let shape = *self.shape(x);
        let x = self.in_compute_dtype(x, compute);
        let step = Step {
            cost: op.cost(),
            ..Step::new(kernel, &[x])
        };
        let result = self.step(step, compute_dtype(dtype), shape);
        Ok(self.cast(result, dtype))
    }

    /// Takes elements of `then` where the condition is true, else of `otherwise`, both cast to `out`, as
    /// [`select`](super::select()) does.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`],
    /// [`Error::ShapeTooLarge`].
    pub(crate) fn select(
        &mut self,
        out: DType,
        condition: Value,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, Error> {
        self.expect("select", DType::Bool, condition)?;
        let shape = broadcast("select", self.shape(then), self.shape(otherwise))?;
        let shape = broadcast("select", self.shape(condition), &shape)?;
        element_count("select", &shape)?;
        let kernel = select::kernel(out);
        let inputs = [condition, self.cast(then, out), self.cast(otherwise, out)];
        Ok(self.step(Step::new(kernel, &inputs), out, shape))
    }

    /// Converts every element, as [`cast`](super::cast()) does.
    pub(crate) fn cast(&mut self, x: Value, to: DType) -> Value {
        let mut x = x;
        loop {
            let (from, shape) = (self.dtype(x), *self.shape(x));
            if from == to {
                return x;
            }
            // Encoding followed by decoding is one rounding loop.
            if let Some(encoded) = self.encoded(x)
                && let Some(kernel) = cast::round(from)
            {
                x = self.step(Step::new(kernel, &[encoded]), DType::F32, shape);
                continue;
            }
            x = match cast::step(from, to) {
                Some((kernel, dtype)) => self.step(Step::new(kernel, &[x]), dtype, shape),
                None => {
                    let bytes = self.bytes(x);
                    self.value(ValueKey::Bytes(bytes, to), || Node {
                        origin: Origin::Bytes(bytes),
                        dtype: to,
                        shape,
                    })
                }
            };
        }
    }

    /// Converts every element, as [`cast_saturating`](super::cast_saturating()) does.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] of complex numbers.
    pub(crate) fn cast_saturating(&mut self, x: Value, to: DType) -> Result<Value, Error> {
        if !saturate::saturates(self.dtype(x), to)? {
            return Ok(self.cast(x, to));
        }
        // Small floats are decoded first, because the value may be known before it was encoded.
        let mut x = self.cast(x, compute_dtype(self.dtype(x)));
        for (kernel, dtype) in saturate::steps(self.dtype(x), to) {
            let shape = *self.shape(x);
            x = self.step(Step::new(kernel, &[x]), dtype, shape);
        }
        Ok(x)
    }

    /// Converts a value to the compute type of a dtype, rounded to the dtype.
    fn in_compute_dtype(&mut self, x: Value, compute: DType) -> Value {
        let x = self.cast(x, compute);
        self.cast(x, compute_dtype(compute))
    }

    /// The value that `x` is the encoding of, if it is one.
    fn encoded(&self, x: Value) -> Option<Value> {
        let Node { origin, dtype, .. } = self.node(x);
        match origin {
            Origin::Step(step) if dtype.is_small_float() => {
                let (encode, _) = cast::step(DType::F32, *dtype)?;
                (address(encode) == address(step.kernel)).then_some(step.inputs.values[0])
            }
            _ => None,
        }
    }

    /// Returns an error if the value's dtype is another.
    fn expect(&self, operation: &'static str, expected: DType, x: Value) -> Result<(), Error> {
        let found = self.dtype(x);
        if found == expected {
            return Ok(());
        }
        Err(Error::DTypeMismatch {
            operation,
            expected,
            found,
        })
    }

    /// Returns the shape to which values broadcast.
    fn common_shape(&self, operation: &'static str, values: &[Value]) -> Result<Dims, Error> {
        let mut shape = *self.shape(values[0]);
        for value in &values[1..] {
            let other = self.shape(*value);
            if *other != shape {
                shape = broadcast(operation, &shape, other)?;
            }
        }
        element_count(operation, &shape)?;
        Ok(shape)
    }

    /// Adds a step. Its loop takes these inputs and gives elements of the dtype.
    fn step(&mut self, mut step: Step, dtype: DType, shape: Dims) -> Value {
        let inputs = &mut step.inputs;
        inputs.values = inputs.values.map(|input| self.bytes(input));
        self.can_fail |= step.check.is_some();
        self.broadcasts |= inputs.iter().any(|input| {
            let node = self.node(input);
            matches!(node.origin, Origin::Step(_)) && node.shape != shape
        });
        let key = ValueKey::Step {
            address: address(step.kernel),
            inputs: *inputs,
            dtype,
            check: step.check,
        };
        self.value(key, || Node {
            origin: Origin::Step(step),
            dtype,
            shape,
        })
    }

    /// Returns the value with a key: an existing or a new one.
    fn value(&mut self, key: ValueKey, node: impl FnOnce() -> Node<'a>) -> Value {
        let found = if self.nodes.len() <= HASH_FROM {
            let number = self.keys.iter().position(|known| *known == key);
            number.map(value_of)
        } else {
            self.table.get(&key).copied()
        };
        if let Some(found) = found {
            return found;
        }
        let value = value_of(self.nodes.len());
        self.nodes.push(node());
        self.keys.push(key);
        if self.nodes.len() > HASH_FROM {
            if self.table.is_empty() {
                let known = self.keys.iter().enumerate();
                self.table = known
                    .map(|(number, key)| (*key, value_of(number)))
                    .collect();
            }
            self.table.insert(key, value);
        }
        value
    }

    fn node(&self, value: Value) -> &Node<'a> {
        &self.nodes[value.index()]
    }

    /// The value whose bytes these are: `value` itself, unless it is `Bytes`.
    fn bytes(&self, value: Value) -> Value {
        match self.node(value).origin {
            Origin::Bytes(bytes) => bytes,
            _ => value,
        }
    }
}

/// # Panics
/// If there are `2^32` values.
fn value_of(number: usize) -> Value {
    Value(u32::try_from(number).expect("fewer values than 2^32"))
}

#[expect(clippy::as_conversions, reason = "a function's address")]
fn address(kernel: Kernel) -> usize {
    kernel as usize
}
