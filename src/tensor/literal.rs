//! Literals of tensors: converted to a dtype, if it has the value.

use super::{Tensor, or_panic};
use crate::array::{Array, ScalarBits};
use crate::dtype::cast::{cast, cast_i128};
use crate::dtype::{DType, Element, Kind, StaticDType, dispatch_dtype};
use crate::error::Error;
use crate::literals::{Judged, Scalar};
use crate::rank::{MayBe, Rank, Rank0};
use crate::rule_set::LiteralPolicy;
use crate::rules::Rules;

impl Scalar {
    /// The value as an element of `E`, wrapping or overflowing to infinity if it must.
    fn wrap<E: Element>(self) -> E {
        match self {
            Self::Bool(value) => cast(value),
            Self::Int(value) => cast_i128(value),
            Self::Float(value) => cast(value),
            Self::Complex(value) => cast(value),
        }
    }

    /// The value as an element of a dtype, which may be another: the element, and what it is exactly.
    #[inline(always)] // To hand these on by way of memory takes longer than to make them; so below.
    fn wrap_in(self, dtype: DType) -> (ScalarBits, Self) {
        dispatch_dtype!(dtype, D => {
            let element: <D as StaticDType>::Element = self.wrap();
            (ScalarBits::new(element), Self::of(element))
        })
    }

    /// Whether a dtype has the value, of which it makes `landed`: integers exactly within range, floats without overflow.
    #[inline(always)]
    fn fits(self, kind: Kind, landed: Self) -> bool {
        match self {
            Self::Bool(_) => true,
            Self::Int(_) if kind.is_integer() => landed == self,
            Self::Int(value) => kind.is_inexact() && landed.is_finite() || value == 0 || value == 1,
            Self::Float(_) => kind.is_inexact() && (!self.is_finite() || landed.is_finite()),
            Self::Complex(_) => kind == Kind::Complex && (!self.is_finite() || landed.is_finite()),
        }
    }

    fn is_finite(self) -> bool {
        match self {
            Self::Bool(_) | Self::Int(_) => true,
            Self::Float(value) => value.is_finite(),
            Self::Complex(value) => value.is_finite(),
        }
    }

    /// An element, exactly.
    pub(crate) fn of<E: Element>(element: E) -> Self {
        match E::DTYPE.kind() {
            Kind::Bool => Self::Bool(cast(element)),
            Kind::Unsigned => Self::Int(cast::<E, u64>(element).into()),
            Kind::Signed => Self::Int(cast::<E, i64>(element).into()),
            Kind::Float => Self::Float(cast(element)),
            Kind::Complex => Self::Complex(cast(element)),
        }
    }

    /// The element of an array at an index, exactly; `None` outside the shape.
    pub(crate) fn at(array: &Array, index: &[usize]) -> Option<Self> {
        dispatch_dtype!(array.dtype(), D => {
            array.get::<<D as StaticDType>::Element>(index).map(Self::of)
        })
    }

    /// Whether a literal that the dtype does not have may convert there.
    fn converts_out_of_range(self, kind: Kind, literal_policy: LiteralPolicy) -> bool {
        match self {
            Self::Bool(_) => false,
            Self::Int(_) if !kind.is_inexact() => literal_policy.wraps,
            Self::Int(_) => literal_policy.overflows,
            Self::Float(_) => kind.is_inexact() && literal_policy.overflows,
            Self::Complex(_) => kind == Kind::Complex && literal_policy.overflows,
        }
    }

    /// The literal as an element of a dtype.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`], as [`Self::to_array`].
    pub(crate) fn to_scalar_bits(
        self,
        operation: &'static str,
        dtype: DType,
        literal_policy: LiteralPolicy,
    ) -> Result<ScalarBits, Error> {
        self.convert_in(dtype, literal_policy)
            .map_err(|dtype| Error::LiteralOutOfRange {
                operation,
                literal: self,
                dtype,
            })
    }

    /// The literal everywhere in an array.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype, or that of integer literals, does not have the value, and it may not convert
    /// beyond; the errors of a shape that cannot be.
    pub(crate) fn to_array(
        self,
        operation: &'static str,
        dtype: DType,
        shape: &[usize],
        literal_policy: LiteralPolicy,
    ) -> Result<Array, Error> {
        self.to_scalar_bits(operation, dtype, literal_policy)?
            .full(shape)
    }

    /// The literal as an element.
    ///
    /// # Errors
    /// As [`Self::convert_in`].
    pub(crate) fn convert_literal<E: Element>(
        self,
        literal_policy: LiteralPolicy,
    ) -> Result<E, DType> {
        self.convert_in(E::DTYPE, literal_policy)
            .map(|_| self.wrap())
    }

    /// The literal as an element of a dtype.
    ///
    /// # Errors
    /// The dtype that does not have the value, if it may not convert beyond: this one or that of integer literals.
    #[inline(always)]
    fn convert_in(self, dtype: DType, literal_policy: LiteralPolicy) -> Result<ScalarBits, DType> {
        if let (Self::Int(_), Some(int)) = (self, literal_policy.int)
            && !self.fits(int.kind(), self.wrap_in(int).1)
        {
            return Err(int);
        }
        let kind = dtype.kind();
        let (element, landed) = self.wrap_in(dtype);
        if self.fits(kind, landed) || self.converts_out_of_range(kind, literal_policy) {
            Ok(element)
        } else {
            Err(dtype)
        }
    }
}

/// Lands a literal in a dtype, as it does in an operation that promotes to the dtype under these rules.
///
/// # Errors
/// [`Error::LiteralOutOfRange`] if the dtype does not have the value; under
/// [`AllowUnsafe`](crate::AllowUnsafe) where the system refuses it too ([`RuleSet::out_of_range_literal`](crate::RuleSet::out_of_range_literal)).
///
/// ```
/// use supremum::{AllowUnsafe, Jax, Rank0, Scalar, Tensor, U8};
/// assert!(Tensor::<U8, Rank0>::try_from(Scalar::from(300)).is_err());
/// let wrapped: Tensor<U8, Rank0, AllowUnsafe<Jax>> = Scalar::from(300).try_into()?;
/// assert_eq!(wrapped.item(), Ok(44));
/// # Ok::<(), supremum::Error>(())
/// ```
impl<D: StaticDType, R: Rules> TryFrom<Scalar> for Tensor<D, Rank0, R> {
    type Error = Error;

    fn try_from(literal: Scalar) -> Result<Self, Error> {
        let array = literal.to_array("scalar", D::DTYPE, &[], R::RULE_SET.literal_policy())?;
        Ok(Self::from_array(array))
    }
}

/// One element of [`tensor!`](crate::tensor): a literal, or an expression of the element type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum TensorLiteral<D: StaticDType> {
    Literal(Scalar),
    Element(D::Element),
}

/// The tensor that [`tensor!`](crate::tensor) writes; `Nesting` is the rank that the literal shows, and
/// the compiler has judged the literals.
#[doc(hidden)]
#[track_caller]
pub fn tensor_literal<Nesting: MayBe<N>, D: StaticDType, N: Rank, R: Rules>(
    shape: &[usize],
    elements: &[TensorLiteral<D>],
    _: &[Judged<D>],
) -> Tensor<D, N, R> {
    let element = |element: &TensorLiteral<D>| match *element {
        TensorLiteral::Element(element) => element,
        TensorLiteral::Literal(literal) => literal.wrap(),
    };
    let elements: Vec<_> = elements.iter().map(element).collect();
    Tensor::from_array(or_panic(Array::from_elements(&elements, shape)))
}

/// Stands for a [`tensor!`](crate::tensor) with faults, so that they are its only errors.
#[doc(hidden)]
pub fn faulty<T>() -> T {
    unreachable!("a tensor with faults does not compile")
}

/// A tensor from literals: rows in brackets.
///
/// The dtype, rank and rules come from where the tensor goes, or the dtype stands in front; then the
/// rank is that of the literal and the rules are [`Jax`](crate::Jax). A literal without a suffix
/// takes any dtype that has its value (floats round to nearest); other expressions must be of the element
/// type. Brackets nest to at most 8 axes. Ragged rows do not compile, nor do literals that the dtype does not have: the compiler judges them by
/// [`FitsLiteral`](crate::FitsLiteral). In generic code that is a bound, but for `0`, `1`, `true` and `false`, which every dtype
/// has.
///
/// ```
/// use supremum::{F16, F32, Rank2, Tensor, f16, tensor};
/// let t: Tensor<F32, Rank2> = tensor![[1.0, 2.5], [-3.0, f32::NAN]];
/// assert_eq!(t.shape(), [2, 2]);
/// let half = tensor![F16; 1.5, 2.0];
/// assert_eq!(half.to_vec(), [f16::from_f32(1.5), f16::from_f32(2.0)]);
/// let none: Tensor<F32> = tensor![];
/// assert_eq!(none.shape(), [0]);
/// ```
///
/// ```compile_fail
/// # use supremum::{F32, Tensor, tensor};
/// let t: Tensor<F32> = tensor![[1.0, 2.0], [3.0]]; // ragged tensor
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{Tensor, U8, tensor};
/// let t: Tensor<U8> = tensor![1, 300]; // the literal `300` does not fit in `U8`
/// ```
#[macro_export]
macro_rules! tensor {
    ($($elements:tt)*) => {
        $crate::__private::tensor_impl! { [$crate] $($elements)* }
    };
}
