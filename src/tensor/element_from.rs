//! Numbers as arguments that are an element.

use crate::dtype::{
    StaticDType, bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};
use crate::error::Error;
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;

/// An element from the argument of [`Tensor::full`](crate::Tensor::full), `set`, `fill` and the like: of type `Self`, or a number if
/// Rust has no literals of that type. So `full([2], 0.5)` makes a tensor of `BF16`. A number that the dtype does not have is converted, or
/// an error at run time, as the rules have it for literals beside an operator, and as for a [`DynTensor`](crate::DynTensor).
///
/// `f32`, `f64` and integers take no other type. With one type to choose from, Rust infers that of a literal, a sum or `.into()`.
#[diagnostic::on_unimplemented(
    message = "this tensor has elements of type `{Self}`, found `{Found}`",
    label = "not of type `{Self}`",
    note = "a float is written with a point, `1.0`, and a constant with its type, `f32::NAN`; convert a number in a variable, e.g. `x as f32`; elements of `f16`, `bf16`, 8-bit floats and complex numbers are also made of an `f64` or `i64`: `f64::from(x)` of an `f32`, `n as i64`; generic code takes an `x: D::Element`"
)]
// The dtype's element is `Self`, so that it determines the type of a value that is not inferred yet.
#[cfg_attr(doc, doc(hidden))]
pub trait ElementFrom<Found>: Sized {
    /// Returns the element; the policy is that of the rules. It is a constant, because for a call rustc would point at the function as well.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`], with the name of the operation.
    #[doc(hidden)]
    const FROM: fn(operation: &'static str, Found, fn() -> LiteralPolicy) -> Result<Self, Error>;
}

#[diagnostic::do_not_recommend]
impl<E> ElementFrom<E> for E {
    const FROM: fn(&'static str, E, fn() -> LiteralPolicy) -> Result<E, Error> =
        |_, found, _| Ok(found);
}

/// A dtype whose element is made from a `Found`: [`ElementFrom`], as a bound on the dtype.
// Constructors state it, because their dtype may not be inferred. The compiler lists the impls of `ElementFrom` for an element that it
// does not know; this trait has one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype",
    label = "neither the marker of a dtype nor a parameter that is stated to be one",
    note = "the dtype of elements `f32` is `F32`; generic code states a bound, `D: StaticDType`, and takes an `x: D::Element`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DTypeFrom<Found>: StaticDType<Element: ElementFrom<Found>> {}

impl<D: StaticDType<Element: ElementFrom<Found>>, Found> DTypeFrom<Found> for D {}

/// Elements without literals in Rust, from those that `f64` and `i64` have.
macro_rules! from_numbers {
    ($($element:ty)*) => {$(
        from_numbers! { @each $element: f64 i64 }
    )*};
    (@each $element:ty: $($number:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ElementFrom<$number> for $element {
            const FROM: fn(&'static str, $number, fn() -> LiteralPolicy) -> Result<$element, Error> =
                |operation, number, literal_policy| {
                    let literal = Scalar::from(number);
                    let out_of_range = |dtype| Error::LiteralOutOfRange { operation, literal, dtype };
                    literal.convert_literal(literal_policy()).map_err(out_of_range)
                };
        }
    )*};
}

from_numbers! { f16 bf16 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz c64 c128 }
