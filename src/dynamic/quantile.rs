//! `median` and `quantile`, and their forms that skip NaN.

use super::DynTensor;
use crate::error::{Error, named};
use crate::ops::QuantileMethod;
use crate::ops::quantile::{Quantile, each_quantile};
use crate::ops::quantile_list::Quantiles;
use crate::rank::{AnyRank, Axes};
use crate::rules::Operation;

impl DynTensor {
    fn quantiles(
        &self,
        operation: &'static str,
        quantile: Quantile<'_>,
        axes: Option<&[isize]>,
        keep_dims: bool,
    ) -> Result<Self, Error> {
        self.of_group(operation, Operation::Mean, |x, out| {
            named(operation, quantile.of(x, axes, keep_dims, out))
        })
    }
}

macro_rules! quantiles {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        [$($generic:tt)*] ($($argument:ident: $typed:ty | $type:ty),*) => $quantile:expr, errors $errors:literal
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Quantiles
        impl DynTensor {$(
            #[doc = concat!($what, " of all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Errors
            #[doc = concat!("[`Error::UndefinedOperation`]; [`Error::UnsupportedDType`] of complex numbers; ", $errors)]
            pub fn $try_all(&self $(, $argument: $type)*) -> Result<Self, Error> {
                self.quantiles(stringify!($all), $quantile, None, false)
            }

            #[doc = concat!($what, " along one axis, several, or all (`..`), which are removed; see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_all), "`], and [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`].")]
            pub fn $try_axis(&self $(, $argument: $type)*, axes: impl Axes) -> Result<Self, Error> {
                self.quantiles(stringify!($axis), $quantile, axes.numbers().as_slice(), false)
            }

            #[doc = concat!($what, " along axes that the result keeps with size one; see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_axis), "`].")]
            pub fn $try_keepdims(&self $(, $argument: $type)*, axes: impl Axes) -> Result<Self, Error> {
                self.quantiles(stringify!($keepdims), $quantile, axes.numbers().as_slice(), true)
            }
        )*}
    }};
}

each_quantile!(quantiles! here);
