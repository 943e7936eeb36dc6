//! `bincount`, `histogram` and `count_nonzero`: how often values occur.

use core::ops::RangeInclusive;
use std::borrow::Cow;

use super::reduce::some_axes_of;
use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{DType, I32, IntegerDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{CompareOp, ReduceOp};
use crate::rank::{Axes, MayBe, Rank, Rank0, Rank1, RemoveAxes};
use crate::rules::Rules;
use crate::rules::operations::ArgMinMax;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_count_nonzero`] of arrays, and its forms along axes.
pub(crate) fn count_nonzero(
    x: &Array,
    axes: Option<&[isize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let operation = "count_nonzero";
    let axes = some_axes_of(operation, axes, x.rank())?;
    if let Some(counts) = exec::count_nonzero(x, axes.as_deref(), keep_dims, out) {
        return Ok(counts);
    }
    // The axes of a tracer, whose strides are zero, stay in order.
    let is_counted = x.map_in_memory_order(|x| Ok(is_nonzero(operation, x)?.into_owned()))?;
    let count = exec::reduce(ReduceOp::Sum, &is_counted, axes.as_deref(), keep_dims, out);
    named(operation, count.array())
}

/// Returns a mask of the elements that are not zero.
pub(super) fn is_nonzero<'a>(
    operation: &'static str,
    x: &'a Array,
) -> Result<Cow<'a, Array>, Error> {
    let dtype = x.dtype();
    if dtype == DType::Bool {
        return Ok(Cow::Borrowed(x));
    }
    let zero = Datum::ScalarBits(ScalarBits::of(dtype, 0.0));
    let x = Datum::borrowed(x);
    let nonzero = exec::compare(CompareOp::Ne, [dtype; 2], x, zero).array();
    named(operation, nonzero).map(Cow::Owned)
}

/// # Counts
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Counts how often each integer from zero on occurs in a vector, up to the greatest one, as NumPy's and PyTorch's `bincount`. There are
    /// at least `min_len` counts.
    ///
    /// The dtype of the counts is that of [`Self::argsort`]. Their number depends on the elements, so a trace (`stablehlo::trace`) cannot
    /// record it; [`Self::histogram`] has a fixed number. [`Self::bincount_weighted`] sums weights.
    ///
    /// # Panics
    /// With the text of [`Self::try_bincount`]'s error.
    ///
    /// ```
    /// use supremum::{I64, Rank1, Tensor, U8, tensor};
    /// let t: Tensor<U8, Rank1> = tensor![1, 3, 1];
    /// let counts: Tensor<I64, Rank1> = t.bincount(0);
    /// assert_eq!(counts.to_vec(), [0, 2, 0, 1]);
    /// assert_eq!(t.bincount(6).to_vec(), [0, 2, 0, 1, 0, 0]);
    /// ```
    #[track_caller]
    pub fn bincount<Out>(&self, min_len: usize) -> Tensor<Out, Rank1, R>
    where
        D: StaticDType + IntegerDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
    {
        or_panic(self.try_bincount(min_len))
    }

    /// [`Self::bincount`], fallible.
    ///
    /// # Errors
    /// [`Error::NegativeNumber`]; [`Error::RankMismatch`] if it is not a vector at run time;
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_bincount<Out>(&self, min_len: usize) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: StaticDType + IntegerDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
    {
        exec::bincount("bincount", self.array(), min_len, Out::DTYPE).map(Tensor::from_array)
    }

    /// Counts the elements in `bins` bins of equal width, as NumPy's `histogram` with a range. A bin includes its lower
    /// edge but not its upper one; the last bin includes both. Elements outside the range, and NaN, are not counted.
    ///
    /// Elements are compared as `f64`. The edges are `Tensor::<F64>::linspace(low, high, bins + 1)`. If both bounds are equal, the range is
    /// half a unit wider on both sides. The dtype of the counts is that of [`Self::argsort`]. [`Self::histogram_edges`] takes the edges of
    /// other bins, and [`Self::density`] makes a density of the counts.
    ///
    /// # Panics
    /// With the text of [`Self::try_histogram`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![0.0, 0.25, 0.5, 1.0, 7.0];
    /// assert_eq!(t.histogram(2, 0.0..=1.0).to_vec(), [2, 2]);
    /// ```
    #[doc(alias = "histc")]
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn histogram<Out>( // bins and a range: `histogram(10, 0..=100)`
        &self,
        bins: usize,
        range: RangeInclusive<impl Into<f64>>,
    ) -> Tensor<Out, Rank1, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_histogram(bins, range))
    }

    /// [`Self::histogram`], fallible.
    ///
    /// # Errors
    /// [`Error::Histogram`] if `bins` is zero, or the bounds are not finite numbers in ascending order; [`Error::ShapeTooLarge`],
    /// [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_histogram<Out>( // bins and a range: `try_histogram(10, 0..=100)?`
        &self,
        bins: usize,
        range: RangeInclusive<impl Into<f64>>,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let (low, high) = range.into_inner();
        let bounds = [low.into(), high.into()];
        exec::histogram(self.array(), bins, bounds, Out::DTYPE).map(Tensor::from_array)
    }

    /// Counts the elements that are not zero: of booleans, those that are true. A NaN counts, and -0 does not. The
    /// count of no elements is zero. `t.gt(2).count_nonzero()` counts the elements of a mask.
    ///
    /// `Out` is inferred: it is what [`ArgMinMax`] gives for `I32`, the dtype of positions. Complex numbers are counted too.
    /// [`Self::count_nonzero_axis`] and [`Self::count_nonzero_keepdims`] count along axes, as NumPy's, the Array API's and PyTorch's
    /// `count_nonzero`.
    ///
    /// # Panics
    /// With the text of [`Self::try_count_nonzero`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank0, Rank2, Tensor, tensor};
    /// let t: Tensor<F32, Rank2> = tensor![[0.0, 1.5, f32::NAN], [-0.0, 0.0, 2.0]];
    /// let count: Tensor<I64, Rank0> = t.count_nonzero();
    /// assert_eq!(count.item(), Ok(3));
    /// assert_eq!(t.count_nonzero_axis(1).to_vec(), [2, 1]);
    /// assert_eq!(t.count_nonzero_keepdims(0).shape(), [1, 3]);
    /// assert_eq!(t.gt(1).count_nonzero().item(), Ok(2));
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn count_nonzero<Out>(&self) -> Tensor<Out, Rank0, R> // along axes `count_nonzero_axis(0)`, not as `help` says
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_count_nonzero())
    }

    /// [`Self::count_nonzero`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_count_nonzero<Out>(&self) -> Result<Tensor<Out, Rank0, R>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        count_nonzero(self.array(), None, false, Out::DTYPE).map(Tensor::from_array)
    }

    /// Counts the elements that are not zero along one axis, several, or all (`..`), which are removed (negative ones count from the
    /// end); see [`Self::count_nonzero`]. The rank of the result is known if the type states how many axes there are: `[0, 2]`, but
    /// not `&[0, 2]`.
    ///
    /// # Panics
    /// With the text of [`Self::try_count_nonzero_axis`]'s error.
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn count_nonzero_axis<Out, A>( // kept with size 1 `count_nonzero_keepdims(0)`, not as `help` says
        &self,
        axes: A,
    ) -> Tensor<Out, A::Output, R>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        or_panic(self.try_count_nonzero_axis(axes))
    }

    /// [`Self::count_nonzero_axis`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::OutOfMemory`].
    pub fn try_count_nonzero_axis<Out, A>(
        &self,
        axes: A,
    ) -> Result<Tensor<Out, A::Output, R>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        let axes = axes.numbers();
        let made = count_nonzero(self.array(), axes.as_slice(), false, Out::DTYPE);
        named("count_nonzero_axis", made).map(Tensor::from_array)
    }

    /// Counts the elements that are not zero along one axis or several, which the result keeps with size one; see
    /// [`Self::count_nonzero`].
    ///
    /// # Panics
    /// With the text of [`Self::try_count_nonzero_keepdims`]'s error.
    #[track_caller]
    pub fn count_nonzero_keepdims<Out>(&self, axes: impl Axes) -> Tensor<Out, N, R>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_count_nonzero_keepdims(axes))
    }

    /// [`Self::count_nonzero_keepdims`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::OutOfMemory`].
    pub fn try_count_nonzero_keepdims<Out>(
        &self,
        axes: impl Axes,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let axes = axes.numbers();
        let made = count_nonzero(self.array(), axes.as_slice(), true, Out::DTYPE);
        named("count_nonzero_keepdims", made).map(Tensor::from_array)
    }
}
