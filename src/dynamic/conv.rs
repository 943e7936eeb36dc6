//! Convolutions.

use super::binary::made;
use super::operand::{DynDatum, common_rules, resolve};
use super::{DynPromoteUnsafe, DynTensor};
use crate::error::Error;
use crate::ops::conv::{Conv, conv};
use crate::ops::{ConvOptions, WindowPadding};
use crate::rules::Operation;
use crate::tensor::or_panic;

/// Convolves a tensor, which is `x` as an operand.
fn convolved<const N: usize>(
    operation: &'static str,
    direction: Conv,
    (tensor, x): (&DynTensor, DynDatum<'_>),
    filters: &DynTensor,
    options: ConvOptions<N, impl WindowPadding<N>>,
) -> Result<DynTensor, Error> {
    let right = filters.borrowed();
    let rules = common_rules(operation, [&x, &right])?;
    let resolved = resolve(operation, Operation::MatrixMultiply, &x, &right, rules)?;
    let (arrays, out) = ([tensor.array(), filters.array()], resolved.result.dtype);
    let array = conv(operation, direction, arrays, options, out)?;
    Ok(made(array, resolved.result, rules))
}

/// # Convolutions
impl DynTensor {
    /// Convolves along the last axis; see [`Tensor::conv1d`](crate::Tensor::conv1d).
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`] for dtypes and rules, and those of
    /// [`Tensor::try_conv1d`](crate::Tensor::try_conv1d).
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_conv1d( // `x.try_conv1d(&filters, ConvOptions::new().stride([2]).padding([1]))?`
        &self,
        filters: &Self,
        options: ConvOptions<1, impl WindowPadding<1>>,
    ) -> Result<Self, Error> {
        convolved("conv1d", Conv::Forward, (self, self.borrowed()), filters, options)
    }

    /// Convolves along the last two axes; see [`Tensor::conv2d`](crate::Tensor::conv2d).
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`] for dtypes and rules, and those of
    /// [`Tensor::try_conv2d`](crate::Tensor::try_conv2d).
    ///
    /// ```
    /// use supremum::{ConvOptions, DType, DynTensor, Error};
    /// let image = DynTensor::ones(DType::F16, [1, 2, 4, 4])?;
    /// let filters = DynTensor::ones(DType::F16, [3, 2, 5, 3])?;
    /// let features = image.try_conv2d(&filters, ConvOptions::new().padding([1, 0]))?;
    /// assert_eq!(features.shape(), [1, 3, 2, 2]);
    /// let error = image.try_conv2d(&filters, ConvOptions::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "conv2d: a window of 5 does not fit axis 2, which has size 4 with its padding");
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_conv2d( // `x.try_conv2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))?`
        &self,
        filters: &Self,
        options: ConvOptions<2, impl WindowPadding<2>>,
    ) -> Result<Self, Error> {
        convolved("conv2d", Conv::Forward, (self, self.borrowed()), filters, options)
    }

    /// The transposed convolution along the last axis; see [`Tensor::conv_transpose1d`](crate::Tensor::conv_transpose1d).
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`] for dtypes and rules, and those of
    /// [`Tensor::try_conv_transpose1d`](crate::Tensor::try_conv_transpose1d).
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_conv_transpose1d( // `x.try_conv_transpose1d(&filters, ConvOptions::new().stride([2]).padding([1]))?`
        &self,
        filters: &Self,
        options: ConvOptions<1, impl WindowPadding<1>>,
    ) -> Result<Self, Error> {
        convolved("conv_transpose1d", Conv::Transposed, (self, self.borrowed()), filters, options)
    }

    /// The transposed convolution along the last two axes; see [`Tensor::conv_transpose2d`](crate::Tensor::conv_transpose2d).
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`] for dtypes and rules, and those of
    /// [`Tensor::try_conv_transpose2d`](crate::Tensor::try_conv_transpose2d).
    ///
    /// ```
    /// use supremum::{ConvOptions, DType, DynTensor, Error};
    /// let image = DynTensor::ones(DType::F16, [1, 2, 4, 4])?;
    /// let filters = DynTensor::ones(DType::F16, [2, 3, 2, 2])?;
    /// let options = ConvOptions::new().stride([2, 2]);
    /// assert_eq!(image.try_conv_transpose2d(&filters, options)?.shape(), [1, 3, 8, 8]);
    /// let error = image.try_conv_transpose2d(&filters, options.padding([0, 4])).unwrap_err();
    /// let text = "conv_transpose2d: padding of 4 and 4 takes all of axis 3, which has size 8 without it";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_conv_transpose2d( // `x.try_conv_transpose2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))?`
        &self,
        filters: &Self,
        options: ConvOptions<2, impl WindowPadding<2>>,
    ) -> Result<Self, Error> {
        convolved("conv_transpose2d", Conv::Transposed, (self, self.borrowed()), filters, options)
    }
}

macro_rules! on_the_left {
    ($($name:ident $try_name:ident $spatial:literal: $Conv:ident)*) => {
        /// # Convolutions
        impl DynPromoteUnsafe {$(
            #[doc = concat!("[`DynTensor::", stringify!($name), "`] with this operand on the left.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            #[must_use]
            pub fn $name(
                self,
                filters: &DynTensor,
                options: ConvOptions<$spatial, impl WindowPadding<$spatial>>,
            ) -> DynTensor {
                or_panic(self.$try_name(filters, options))
            }

            #[doc = concat!("[`DynTensor::", stringify!($try_name), "`] with this operand on the left.")]
            ///
            /// # Errors
            #[doc = concat!("As [`DynTensor::", stringify!($try_name), "`].")]
            pub fn $try_name(
                self,
                filters: &DynTensor,
                options: ConvOptions<$spatial, impl WindowPadding<$spatial>>,
            ) -> Result<DynTensor, Error> {
                let x = (&self.tensor, self.tensor.borrowed().admitting());
                convolved(stringify!($name), Conv::$Conv, x, filters, options)
            }
        )*}
    };
}

on_the_left! {
    conv1d try_conv1d 1: Forward
    conv2d try_conv2d 2: Forward
    conv_transpose1d try_conv_transpose1d 1: Transposed
    conv_transpose2d try_conv_transpose2d 2: Transposed
}
