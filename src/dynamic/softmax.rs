//! `softmax`, `log_softmax`, `log_sum_exp`, norms, and variances with a correction.

use super::DynTensor;
use super::binary::typed;
use crate::error::{Error, named};
use crate::kernel::{ReduceOp, SoftmaxOp};
use crate::ops::corrected::each_corrected;
use crate::ops::norm::norm;
use crate::ops::reduce::reduced;
use crate::ops::softmax::softmax;
use crate::rank::{Axes, Axis};
use crate::rules::Operation;

/// # Softmax and norms
impl DynTensor {
    fn softmax_along(
        &self,
        op: SoftmaxOp,
        axes: Option<&[isize]>,
        keep_dims: bool,
    ) -> Result<Self, Error> {
        let group = match op {
            SoftmaxOp::Softmax | SoftmaxOp::LogSoftmax => Operation::Activation,
            SoftmaxOp::LogSumExp => Operation::UnaryFloat,
        };
        self.of_group(op.name(), group, |x, out| {
            softmax(op, x, axes, keep_dims, out)
        })
    }

    /// The softmax along an axis; see [`Tensor::softmax`](crate::Tensor::softmax).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::UnsupportedDType`] of complex numbers; [`Error::AxisOutOfRange`],
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let scores = DynTensor::zeros(DType::BF16, [2, 4])?;
    /// assert_eq!(scores.try_softmax(1)?.try_index_axis(0, 0)?.to_string(), "[0.25, 0.25, 0.25, 0.25] bf16 [4]");
    /// let error = scores.try_softmax(2).unwrap_err();
    /// assert_eq!(error.to_string(), "softmax: axis 2 does not exist at rank 2");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_softmax(&self, axis: impl Axis) -> Result<Self, Error> {
        self.softmax_along(SoftmaxOp::Softmax, Some(&[axis.to_signed()]), false)
    }

    /// The logarithm of the softmax; see [`Tensor::log_softmax`](crate::Tensor::log_softmax).
    ///
    /// # Errors
    /// The errors of [`Self::try_softmax`].
    pub fn try_log_softmax(&self, axis: impl Axis) -> Result<Self, Error> {
        self.softmax_along(SoftmaxOp::LogSoftmax, Some(&[axis.to_signed()]), false)
    }

    /// The logarithm of the sum of exponentials along axes; see [`Tensor::log_sum_exp`](crate::Tensor::log_sum_exp).
    ///
    /// # Errors
    /// The errors of [`Self::try_softmax`], and [`Error::RepeatedAxis`].
    pub fn try_log_sum_exp(&self, axes: impl Axes) -> Result<Self, Error> {
        self.softmax_along(SoftmaxOp::LogSumExp, axes.numbers().as_slice(), false)
    }

    /// [`Self::try_log_sum_exp`] along axes that the result keeps with size one.
    ///
    /// # Errors
    /// The errors of [`Self::try_log_sum_exp`].
    pub fn try_log_sum_exp_keepdims(&self, axes: impl Axes) -> Result<Self, Error> {
        let (operation, axes) = ("log_sum_exp_keepdims", axes.numbers());
        named(
            operation,
            self.softmax_along(SoftmaxOp::LogSumExp, axes.as_slice(), true),
        )
    }

    /// The norm of order `p` along axes; see [`Tensor::norm`](crate::Tensor::norm).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; [`Error::EmptyReduction`] for `p = -f64::INFINITY`
    /// and no elements; [`Error::OutOfMemory`].
    pub fn try_norm(&self, p: f64, axes: impl Axes) -> Result<Self, Error> {
        self.of_group("norm", Operation::Variance, |x, out| {
            norm(x, p, axes.numbers().as_slice(), false, out)
        })
    }

    /// [`Self::try_norm`] along axes that the result keeps with size one.
    ///
    /// # Errors
    /// The errors of [`Self::try_norm`].
    pub fn try_norm_keepdims(&self, p: f64, axes: impl Axes) -> Result<Self, Error> {
        let operation = "norm_keepdims";
        self.of_group(operation, Operation::Variance, |x, out| {
            named(operation, norm(x, p, axes.numbers().as_slice(), true, out))
        })
    }

    fn corrected(
        &self,
        op: ReduceOp,
        operation: &'static str,
        axes: Option<&[isize]>,
        keep_dims: bool,
    ) -> Result<Self, Error> {
        let result = self
            .borrowed()
            .result(operation, Operation::Variance, self.rules())?;
        let made = reduced(op, operation, self.array(), axes, keep_dims, result.dtype);
        typed(made, result, self.rules())
    }
}

macro_rules! corrected {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $keepdims:ident $try_keepdims:ident: $Op:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Variances with a correction
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// The errors of [`Self::try_var_axis`].
            pub fn $try_name(&self, correction: usize, axes: impl Axes) -> Result<Self, Error> {
                self.corrected(ReduceOp::$Op { ddof: correction }, stringify!($name), axes.numbers().as_slice(), false)
            }

            #[doc = concat!("[`Self::", stringify!($try_name), "`] along axes that the result keeps with size one.")]
            ///
            /// # Errors
            /// The errors of [`Self::try_var_keepdims`].
            pub fn $try_keepdims(&self, correction: usize, axes: impl Axes) -> Result<Self, Error> {
                self.corrected(ReduceOp::$Op { ddof: correction }, stringify!($keepdims), axes.numbers().as_slice(), true)
            }
        )*}
    }};
}

each_corrected!(corrected! here);
