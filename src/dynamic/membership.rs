//! `is_close`, `is_in`, `interp`, `diff`, `cov` and `corrcoef`.

use super::DynTensor;
use super::binary::made;
use super::operand::interpolation_type;
use crate::error::Error;
use crate::ops::covariance::{corrcoef, cov};
use crate::ops::differences::diff;
use crate::ops::interp::interp;
use crate::ops::membership::{is_close, is_in};
use crate::rank::Axis;
use crate::rules::Operation;

/// # Nearness, membership, interpolation and covariances
impl DynTensor {
    /// Returns where an element of this tensor and one of the other, of the same dtype, are equal up to tolerances; see
    /// [`Tensor::is_close`](crate::Tensor::is_close). The result is strong.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`], [`Error::ShapeMismatch`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, tensor};
    /// let a: DynTensor = tensor![F32; 1.0, 1.5].into_dyn();
    /// let b: DynTensor = tensor![F32; 1.0, 2.0].into_dyn();
    /// assert_eq!(a.try_is_close(&b, 1e-5, 1e-8)?.to_string(), "[ true, false] bool [2]");
    /// assert_eq!(a.try_is_in(&b)?.to_string(), "[ true, false] bool [2]");
    /// assert_eq!(a.try_interp(&b, &a)?.to_string(), "[1.0 , 1.25] f32 [2]");
    /// let error = a.try_is_in(&b.cast(supremum::DType::F64)).unwrap_err();
    /// assert_eq!(error.to_string(), "is_in: expected f32, found f64");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_is_close(&self, other: &Self, relative: f64, absolute: f64) -> Result<Self, Error> {
        let array = is_close(self.array(), other.array(), relative, absolute)?;
        Ok(Self::from_array(array, false, self.rules()))
    }

    /// Returns where an element of this tensor equals one of the values, of the same dtype; see [`Tensor::is_in`](crate::Tensor::is_in). The
    /// result is strong.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`]; [`Error::UnsupportedDType`] of complex numbers; [`Error::OutOfMemory`].
    pub fn try_is_in(&self, values: &Self) -> Result<Self, Error> {
        let array = is_in(self.array(), values.array())?;
        Ok(Self::from_array(array, false, self.rules()))
    }

    /// Returns, for each element, the number above it on the lines between given points; see [`Tensor::interp`](crate::Tensor::interp). A
    /// tensor of rank zero counts as one with dimensions.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] and [`Error::UndefinedOperation`] if the rules have no dtype for it; [`Error::UnsupportedDType`] of complex
    /// numbers; those of [`Tensor::try_interp`](crate::Tensor::try_interp).
    pub fn try_interp(&self, points: &Self, values: &Self) -> Result<Self, Error> {
        let operands = [self, points, values].map(Self::borrowed);
        let rules = self.rules();
        let result = interpolation_type("interp", &operands, rules)?;
        let array = interp(self.array(), points.array(), values.array(), result.dtype)?;
        Ok(made(array, result, rules))
    }

    /// Returns the differences of neighbours along an axis; see [`Tensor::diff`](crate::Tensor::diff).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the dtype has no sums; [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`].
    pub fn try_diff(&self, order: usize, axis: impl Axis) -> Result<Self, Error> {
        self.of_group("diff", Operation::Add, |x, out| diff(x, order, axis, out))
    }

    /// The covariances of the rows of a matrix; see [`Tensor::cov`](crate::Tensor::cov).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::UnsupportedDType`] of complex numbers; [`Error::RankMismatch`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has other arguments.
    pub fn try_cov(&self, correction: usize) -> Result<Self, Error> { // of two vectors: `try_stack([&x, &y], 0)?.try_cov(1)?`
        let result = self
            .borrowed()
            .result("cov", Operation::Variance, self.rules())?;
        let array = cov(self.array(), correction, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// The correlations of the rows of a matrix; see [`Tensor::corrcoef`](crate::Tensor::corrcoef).
    ///
    /// # Errors
    /// The errors of [`Self::try_cov`].
    #[rustfmt::skip] // As above.
    pub fn try_corrcoef( // of two vectors: `try_stack([&x, &y], 0)?.try_corrcoef()?`, not as `help` says
        &self,
    ) -> Result<Self, Error> {
        let result = self
            .borrowed()
            .result("corrcoef", Operation::Variance, self.rules())?;
        let array = corrcoef(self.array(), result.dtype)?;
        Ok(made(array, result, self.rules()))
    }
}
