//! Element types, and the trait that all of them implement.

use core::fmt;

pub use half::{bf16, f16};
use num_complex::Complex;

use super::DType;

/// A complex number of two `f32`.
#[allow(non_camel_case_types, reason = "named like the other elements")]
pub type c64 = Complex<f32>;
/// A complex number of two `f64`.
#[allow(non_camel_case_types, reason = "named like the other elements")]
pub type c128 = Complex<f64>;

/// An element type: `bool`, the Rust integers and floats, [`struct@f16`], [`bf16`], [`f8e4m3fn`],
/// [`f8e5m2`], [`c64`], [`c128`].
///
/// [`f8e4m3fn`]: super::f8e4m3fn
/// [`f8e5m2`]: super::f8e5m2
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of an element",
    label = "no dtype has elements of `{Self}`",
    note = "elements are `f32`, `i64`, `bool` and the like; in `fuse!` the value of a function of tensors is taken by `&f(&x)`"
)]
pub trait Element:
    super::sealed::Sealed
    + super::cast::CastElement
    + crate::dtype::format::Format
    + bytemuck::NoUninit
    + fmt::Debug
    + fmt::Display
    + PartialEq
    + Default
    + Send
    + Sync
    + 'static
{
    /// The dtype of these elements, as a type.
    type Marker: super::StrongDType<Element = Self>;
    /// The dtype of these elements, at run time.
    const DTYPE: DType = <Self::Marker as super::StaticDType>::DTYPE;
}
