//! Conversion of literals to elements of a dtype with a range check, and the `tensor!` macro.

use core::marker::PhantomData;

use super::inferred::Inferred;
use super::{Tensor, or_panic};
use crate::array::{Array, ScalarBits};
use crate::dtype::cast::{cast, cast_i128};
use crate::dtype::{DType, Element, Kind, StaticDType, dispatch_dtype};
use crate::error::Error;
use crate::exec;
use crate::literals::{Judged, Scalar};
use crate::rank::{Nested, Rank0};
use crate::rule_set::LiteralPolicy;
use crate::rules::Rules;

impl Scalar {
    /// Converts to an element of `E`; integers that are out of range wrap, floats overflow to infinity.
    fn wrap<E: Element>(self) -> E {
        match self {
            Self::Bool(value) => cast(value),
            Self::Int(value) => cast_i128(value),
            Self::Float(value) => cast(value),
            Self::Complex(value) => cast(value),
        }
    }

    /// Converts to an element of a dtype by [`Self::wrap`]; returns the element and its exact value.
    #[inline(always)] // Otherwise the results go through memory, which takes longer than computing them.
    fn wrap_in(self, dtype: DType) -> (ScalarBits, Self) {
        dispatch_dtype!(dtype, D => {
            let element: <D as StaticDType>::Element = self.wrap();
            (ScalarBits::new(element), Self::of(element))
        })
    }

    /// Returns whether the literal fits a dtype, in which its value is `result`: an integer has to keep its value in integer
    /// dtypes, and nothing may overflow in float dtypes.
    #[inline(always)]
    fn fits(self, kind: Kind, result: Self) -> bool {
        match self {
            Self::Bool(_) => true,
            Self::Int(_) if kind.is_integer() => result == self,
            Self::Int(value) => kind.is_inexact() && result.is_finite() || value == 0 || value == 1,
            Self::Float(_) => kind.is_inexact() && (!self.is_finite() || result.is_finite()),
            Self::Complex(_) => kind == Kind::Complex && (!self.is_finite() || result.is_finite()),
        }
    }

    fn is_finite(self) -> bool {
        match self {
            Self::Bool(_) | Self::Int(_) => true,
            Self::Float(value) => value.is_finite(),
            Self::Complex(value) => value.is_finite(),
        }
    }

    /// The exact value of an element.
    pub(crate) fn of<E: Element>(element: E) -> Self {
        // Conditions that the compiler knows, so that it compiles one conversion without optimisation too.
        if const { matches!(E::DTYPE.kind(), Kind::Bool) } {
            Self::Bool(cast(element))
        } else if const { matches!(E::DTYPE.kind(), Kind::Unsigned) } {
            Self::Int(cast::<E, u64>(element).into())
        } else if const { matches!(E::DTYPE.kind(), Kind::Signed) } {
            Self::Int(cast::<E, i64>(element).into())
        } else if const { matches!(E::DTYPE.kind(), Kind::Float) } {
            Self::Float(cast(element))
        } else {
            Self::Complex(cast(element))
        }
    }

    /// The exact value of an array's element; `None` outside the shape.
    pub(crate) fn at(array: &Array, index: &[usize]) -> Option<Self> {
        dispatch_dtype!(array.dtype(), D => {
            exec::get::<<D as StaticDType>::Element>(array, index).map(Self::of)
        })
    }

    /// Returns whether the policy admits this literal in a dtype that does not have its value.
    fn converts_out_of_range(self, kind: Kind, literal_policy: LiteralPolicy) -> bool {
        match self {
            Self::Bool(_) => false,
            Self::Int(_) if !kind.is_inexact() => literal_policy.wraps,
            Self::Int(_) => literal_policy.overflows,
            Self::Float(_) => kind.is_inexact() && literal_policy.overflows,
            Self::Complex(_) => kind == Kind::Complex && literal_policy.overflows,
        }
    }

    /// Converts to an element of a dtype.
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

    /// Makes an array of one value, the literal converted to a dtype.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the literal is out of range and the policy refuses it; the errors of an invalid
    /// shape.
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

    /// Converts to an element of type `E`.
    ///
    /// # Errors
    /// The errors of [`Self::convert_in`].
    pub(crate) fn convert_literal<E: Element>(
        self,
        literal_policy: LiteralPolicy,
    ) -> Result<E, DType> {
        self.convert_in(E::DTYPE, literal_policy)
            .map(|_| self.wrap())
    }

    /// Converts to an element of a dtype.
    ///
    /// # Errors
    /// The dtype that refuses the value: `dtype`, or the policy's dtype of integer literals.
    #[inline(always)]
    fn convert_in(self, dtype: DType, literal_policy: LiteralPolicy) -> Result<ScalarBits, DType> {
        if let (Self::Int(_), Some(int)) = (self, literal_policy.int)
            && !self.fits(int.kind(), self.wrap_in(int).1)
        {
            return Err(int);
        }
        let kind = dtype.kind();
        let (element, result) = self.wrap_in(dtype);
        if self.fits(kind, result) || self.converts_out_of_range(kind, literal_policy) {
            Ok(element)
        } else {
            Err(dtype)
        }
    }
}

/// Converts a literal to a dtype, as an operation does that promotes to the dtype under these rules.
///
/// # Errors
/// [`Error::LiteralOutOfRange`] if the literal is out of the range of the dtype. Under
/// [`AllowUnsafe`](crate::AllowUnsafe) only if the system refuses it too
/// ([`RuleSet::out_of_range_literal`](crate::RuleSet::out_of_range_literal)).
///
/// ```
/// use supremum::{AllowUnsafe, Jax, Rank0, Scalar, Tensor, U8};
/// assert!(Tensor::<U8, Rank0>::try_from(Scalar::from(300)).is_err());
/// let wrapped: Tensor<U8, Rank0, AllowUnsafe<Jax>> = Scalar::from(300).try_into()?;
/// assert_eq!(wrapped.item(), Ok(44));
/// # Ok::<(), supremum::Error>(())
/// ```
#[diagnostic::do_not_recommend]
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
pub enum TensorLiteral<E> {
    Literal(Scalar),
    Element(E),
}

impl<D, N> Inferred<D, N> {
    /// Makes the tensor of [`tensor!`](crate::tensor). The compiler has checked the range of the literals, the rank of the
    /// brackets, and that it knows the type. `N` has no bound, because rustc would report it beside that of the brackets' rank.
    #[doc(hidden)]
    #[track_caller]
    pub fn tensor<R, E: Element>(
        // not in a `const`: `static T: LazyLock<Tensor<..>> = LazyLock::new(|| tensor![..]);`
        shape: &[usize],
        elements: &[TensorLiteral<E>],
        _: &[Judged<D>],
        _: Nested<N>,
        _: Self,
        _: PhantomData<R>,
    ) -> Tensor<D, N, R>
    where
        D: StaticDType<Element = E>,
    {
        let element = |element: &TensorLiteral<E>| match *element {
            TensorLiteral::Element(element) => element,
            TensorLiteral::Literal(literal) => literal.wrap(),
        };
        let elements: Vec<_> = elements.iter().map(element).collect();
        Tensor::wrap(or_panic(Array::from_elements(&elements, shape)))
    }
}

/// The expansion of a [`tensor!`](crate::tensor) with errors; it has any type, so that no further errors follow.
#[doc(hidden)]
pub fn faulty<T>() -> T {
    unreachable!("a tensor with faults does not compile")
}

/// Makes a tensor from literals: rows in brackets.
///
/// The dtype, rank and rules are inferred from the context. With a dtype in front, as in `tensor![F32; 1.0]`,
/// the brackets give the rank, and the rules are [`Jax`](crate::Jax). A literal without a suffix converts to any dtype that
/// has its value (floats round to nearest); other expressions must have the element type. Brackets nest to at most 8
/// axes.
///
/// Ragged rows and literals that are out of the dtype's range do not compile. The compiler checks the range by
/// [`FitsLiteral`](crate::FitsLiteral). Generic code states it as a bound, except for `0`, `1`, `true` and `false`,
/// which every dtype has.
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
        $crate::tensor_impl! { [$crate] $($elements)* }
    };
}
