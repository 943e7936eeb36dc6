//! Histograms between given edges, counts with weights, and densities. They are made of searches, scatters and divisions, so a trace
//! records the parts.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{DType, IntegerDType, Kind, RealDType, StaticDType};
use crate::error::{Error, named, unequal_shapes};
use crate::exec;
use crate::kernel::{BinaryOp, ReduceOp, ScatterOp, SearchSide, SortOrder};
use crate::rank::{MayBe, Rank, Rank1};
use crate::rules::Rules;
use crate::rules::operations::{ArgMinMax, Divide, Sum};
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_histogram_edges`] of arrays: counts.
pub(crate) fn histogram_edges(x: &Array, edges: &Array, out: DType) -> Result<Array, Error> {
    let operation = "histogram_edges";
    named(operation, counts(operation, x, edges, out))
}

/// Counts the elements in the bins between edges, by their positions among the sorted elements: a search for each edge and not for each
/// element. (A million `f32` between 101 edges: 5.6 ms instead of 40.)
fn counts(operation: &'static str, x: &Array, edges: &Array, out: DType) -> Result<Array, Error> {
    require_real(operation, x)?;
    let edges = vector(operation, edges)?;
    exec::check_edges(operation, &edges)?;
    let bins = edges.len().saturating_sub(1);
    if bins == 0 {
        return ScalarBits::of(out, 0.0).full(&[0]);
    }
    let sorted = exec::sort(&exec::reshape(x, &[x.len()])?, 0, SortOrder::Ascending)?;
    let sorted = real(operation, &sorted)?;
    let split = bins.cast_signed();
    let before = exec::searchsorted(&sorted, &edges, SearchSide::Left, DType::I64)?;
    // The last bin has its upper edge too.
    let last = exec::slice(&edges, 0, split, split + 1, 1)?;
    let end = exec::searchsorted(&sorted, &last, SearchSide::Right, DType::I64)?;
    let starts = exec::slice(&before, 0, 0, split, 1)?;
    let ends = exec::slice(&before, 0, 1, split, 1)?;
    let ends = exec::concat(&[&ends, &end], 0, DType::I64)?;
    let [ends, starts] = [ends, starts].map(Datum::owned);
    let counts = exec::binary(BinaryOp::Sub, DType::I64, DType::I64, ends, starts).array()?;
    exec::cast(Cow::Owned(counts), out)
}

/// [`Tensor::try_histogram_weighted`] of arrays: sums of weights.
pub(crate) fn histogram_weighted(
    x: &Array,
    edges: &Array,
    weights: &Array,
    out: DType,
) -> Result<Array, Error> {
    let operation = "histogram_weighted";
    same_shape(operation, x, weights)?;
    named(operation, in_bins(operation, x, edges, weights, out))
}

/// [`Tensor::try_bincount_weighted`] of arrays.
pub(crate) fn bincount_weighted(
    x: &Array,
    weights: &Array,
    min_len: usize,
    out: DType,
) -> Result<Array, Error> {
    let operation = "bincount_weighted";
    let len = exec::bincount(operation, x, min_len, DType::I64)?.len();
    same_shape(operation, x, weights)?;
    named(operation, summed(x, weights, len, out))
}

/// [`Tensor::try_density`] of arrays.
pub(crate) fn density(counts: &Array, edges: &Array, out: DType) -> Result<Array, Error> {
    let operation = "density";
    let (counts, edges) = (vector(operation, counts)?, vector(operation, edges)?);
    let bins = counts.len();
    if edges.len() != bins.saturating_add(1) {
        return Err(Error::LengthMismatch {
            operation,
            what: "edges",
            expected: bins.saturating_add(1),
            found: edges.len(),
        });
    }
    let total = exec::reduce(ReduceOp::Sum, &counts, None, false, DType::F64).array()?;
    let [lower, upper] =
        [0, 1].map(|first| exec::slice(&edges, 0, first, first + bins.cast_signed(), 1));
    let widths = float(BinaryOp::Sub, upper?, lower?)?;
    let density = float(BinaryOp::Div, float(BinaryOp::Div, counts, widths)?, total)?;
    exec::cast(Cow::Owned(density), out)
}

fn float(op: BinaryOp, lhs: Array, rhs: Array) -> Result<Array, Error> {
    let [lhs, rhs] = [lhs, rhs].map(Datum::owned);
    exec::binary(op, DType::F64, DType::F64, lhs, rhs).array()
}

/// Sums weights in the bins between edges. Elements are compared as `f64`.
fn in_bins(
    operation: &'static str,
    x: &Array,
    edges: &Array,
    weights: &Array,
    out: DType,
) -> Result<Array, Error> {
    let (x, edges) = (real(operation, x)?, vector(operation, edges)?);
    exec::check_edges(operation, &edges)?;
    let Some(bins) = edges.len().checked_sub(1) else {
        return ScalarBits::of(out, 0.0).full(&[0]);
    };
    // Position 0 is that of elements below the first edge, and the one behind the bins that of elements above the last edge, and of NaN.
    // An element at the last edge is not above it.
    let split = bins.cast_signed();
    let lower = exec::slice(&edges, 0, 0, split, 1)?;
    let last = exec::slice(&edges, 0, split, split + 1, 1)?;
    let [reached, above] = [(lower, SearchSide::Right), (last, SearchSide::Left)]
        .map(|(edges, side)| exec::searchsorted(&edges, &x, side, DType::I64));
    let [reached, above] = [reached?, above?].map(Datum::owned);
    let positions = exec::binary(BinaryOp::Add, DType::I64, DType::I64, reached, above).array()?;
    let sums = summed(&positions, weights, bins.saturating_add(2), out)?;
    exec::slice(&sums, 0, 1, split + 1, 1)
}

/// Sums weights by their positions in a vector: of floats in `f64`, and rounded once.
fn summed(positions: &Array, weights: &Array, len: usize, out: DType) -> Result<Array, Error> {
    let compute = match out.kind() {
        Kind::Float => DType::F64,
        Kind::Complex => DType::C128,
        _ => out,
    };
    let weights = exec::cast(Cow::Borrowed(weights), compute)?;
    let flat = [positions.len()];
    let (positions, weights) = (
        exec::reshape(positions, &flat)?,
        exec::reshape(&weights, &flat)?,
    );
    let zeros = ScalarBits::of(compute, 0.0).full(&[len])?;
    let sums = exec::scatter(ScatterOp::Add, &zeros, &positions, &weights, 0)?;
    exec::cast(Cow::Owned(sums), out)
}

fn same_shape(operation: &'static str, x: &Array, weights: &Array) -> Result<(), Error> {
    match x.shape() == weights.shape() {
        true => Ok(()),
        false => Err(unequal_shapes(
            operation,
            ["the tensor".into(), "the weights".into()],
            [x.shape(), weights.shape()],
            |_| false,
        )),
    }
}

fn require_real(operation: &'static str, x: &Array) -> Result<(), Error> {
    match x.dtype().kind() {
        Kind::Complex => Err(Error::UnsupportedDType {
            operation,
            dtype: x.dtype(),
        }),
        _ => Ok(()),
    }
}

/// Converts real numbers to `f64`.
fn real(operation: &'static str, x: &Array) -> Result<Array, Error> {
    require_real(operation, x)?;
    exec::cast(Cow::Borrowed(x), DType::F64)
}

/// Converts a vector of real numbers to `f64`.
fn vector(operation: &'static str, x: &Array) -> Result<Array, Error> {
    match x.rank() {
        1 => real(operation, x),
        _ => Err(Error::RankMismatch {
            operation,
            expected: 1,
            shape: x.shape().to_vec(),
        }),
    }
}

/// # Weighted counts
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Sums the weights of each integer from zero on in a vector, as NumPy's and PyTorch's `bincount` with weights: one sum for each count
    /// of [`Self::bincount`].
    ///
    /// The dtype is that of [`Self::sum`] for the weights. Weights are added in row-major order, floats in `f64`, and the sums are rounded
    /// once.
    ///
    /// # Panics
    /// With the text of [`Self::try_bincount_weighted`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor, U8, tensor};
    /// let groups: Tensor<U8, Rank1> = tensor![1, 3, 1];
    /// let weights: Tensor<F32, Rank1> = tensor![0.5, 2.0, 0.25];
    /// assert_eq!(groups.bincount_weighted(&weights, 0).to_vec(), [0.0, 0.75, 0.0, 2.0]);
    /// ```
    #[track_caller]
    pub fn bincount_weighted<Out, W, M>(
        &self,
        weights: &Tensor<W, M, R>,
        min_len: usize,
    ) -> Tensor<Out, Rank1, R>
    where
        D: StaticDType + IntegerDType,
        N: MayBe<Rank1>,
        W: StaticDType + Sum<R::Operations, Output = Out>,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        or_panic(self.try_bincount_weighted(weights, min_len))
    }

    /// [`Self::bincount_weighted`], fallible.
    ///
    /// # Errors
    /// [`Error::NegativeNumber`]; [`Error::SizeMismatch`] if there are not as many weights; [`Error::RankMismatch`] if it is not a
    /// vector at run time; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_bincount_weighted<Out, W, M>(
        &self,
        weights: &Tensor<W, M, R>,
        min_len: usize,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: StaticDType + IntegerDType,
        N: MayBe<Rank1>,
        W: StaticDType + Sum<R::Operations, Output = Out>,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        bincount_weighted(self.array(), weights.array(), min_len, Out::DTYPE)
            .map(Tensor::from_array)
    }

    /// Counts the elements in the bins between neighbours of a vector of edges, as NumPy's `histogram` with `bins=edges`. A bin has its
    /// lower edge and not its upper one, except the last, which has both. Elements beyond the edges, and NaN, are not counted.
    ///
    /// Elements and edges are compared as `f64`. The edges may have another dtype; fewer than two make no bins. The dtype of the counts is
    /// that of [`Self::argsort`]. [`Self::histogram`] makes bins of equal width, [`Self::histogram_weighted`] sums weights, and
    /// [`Self::density`] makes a density of either. In a trace (`stablehlo::trace`) edges may be unknown; they are then not checked.
    ///
    /// # Panics
    /// With the text of [`Self::try_histogram_edges`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank1, Tensor, tensor};
    /// let t: Tensor<F32, Rank1> = tensor![0.5, 1.0, 3.0, 4.0, 7.0];
    /// let edges: Tensor<I64, Rank1> = tensor![0, 1, 4];
    /// assert_eq!(t.histogram_edges(&edges).to_vec(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn histogram_edges<Out, E, M>(&self, edges: &Tensor<E, M, R>) -> Tensor<Out, Rank1, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        or_panic(self.try_histogram_edges(edges))
    }

    /// [`Self::histogram_edges`], fallible.
    ///
    /// # Errors
    /// [`Error::EdgesNotAscending`] for an edge below the one before it, and for NaN; [`Error::RankMismatch`] if the edges are no vector at
    /// run time; [`Error::UnsupportedDType`] of complex numbers; [`Error::OutOfMemory`].
    pub fn try_histogram_edges<Out, E, M>(
        &self,
        edges: &Tensor<E, M, R>,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        histogram_edges(self.array(), edges.array(), Out::DTYPE).map(Tensor::from_array)
    }

    /// Sums the weights of the elements in the bins between neighbours of a vector of edges, as NumPy's `histogram` with `bins=edges` and
    /// `weights`. There is a weight for each element; [`Self::histogram_edges`] describes the bins. Edges of bins of equal width are
    /// `Tensor::<F64>::linspace(low, high, bins + 1)`.
    ///
    /// The dtype is that of [`Self::sum`] for the weights. Weights are added in row-major order, floats in `f64`, and the sums are rounded
    /// once. (NumPy subtracts cumulative sums, whose rounding differs.)
    ///
    /// # Panics
    /// With the text of [`Self::try_histogram_weighted`]'s error.
    ///
    /// ```
    /// use supremum::{F32, F64, Rank1, Tensor, tensor};
    /// let t: Tensor<F32, Rank1> = tensor![0.5, 1.0, 3.0, 4.0, 7.0];
    /// let edges: Tensor<F64, Rank1> = tensor![0.0, 1.0, 4.0];
    /// let weights: Tensor<F32, Rank1> = tensor![2.0, 0.25, 0.5, 1.0, 9.0];
    /// let sums = t.histogram_weighted(&edges, &weights);
    /// assert_eq!(sums.to_vec(), [2.0, 1.75]);
    /// assert_eq!(sums.density(&edges).to_vec(), [2.0 / 3.75, 1.75 / 3.0 / 3.75]);
    /// ```
    #[track_caller]
    pub fn histogram_weighted<Out, E, M, W>(
        &self,
        edges: &Tensor<E, M, R>,
        weights: &Tensor<W, N, R>,
    ) -> Tensor<Out, Rank1, R>
    where
        D: RealDType,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        W: StaticDType + Sum<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_histogram_weighted(edges, weights))
    }

    /// [`Self::histogram_weighted`], fallible.
    ///
    /// # Errors
    /// [`Error::SizeMismatch`] or [`Error::ShapeMismatch`] if the weights have another shape; the errors of [`Self::try_histogram_edges`].
    pub fn try_histogram_weighted<Out, E, M, W>(
        &self,
        edges: &Tensor<E, M, R>,
        weights: &Tensor<W, N, R>,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: RealDType,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        W: StaticDType + Sum<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let (x, edges, weights) = (self.array(), edges.array(), weights.array());
        histogram_weighted(x, edges, weights, Out::DTYPE).map(Tensor::from_array)
    }

    /// Divides the counts or sums of a histogram by their total and by the widths of the bins, as NumPy's `histogram` with `density=True`:
    /// the integral over the bins is one. The edges are those of the histogram.
    ///
    /// `Out` is inferred: it is what [`Divide`] gives for the edges, the dtype of a quotient of two edges, as in JAX and PyTorch. (NumPy's
    /// densities are `f64`.) It is computed in `f64` and rounded once. The density of no counts is NaN, as NumPy's.
    ///
    /// # Panics
    /// With the text of [`Self::try_density`]'s error.
    ///
    /// ```
    /// use supremum::{F32, F64, Rank1, Tensor, tensor};
    /// let t: Tensor<F32, Rank1> = tensor![0.5, 1.0, 3.0, 4.0];
    /// let edges: Tensor<F64, Rank1> = tensor![0.0, 2.0, 6.0];
    /// let density: Tensor<F64, Rank1> = t.histogram_edges(&edges).density(&edges);
    /// assert_eq!(density.to_vec(), [0.25, 0.125]);
    /// ```
    #[track_caller]
    pub fn density<Out, E, M>(&self, edges: &Tensor<E, M, R>) -> Tensor<Out, Rank1, R>
    where
        D: RealDType,
        N: MayBe<Rank1>,
        E: RealDType + Divide<R::Operations, Output = Out>,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        or_panic(self.try_density(edges))
    }

    /// [`Self::density`], fallible.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not one edge more than there are counts; [`Error::RankMismatch`] if one of both is no vector at
    /// run time; [`Error::OutOfMemory`].
    pub fn try_density<Out, E, M>(
        &self,
        edges: &Tensor<E, M, R>,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: RealDType,
        N: MayBe<Rank1>,
        E: RealDType + Divide<R::Operations, Output = Out>,
        M: Rank + MayBe<Rank1>,
        Out: StaticDType,
    {
        density(self.array(), edges.array(), Out::DTYPE).map(Tensor::from_array)
    }
}
