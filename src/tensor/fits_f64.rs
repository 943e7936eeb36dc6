//! Numbers as arguments that are `f64`.

use super::Tensor;
use crate::dtype::StaticDType;
use crate::dtype::cast::cast_i128;
use crate::error::Error;
use crate::rank::Rank0;
use crate::rules::Rules;

/// A number as an argument that is an `f64`, such as the bounds of [`Tensor::arange`]: a float of up to 64 bits, an integer of up to 64
/// bits, or a tensor of rank 0 whose dtype widens to `f64`. So literals need no point, and `n: usize` needs no `as f64`. An integer above
/// 2^53 that would be rounded is an error at run time.
#[diagnostic::on_unimplemented(
    message = "not every `{Self}` is an `f64`",
    label = "this argument is a number that fits in an `f64`",
    note = "a number converts by `n as f64`; where this is no number, an argument before it is missing"
)]
pub trait FitsF64 {
    /// # Errors
    /// [`Error::InexactNumber`].
    #[doc(hidden)]
    fn to_f64(self, operation: &'static str) -> Result<f64, Error>;
}

/// Implements the trait for a type that converts to `f64` without loss.
macro_rules! exact {
    ([$($generics:tt)*] $number:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> FitsF64 for $number {
            fn to_f64(self, _: &'static str) -> Result<f64, Error> {
                Ok(self.into())
            }
        }
    };
}

macro_rules! widenings {
    ($($D:ident $kind:ident: $($To:ident)*;)*) => {
        $($(widenings!(@to $D $To);)*)*
        widenings!(@to F64 F64);
    };
    (@to $D:ident F64) => {
        exact!([] <crate::dtype::$D as StaticDType>::Element);
        exact!([R: Rules] Tensor<crate::dtype::$D, Rank0, R>);
    };
    (@to $D:ident $To:ident) => {};
}

supremum_macros::with_widenings! { widenings }

/// Implements the trait for integers of which some are rounded.
macro_rules! checked {
    ($($number:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl FitsF64 for $number {
            fn to_f64(self, operation: &'static str) -> Result<f64, Error> {
                exactly(operation, i128::try_from(self).unwrap_or(i128::MAX))
            }
        }
    )*};
}

checked! { i64 u64 isize usize }

/// The float of an integer, unless it is rounded: the bits from the first one to the last one fit in the mantissa.
fn exactly(operation: &'static str, integer: i128) -> Result<f64, Error> {
    let magnitude = integer.unsigned_abs();
    let zeros = magnitude.leading_zeros() + magnitude.trailing_zeros();
    match u128::BITS.saturating_sub(zeros) <= f64::MANTISSA_DIGITS {
        true => Ok(cast_i128(integer)),
        false => Err(Error::InexactNumber {
            operation,
            number: integer.into(),
        }),
    }
}
