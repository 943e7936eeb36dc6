//! Constructors of a tensor like another one.

use super::{ElementFrom, Tensor, or_panic};
use crate::array::Array;
use crate::dtype::StaticDType;
use crate::dtype::cast::cast;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;

/// Writes constructors of a tensor of the same shape, and their fallible forms.
macro_rules! likes {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $element:literal { $(#[doc = $example:literal])* })*) => {
        /// # Construction like another tensor
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
            $(
                $(#[doc = $doc])+
                ///
                /// # Panics
                #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
                ///
                $(#[doc = $example])*
                #[must_use]
                #[track_caller]
                pub fn $name(&self) -> Self {
                    or_panic(self.$try_name())
                }

                #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
                ///
                /// # Errors
                /// [`Error::OutOfMemory`].
                pub fn $try_name(&self) -> Result<Self, Error> {
                    Array::full::<D::Element>(cast($element), self.shape()).map(Self::from_array)
                }
            )*
        }
    };
}

likes! {
    /// Makes a tensor of zeros (`false` for booleans) with the dtype, shape and rules of this one, as NumPy's and the Array
    /// API's `zeros_like`.
    zeros_like try_zeros_like: false {
        /// ```
        /// use supremum::{F32, Rank2, Tensor, tensor};
        /// let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
        /// assert_eq!((x.zeros_like().shape(), x.zeros_like().to_vec()), (&[1, 2][..], vec![0.0, 0.0]));
        /// ```
    }

    /// Makes a tensor of ones (`true` for booleans) with the dtype, shape and rules of this one.
    ones_like try_ones_like: true {}
}

/// # Construction like another tensor, of one value
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a tensor of one value with the dtype, shape and rules of this one. The value is given as to [`Self::full`].
    ///
    /// # Panics
    /// With the text of [`Self::try_full_like`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    /// assert_eq!(x.full_like(0.5).to_vec(), [0.5, 0.5]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn full_like<E>(&self, value: E) -> Self
    where
        D::Element: ElementFrom<E>,
    {
        or_panic(self.try_full_like(value))
    }

    /// [`Self::full_like`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::LiteralOutOfRange`] for a number that the dtype does not have.
    pub fn try_full_like<E>(&self, value: E) -> Result<Self, Error>
    where
        D::Element: ElementFrom<E>,
    {
        let value = <D::Element as ElementFrom<E>>::FROM("full_like", value, || {
            R::RULE_SET.literal_policy()
        })?;
        Array::full(value, self.shape()).map(Self::from_array)
    }
}
