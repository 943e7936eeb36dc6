//! The graph of a `fuse!` expression.

use std::borrow::Cow;

use super::{PartMut, is_tracing, require_concrete};
use crate::array::{Array, Datum, Dims};
use crate::dtype::{DType, Element};
use crate::error::Error;
pub(crate) use crate::kernel::Value;
use crate::kernel::{self, ArgOp, BinaryOp, CompareOp, ReduceOp, UnaryOp};

/// A graph of operations on operands, evaluated as one ([`kernel::Graph`]).
///
/// In a trace each step runs when it is added: its function of `exec/` records it, and all values are operands. Each
/// method has the meaning and the errors of [`kernel::Graph`]'s method of the same name.
pub(crate) struct Graph<'a> {
    graph: kernel::Graph<'a>,
    is_eager: bool,
    /// The output's former elements, if steps run at once.
    target: Option<Array>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new() -> Self {
        Self {
            graph: kernel::Graph::new(),
            is_eager: is_tracing(),
            target: None,
        }
    }

    /// Returns whether steps run at once.
    #[inline]
    fn is_eager(&self) -> bool {
        cfg!(feature = "stablehlo") && self.is_eager
    }

    /// Sets the output whose former elements [`Self::target`] gives. In a trace, call it before any step is added.
    pub(crate) fn hold(&mut self, out: &Array) {
        if self.is_eager() {
            self.target = Some(out.clone());
        }
    }

    /// Adds an operand.
    pub(crate) fn operand(&mut self, array: Cow<'a, Array>) -> Value {
        self.graph.operand(array)
    }

    /// Adds the output's former elements as a value.
    pub(crate) fn target(&mut self, dtype: DType, shape: &Dims) -> Value {
        match self.target.clone() {
            Some(target) => self.given(target),
            None => self.graph.target(dtype, shape),
        }
    }

    /// A value's shape.
    pub(crate) fn shape(&self, value: Value) -> &Dims {
        self.graph.shape(value)
    }

    /// The array of a value, if steps run at once.
    fn array(&self, value: Value) -> Array {
        let array = self.graph.array_of(value);
        array.expect("all values are operands").clone()
    }

    /// [`Self::array`] as an operand.
    fn datum(&self, value: Value) -> Datum<'static> {
        Datum::owned(self.array(value))
    }

    /// Adds the result of a step that ran at once.
    fn given(&mut self, array: Array) -> Value {
        self.graph.operand(Cow::Owned(array))
    }

    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        [compute, out]: [DType; 2],
        lhs: Value,
        rhs: Value,
    ) -> Result<Value, Error> {
        if !self.is_eager() {
            return self.graph.binary_to(op, [compute, out], lhs, rhs);
        }
        let result = super::binary(op, compute, out, self.datum(lhs), self.datum(rhs));
        Ok(self.given(result.array()?))
    }

    pub(crate) fn compare(
        &mut self,
        op: CompareOp,
        compute: [DType; 2],
        lhs: Value,
        rhs: Value,
    ) -> Result<Value, Error> {
        if !self.is_eager() {
            return self.graph.compare(op, compute, lhs, rhs);
        }
        let result = super::compare(op, compute, self.datum(lhs), self.datum(rhs));
        Ok(self.given(result.array()?))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, compute: DType, x: Value) -> Result<Value, Error> {
        if !self.is_eager() {
            return self.graph.unary(op, compute, x);
        }
        let out = op.result(compute).unwrap_or(compute);
        let result = super::unary(op, compute, out, Cow::Owned(self.array(x)));
        Ok(self.given(result.array()?))
    }

    pub(crate) fn select(
        &mut self,
        out: DType,
        condition: Value,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, Error> {
        if !self.is_eager() {
            return self.graph.select(out, condition, then, otherwise);
        }
        let condition = Cow::Owned(self.array(condition));
        let (then, otherwise) = (self.datum(then), self.datum(otherwise));
        let result = super::select(condition, out, out, then, otherwise);
        Ok(self.given(result.array()?))
    }

    /// Converts every element. If steps run at once, an error ends the traced function.
    pub(crate) fn cast(&mut self, x: Value, to: DType) -> Value {
        if !self.is_eager() {
            return self.graph.cast(x, to);
        }
        let cast = super::cast(Cow::Owned(self.array(x)), to);
        self.given(super::or_abort_trace(cast))
    }

    /// Converts every element to a real dtype, and saturates.
    pub(crate) fn cast_saturating(&mut self, x: Value, to: DType) -> Result<Value, Error> {
        if !self.is_eager() {
            return self.graph.cast_saturating(x, to);
        }
        let cast = super::cast_saturating(Cow::Owned(self.array(x)), to);
        Ok(self.given(cast?))
    }

    /// Evaluates a value; see [`kernel::Graph::evaluate`].
    pub(crate) fn evaluate(self, value: Value) -> Result<Array, Error> {
        self.graph.evaluate(value)
    }

    /// Writes a value into an array; see [`kernel::Graph::evaluate_into`].
    pub(crate) fn evaluate_into(
        self,
        operation: &'static str,
        value: Value,
        out: &mut Array,
    ) -> Result<(), Error> {
        if !self.is_eager() {
            return self.graph.evaluate_into(operation, value, out);
        }
        self.graph.check_output(operation, value, out)?;
        *out = self.array(value);
        Ok(())
    }

    /// Writes a value into a part; see [`kernel::Graph::evaluate_into_view`].
    pub(crate) fn evaluate_into_part(
        self,
        operation: &'static str,
        value: Value,
        out: &mut PartMut<'_>,
    ) -> Result<(), Error> {
        if !self.is_eager() {
            return match out.elements() {
                Some(view) => self.graph.evaluate_into_view(operation, value, view),
                None => Err(super::outside_trace(operation)),
            };
        }
        self.graph.check_output(operation, value, out.as_array())?;
        out.assign(operation, &self.array(value))
    }

    /// Reduces a value; see [`kernel::Graph::reduce`].
    pub(crate) fn reduce(
        self,
        op: ReduceOp,
        x: Value,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        if !self.is_eager() {
            return self.graph.reduce(op, x, axes, keep_dims, out);
        }
        super::reduce(op, &self.array(x), axes, keep_dims, out).array()
    }

    /// Returns the positions of extremes; see [`kernel::Graph::arg_reduce`].
    pub(crate) fn arg_reduce(
        self,
        op: ArgOp,
        x: Value,
        axis: Option<usize>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        if !self.is_eager() {
            return self.graph.arg_reduce(op, x, axis, keep_dims, out);
        }
        super::arg_reduce(op, &self.array(x), axis, keep_dims, out)
    }
}

macro_rules! calls {
    ($($call:ident ($($A:ident $a:ident),*))*) => {
        impl Graph<'_> {$(
            /// Calls a user's function with each element. If steps run at once, it reads the elements.
            pub(crate) fn $call<$($A: Element,)* R: Element, F>(
                &mut self,
                name: &'static str,
                function: F,
                $($a: Value,)*
            ) -> Result<Value, Error>
            where
                F: Fn($($A),*) -> R + Copy + 'static,
            {
                if !self.is_eager() {
                    return self.graph.$call(name, function, $($a),*);
                }
                let mut graph = kernel::Graph::new();
                $(let $a = self.array($a);)*
                let result = {
                    $(let $a = graph.operand(Cow::Borrowed(&$a));)*
                    graph.$call(name, function, $($a),*)?
                };
                $(require_concrete(name, &$a)?;)*
                let result = graph.evaluate(result)?;
                Ok(self.given(result))
            }
        )*}
    };
}

calls! {
    call1 (A a)
    call2 (A a, B b)
    call3 (A a, B b, C c)
}
