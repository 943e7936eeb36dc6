//! Norms of vectors.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{DType, Kind, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::exec::{Graph, Value};
use crate::kernel::{BinaryOp, CompareOp, ReduceOp, UnaryOp};
use crate::ops::reduce::some_axes_of;
use crate::rank::{Axes, Rank, RemoveAxes};
use crate::rules::Rules;
use crate::rules::operations::Variance;
use crate::tensor::{Tensor, or_panic};

/// The dtype in which a norm is computed: `f32` for small floats, as sums of them, else `f64`.
fn compute_dtype(x: DType, out: DType) -> DType {
    match x.is_small_float() && (out.is_small_float() || out == DType::F32) {
        true => DType::F32,
        false => DType::F64,
    }
}

/// Adds the magnitudes of elements to a graph, in the dtype in which the norm of order `p` is computed; or the elements themselves if they are
/// to be squared.
fn magnitudes(
    graph: &mut Graph<'_>,
    (x, from): (Value, DType),
    p: f64,
    compute: DType,
) -> Result<Value, Error> {
    if from.kind() == Kind::Complex {
        let wide = graph.cast(x, DType::C128);
        return graph.unary(UnaryOp::Abs, DType::C128, wide);
    }
    let wide = graph.cast(x, compute);
    match p == 2.0 {
        true => Ok(wide),
        false => graph.unary(UnaryOp::Abs, compute, wide),
    }
}

/// Adds to a graph the terms of a norm of finite order, whose sum makes the norm, given the magnitudes of elements.
fn terms(graph: &mut Graph<'_>, sizes: Value, p: f64, compute: DType) -> Result<Value, Error> {
    if p == 1.0 {
        return Ok(sizes);
    }
    if p == 2.0 {
        return graph.binary(BinaryOp::Mul, [compute; 2], sizes, sizes);
    }
    let order = ScalarBits::of(compute, p).to_array()?;
    let order = graph.operand(Cow::Owned(order));
    if p == 0.0 {
        let differs = graph.compare(CompareOp::Ne, [compute; 2], sizes, order)?;
        return Ok(graph.cast(differs, compute));
    }
    graph.binary(BinaryOp::Pow, [compute; 2], sizes, order)
}

/// The norm of order `p` along axes as users give them; see [`Tensor::norm`].
pub(crate) fn norm(
    x: &Array,
    p: f64,
    axes: Option<&[isize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let operation = "norm";
    let axes = some_axes_of(operation, axes, x.rank())?;
    let axes = axes.as_deref();
    let compute = compute_dtype(x.dtype(), out);
    let root = |sums| exec::unary(UnaryOp::Sqrt, compute, out, Cow::Owned(sums)).array();
    if p == 2.0
        && let Some(sums) = exec::sum_of_squares(x, axes, keep_dims, compute)
    {
        return root(sums?);
    }
    let mut graph = Graph::new();
    let operand = graph.operand(Cow::Borrowed(x));
    let sizes = magnitudes(&mut graph, (operand, x.dtype()), p, compute)?;
    if p.is_infinite() {
        let of_none = match axes {
            Some(axes) => axes.iter().any(|axis| x.shape()[*axis] == 0),
            None => x.is_empty(),
        };
        let op = match p > 0.0 {
            // The greatest of no magnitudes is zero, as their sum is.
            true if of_none => ReduceOp::Sum,
            true => ReduceOp::Max,
            false => ReduceOp::Min,
        };
        let reduced = graph.reduce(op, sizes, axes, keep_dims, out);
        return reduced.map_err(|error| match error {
            Error::EmptyReduction { shape, .. } => Error::EmptyReduction { operation, shape },
            error => error,
        });
    }
    let terms = terms(&mut graph, sizes, p, compute)?;
    if p == 0.0 || p == 1.0 {
        return graph.reduce(ReduceOp::Sum, terms, axes, keep_dims, out);
    }
    let sums = graph.reduce(ReduceOp::Sum, terms, axes, keep_dims, compute)?;
    if p == 2.0 {
        return root(sums);
    }
    let sums = Datum::owned(sums);
    let root = Datum::ScalarBits(ScalarBits::of(compute, 1.0 / p));
    exec::binary(BinaryOp::Pow, compute, out, sums, root).array()
}

/// # Norms
///
/// The dtypes are those of [`Self::var`]: real for complex numbers.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The norm of order `p` along one axis, several, or all (`..`), which are removed: `sum(|x|^p)^(1/p)`.
    ///
    /// `p = f64::INFINITY` gives the greatest magnitude, `-f64::INFINITY` the least one, and `p = 0.0` the number of
    /// elements that are not zero. It is computed in `f64` (in `f32` for 16-bit and 8-bit floats) and rounded once. The
    /// norm of no elements is zero for positive `p`. `Out` is inferred: it is the result of
    /// [`Variance`](crate::operations::Variance) for `D`.
    ///
    /// # Panics
    /// With the text of [`Self::try_norm`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<F32, Rank2> = tensor![[3.0, -4.0], [0.0, 2.0]];
    /// let lengths: Tensor<F32, Rank1> = t.norm(2.0, -1);
    /// assert_eq!(lengths.to_vec(), [5.0, 2.0]);
    /// assert_eq!(t.norm(1.0, ..).item(), Ok(9.0));
    /// assert_eq!(t.norm(f64::INFINITY, ..).item(), Ok(4.0));
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn norm<Out, A>( // of all elements `norm(2.0, ..)`; kept with size 1 `norm_keepdims(2.0, 0)`, whatever `help` says
        &self,
        p: f64,
        axes: A,
    ) -> Tensor<Out, A::Output, R>
    where
        D: StaticDType + Variance<R::Operations, Output = Out>,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        or_panic(self.try_norm(p, axes))
    }

    /// [`Self::norm`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; [`Error::EmptyReduction`] for `p = -f64::INFINITY` and no elements;
    /// [`Error::OutOfMemory`].
    pub fn try_norm<Out, A>(&self, p: f64, axes: A) -> Result<Tensor<Out, A::Output, R>, Error>
    where
        D: StaticDType + Variance<R::Operations, Output = Out>,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        norm(
            self.array(),
            p,
            axes.numbers().as_slice(),
            false,
            Out::DTYPE,
        )
        .map(Tensor::from_array)
    }

    /// [`Self::norm`] along axes that the result keeps with size one.
    ///
    /// # Panics
    /// With the text of [`Self::try_norm_keepdims`]'s error.
    #[track_caller]
    pub fn norm_keepdims<Out>(&self, p: f64, axes: impl Axes) -> Tensor<Out, N, R>
    where
        D: StaticDType + Variance<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_norm_keepdims(p, axes))
    }

    /// [`Self::norm_keepdims`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_norm`].
    pub fn try_norm_keepdims<Out>(
        &self,
        p: f64,
        axes: impl Axes,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + Variance<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let made = norm(self.array(), p, axes.numbers().as_slice(), true, Out::DTYPE);
        named("norm_keepdims", made).map(Tensor::from_array)
    }
}
