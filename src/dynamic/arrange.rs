//! Parts of tensors, and padding.

use super::DynTensor;
use crate::array::Array;
use crate::error::Error;
use crate::exec;
use crate::literals::Scalar;
use crate::rank::{Axis, SizeList};
use crate::rule_set::LiteralPolicy;
use crate::tensor::arrange::{self, Padding, each_split};

macro_rules! several {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $left:ty: $right:path)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Splitting
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_name(&$self $(, $argument: $type)*) -> Result<Vec<Self>, Error> {
                let parts: Vec<Array> = $body?;
                Ok(parts.into_iter().map(|array| $self.with(array)).collect())
            }
        )*}
    }};
}

each_split!(several! here);

/// # Repeat and pad
impl DynTensor {
    /// Repeats the whole tensor along each axis as often as `counts` says; see [`Tensor::tile`](crate::Tensor::tile).
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not a number for each axis; [`Error::ShapeTooLarge`];
    /// [`Error::OutOfMemory`].
    pub fn try_tile(&self, counts: impl SizeList) -> Result<Self, Error> {
        arrange::tile(self.array(), counts.as_ref()).map(|array| self.with(array))
    }

    /// Adds `[before, after]` positions to each axis, filled with a value; see [`Tensor::pad`](crate::Tensor::pad).
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype does not have the value; [`Error::LengthMismatch`] if there is not a pair
    /// for each axis; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let x = DynTensor::ones(DType::U8, [2])?;
    /// assert_eq!(x.try_pad([[1, 2]], 7)?.to_string(), "[7, 1, 1, 7, 7] u8 [5]");
    /// let error = x.try_pad([[1, 2]], -1).unwrap_err();
    /// assert_eq!(error.to_string(), "pad: the literal -1 is out of range for u8");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_pad(&self, padding: impl Padding, value: impl Into<Scalar>) -> Result<Self, Error> {
        let value = value.into();
        let value = value.to_scalar_bits("pad", self.dtype(), LiteralPolicy::EXACT)?;
        exec::pad(self.array(), padding.as_ref(), value).map(|array| self.with(array))
    }
}
