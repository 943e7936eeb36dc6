//! `softmax`, `log_softmax` and `log_sum_exp`.

use crate::array::Array;
use crate::dtype::{DType, RealDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::SoftmaxOp;
use crate::ops::reduce::some_axes_of;
use crate::rank::{Axes, Axis, Rank, RemoveAxes};
use crate::rules::Rules;
use crate::rules::operations::{Activation, UnaryFloat};
use crate::tensor::{Tensor, or_panic};

/// [`exec::softmax`] along axes as users give them; all, if they give none.
pub(crate) fn softmax(
    op: SoftmaxOp,
    x: &Array,
    axes: Option<&[isize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    match some_axes_of(op.name(), axes, x.rank())? {
        Some(axes) => exec::softmax(op, x, &axes, keep_dims, out),
        None => {
            let axes: Vec<usize> = (0..x.rank()).collect();
            exec::softmax(op, x, &axes, keep_dims, out)
        }
    }
}

/// # Softmax
///
/// `softmax` and `log_softmax` have the dtypes of activations, which PyTorch defines on floats only; `log_sum_exp` has the dtypes of
/// functions such as `exp`. The maximum is subtracted from the exponents, so that nothing overflows. Small floats are computed in `f32`
/// and rounded once. A NaN makes its whole row NaN.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The exponential of each element divided by the sum of all exponentials along an axis (counted from the end if negative).
    ///
    /// Rows with +inf, and rows of nothing but -inf, become NaN. In `F32` a result is within 3 units in the last place, and as
    /// many more as the element lies below the maximum; results below the least normal number are zero. `Out` is inferred: it is
    /// the result of [`Activation`](crate::operations::Activation) for `D`.
    ///
    /// # Panics
    /// With the text of [`Self::try_softmax`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let scores: Tensor<F32, Rank2> = tensor![[0.0, 0.0], [1000.0, 0.0]];
    /// assert_eq!(scores.softmax(-1).to_vec(), [0.5, 0.5, 1.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn softmax<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R>
    where
        D: StaticDType + Activation<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        or_panic(self.try_softmax(axis))
    }

    /// [`Self::softmax`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    pub fn try_softmax<Out>(&self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + Activation<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        let (op, axes) = (SoftmaxOp::Softmax, Some(&[axis.to_signed()][..]));
        softmax(op, self.array(), axes, false, Out::DTYPE).map(Tensor::from_array)
    }

    /// The logarithm of [`Self::softmax`]: each element less the [`log_sum_exp`](Self::log_sum_exp) along an axis.
    ///
    /// # Panics
    /// With the text of [`Self::try_log_softmax`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let scores: Tensor<F32> = tensor![1000.0, 0.0];
    /// assert_eq!(scores.log_softmax(-1).to_vec(), [0.0, -1000.0]);
    /// ```
    #[track_caller]
    pub fn log_softmax<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R>
    where
        D: StaticDType + Activation<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        or_panic(self.try_log_softmax(axis))
    }

    /// [`Self::log_softmax`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    pub fn try_log_softmax<Out>(&self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + Activation<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        let (op, axes) = (SoftmaxOp::LogSoftmax, Some(&[axis.to_signed()][..]));
        softmax(op, self.array(), axes, false, Out::DTYPE).map(Tensor::from_array)
    }

    /// The logarithm of the sum of the exponentials along one axis, several, or all (`..`), which are removed.
    ///
    /// +inf if an element is; -inf if all are, also of no elements. The rank of the result is known if the type states how many axes
    /// there are. For two tensors by element see [`Self::log_add_exp`].
    ///
    /// # Panics
    /// With the text of [`Self::try_log_sum_exp`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Rank2, Tensor, tensor};
    /// let scores: Tensor<F32, Rank2> = tensor![[1000.0, 0.0], [f32::NEG_INFINITY, f32::NEG_INFINITY]];
    /// let sums: Tensor<F32, Rank1> = scores.log_sum_exp(-1);
    /// assert_eq!(sums.to_vec(), [1000.0, f32::NEG_INFINITY]);
    /// assert_eq!(scores.log_sum_exp(..).item(), Ok(1000.0));
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn log_sum_exp<Out, A>( // kept with size 1 `log_sum_exp_keepdims(0)`, not as `help` says
        &self,
        axes: A,
    ) -> Tensor<Out, A::Output, R>
    where
        D: StaticDType + UnaryFloat<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        or_panic(self.try_log_sum_exp(axes))
    }

    /// [`Self::log_sum_exp`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::OutOfMemory`].
    pub fn try_log_sum_exp<Out, A>(&self, axes: A) -> Result<Tensor<Out, A::Output, R>, Error>
    where
        D: StaticDType + UnaryFloat<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
        A: RemoveAxes<N>,
    {
        let (op, x) = (SoftmaxOp::LogSumExp, self.array());
        let made = softmax(op, x, axes.numbers().as_slice(), false, Out::DTYPE);
        made.map(Tensor::from_array)
    }

    /// [`Self::log_sum_exp`] along axes that the result keeps with size one.
    ///
    /// # Panics
    /// With the text of [`Self::try_log_sum_exp_keepdims`]'s error.
    #[track_caller]
    pub fn log_sum_exp_keepdims<Out>(&self, axes: impl Axes) -> Tensor<Out, N, R>
    where
        D: StaticDType + UnaryFloat<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        or_panic(self.try_log_sum_exp_keepdims(axes))
    }

    /// [`Self::log_sum_exp_keepdims`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_log_sum_exp`].
    pub fn try_log_sum_exp_keepdims<Out>(&self, axes: impl Axes) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + UnaryFloat<R::Operations, Output = Out> + RealDType,
        Out: StaticDType,
    {
        let (op, x) = (SoftmaxOp::LogSumExp, self.array());
        let made = softmax(op, x, axes.numbers().as_slice(), true, Out::DTYPE);
        named("log_sum_exp_keepdims", made).map(Tensor::from_array)
    }
}
