//! [`Scalar`]: the exact value of a literal before its dtype is known.

use core::fmt;
use core::num::TryFromIntError;
use core::ops::{Add, Div, Mul, Rem, Sub};

use crate::dtype::{Kind, bf16, c64, c128, f16};

/// The exact value of a literal without a dtype: an integer of up to 128 bits, a float, a complex number or a boolean.
///
/// [`Error::LiteralOutOfRange`](crate::Error::LiteralOutOfRange) contains one. It is not an [`Operand`](crate::Operand):
/// its kind decides the dtype of a result, and is known at run time only.
///
/// ```
/// use supremum::{Error, Rank1, Scalar, Tensor, U8, f16, tensor};
/// let bytes: Tensor<U8, Rank1> = tensor![1, 2];
/// let Err(Error::LiteralOutOfRange { literal, .. }) = bytes.try_add(300) else { panic!() };
/// assert_eq!(literal, Scalar::from(300));
///
/// assert_eq!(Scalar::from(f16::from_f32(0.5)), Scalar::Float(0.5));
/// assert_eq!(Scalar::from(u64::MAX).to_string(), "18446744073709551615");
/// assert_eq!(format!("{}, {:6.2}", Scalar::Float(2.0), Scalar::Float(2.5)), "2.0,   2.50");
/// assert!(Scalar::try_from(u128::MAX).is_err()); // above `i128`
/// ```
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[rustfmt::skip] // The compiler quotes the line, with its comment, at an operator.
pub enum Scalar { // its number is `scalar.as_f64()`, an `Option<f64>`, as in `scalar.as_f64() > Some(0.5)`
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(c128),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            // `Debug` writes `1.0` where `Display` writes `1`. It obeys width and precision too.
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Complex(value) => value.fmt(f),
        }
    }
}

impl Scalar {
    /// Returns the nearest `f64` of an integer or a float, 1 or 0 of a boolean, and nothing of a complex number.
    ///
    /// ```
    /// use supremum::{DynTensor, F32, Jax, Scalar, Tensor, tensor};
    /// let total: DynTensor = Tensor::<F32>::into_dyn(tensor![1.0, 2.5]).sum();
    /// assert_eq!(total.item()?.as_f64(), Some(3.5));
    /// assert_eq!(Scalar::from(i64::MAX).as_f64(), Some(9_223_372_036_854_775_808.0));
    /// assert_eq!(Scalar::from(true).as_f64(), Some(1.0));
    /// assert_eq!(Scalar::from(supremum::c64::new(0.0, 1.0)).as_f64(), None);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    #[expect(
        clippy::as_conversions,
        reason = "an integer rounds to the nearest number"
    )]
    pub fn as_f64(self) -> Option<f64> {
        match self {
            Self::Bool(value) => Some(f64::from(u8::from(value))),
            Self::Int(value) => Some(value as f64),
            Self::Float(value) => Some(value),
            Self::Complex(_) => None,
        }
    }

    /// The kind of the literal.
    pub(crate) const fn kind(self) -> Kind {
        match self {
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Signed,
            Self::Float(_) => Kind::Float,
            Self::Complex(_) => Kind::Complex,
        }
    }
}

/// Makes a literal of a number or a truth value.
#[diagnostic::on_unimplemented(
    message = "a number is expected here, found `{Value}`",
    label = "neither a number nor a `bool`",
    note = "it is one element, e.g. `0.5` or `x` of an `x: f32`; the element of a tensor of rank 0 is `t.item()?`; of elements in an array or a `Vec` make a tensor, e.g. `Tensor::<F32, Rank1>::from(elements)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ScalarOf<Value> {
    #[doc(hidden)]
    fn scalar(value: Value) -> Scalar;
}

/// Implements [`ScalarOf`] for each type of value. If the values implemented it themselves, rustc would report `From` in place of the bound.
#[doc(hidden)]
#[derive(Debug)]
pub struct ScalarValues;

/// Numbers and truth values.
// One impl, because rustc would list several below its own message.
#[rustfmt::skip] // On one line, because the compiler quotes it.
impl<Value> From<Value> for Scalar where ScalarValues: ScalarOf<Value> { // e.g. `Scalar::from(0.5)`
    fn from(value: Value) -> Self {
        ScalarValues::scalar(value)
    }
}

macro_rules! scalars {
    ($($variant:ident: $($from:ty)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl ScalarOf<$from> for ScalarValues {
            fn scalar(value: $from) -> Scalar {
                Scalar::$variant(value.into())
            }
        }
    )*)*};
}

scalars! {
    Bool: bool;
    Int: i8 i16 i32 i64 i128 u8 u16 u32 u64;
    Float: f16 bf16 f32 f64;
    Complex: c128;
}

#[diagnostic::do_not_recommend]
impl ScalarOf<c64> for ScalarValues {
    fn scalar(value: c64) -> Scalar {
        Scalar::Complex(c128::new(value.re.into(), value.im.into()))
    }
}

#[diagnostic::do_not_recommend]
impl TryFrom<u128> for Scalar {
    type Error = TryFromIntError;

    fn try_from(value: u128) -> Result<Self, TryFromIntError> {
        i128::try_from(value).map(Self::Int)
    }
}

macro_rules! scalars_of_sizes {
    ($($from:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ScalarOf<$from> for ScalarValues {
            fn scalar(value: $from) -> Scalar {
                Scalar::Int(i128::try_from(value).expect("128 bits hold every size"))
            }
        }
    )*};
}

scalars_of_sizes! { isize usize }

/// Nothing implements it: the message of an operator of a [`Scalar`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `Scalar` is no number to compute with: its number is `.as_f64()`, an `Option<f64>`",
    label = "the dtype of this number is known at run time only",
    note = "write `d.max().item()?.as_f64().unwrap() / 2.0`, which panics if the number is complex; or compute with the tensor and take its element then, `(d.max() / 2.0).item()?.as_f64().unwrap()`"
)]
pub trait ComputesAsNumber {}

macro_rules! operators {
    ($($Operator:ident $method:ident)*) => {$(
        operators! { @impl [Rhs] $Operator<Rhs> for Scalar: $method }
        operators! { @impl [] $Operator<Scalar> for f64: $method }
        operators! { @impl [] $Operator<Scalar> for i64: $method }
    )*};
    (@impl [$($generic:ident)?] $Operator:ident<$Rhs:ty> for $Lhs:ty: $method:ident) => {
        impl<$($generic)?> $Operator<$Rhs> for $Lhs
        where
            for<'a> Scalar: ComputesAsNumber,
        {
            type Output = f64;

            fn $method(self, _: $Rhs) -> f64 {
                unreachable!("no type has the bound")
            }
        }
    };
}

operators! { Add add Sub sub Mul mul Div div Rem rem }
