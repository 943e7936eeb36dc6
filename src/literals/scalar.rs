//! [`Scalar`]: the exact value of a literal before its dtype is known.

use core::fmt;
use core::num::TryFromIntError;

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
pub enum Scalar { // a number: `d.cast(DType::F32).max().to_vec::<F32>()?[0]`
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

macro_rules! scalar_from {
    ($($variant:ident: $($from:ty)*;)*) => {$($(
        impl From<$from> for Scalar {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )*)*};
}

scalar_from! {
    Bool: bool;
    Int: i8 i16 i32 i64 i128 u8 u16 u32 u64;
    Float: f16 bf16 f32 f64;
    Complex: c128;
}

impl From<c64> for Scalar {
    fn from(value: c64) -> Self {
        Self::Complex(c128::new(value.re.into(), value.im.into()))
    }
}

impl TryFrom<u128> for Scalar {
    type Error = TryFromIntError;

    fn try_from(value: u128) -> Result<Self, TryFromIntError> {
        i128::try_from(value).map(Self::Int)
    }
}

macro_rules! scalar_from_sizes {
    ($($from:ty)*) => {$(
        impl From<$from> for Scalar {
            fn from(value: $from) -> Self {
                Self::Int(i128::try_from(value).expect("128 bits hold every size"))
            }
        }
    )*};
}

scalar_from_sizes! { isize usize }
