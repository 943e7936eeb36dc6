//! `bincount` and `histogram`: how often values occur.

use core::ops::RangeInclusive;

use crate::dtype::{IntegerDType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::rank::{MayBe, Rank, Rank1};
use crate::rules::Rules;
use crate::rules::operations::ArgMinMax;
use crate::tensor::{Tensor, or_panic};

/// # Counts
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Counts how often each integer from zero on occurs in a vector, up to the greatest one, as NumPy's and PyTorch's `bincount`. There are
    /// at least `min_len` counts.
    ///
    /// The dtype of the counts is that of [`Self::argsort`]. Their number depends on the elements, so a trace (`stablehlo::trace`) cannot
    /// record it; [`Self::histogram`] has a fixed number. Weights are summed by [`Self::scatter_add`].
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
        D: IntegerDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
    {
        or_panic(self.try_bincount(min_len))
    }

    /// [`Self::bincount`], fallible.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] for a negative integer; [`Error::RankMismatch`] if it is not a vector at run time;
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_bincount<Out>(&self, min_len: usize) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: IntegerDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
    {
        exec::bincount(self.array(), min_len, Out::DTYPE).map(Tensor::from_array)
    }

    /// Counts the elements in so many bins of equal width, as NumPy's `histogram` with a range. A bin has its lower edge and not its upper
    /// one, except the last, which has both. Elements outside of the range, and NaN, are not counted.
    ///
    /// Elements are compared as `f64`. The edges are `Tensor::<F64>::linspace(low, high, bins + 1)`. If both bounds are equal, the range is
    /// half a unit wider on both sides. The dtype of the counts is that of [`Self::argsort`].
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
    pub fn histogram<Out>(&self, bins: usize, range: RangeInclusive<f64>) -> Tensor<Out, Rank1, R>
    where
        D: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_histogram(bins, range))
    }

    /// [`Self::histogram`], fallible.
    ///
    /// # Errors
    /// [`Error::Histogram`] if `bins` is zero, or the bounds are not finite numbers in ascending order; [`Error::ShapeTooLarge`],
    /// [`Error::OutOfMemory`].
    pub fn try_histogram<Out>(
        &self,
        bins: usize,
        range: RangeInclusive<f64>,
    ) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        D: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let bounds = [*range.start(), *range.end()];
        exec::histogram(self.array(), bins, bounds, Out::DTYPE).map(Tensor::from_array)
    }
}
