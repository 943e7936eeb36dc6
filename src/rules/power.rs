//! The dtype of a power, which looks at the kinds of both operands.

use super::operations::Power;
use super::{Class, OperandType, Operation, Promoted, RuleSet, Rules, SafePromote};
use crate::dtype::{AsBoolean, AsInexact, AsInteger, StaticDType, StrongDType};
use crate::error::Error;

/// Raising `Self` to the power of `Exponent` under the rules `R`.
///
/// A float or complex base with an integer exponent keeps its dtype, as in JAX: the exponent is not
/// promoted, so nothing of it is lost. All other operands promote.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{F16, F32, I64, Jax, Raise};
/// assert_type_eq_all!(<F16 as Raise<I64, Jax>>::Output, F16);
/// assert_type_eq_all!(<F16 as Raise<F32, Jax>>::Output, F32);
/// ```
pub trait Raise<Exponent, R> {
    /// The dtype of the result.
    type Output: StaticDType;
}

impl<Base, Exponent, R> Raise<Exponent, R> for Base
where
    Base: StaticDType,
    Exponent: StaticDType,
    R: Rules,
    <Base::Strong as StrongDType>::Group:
        RaiseIn<<Exponent::Strong as StrongDType>::Group, Base, Exponent, R>,
{
    type Output = <<Base::Strong as StrongDType>::Group as RaiseIn<
        <Exponent::Strong as StrongDType>::Group,
        Base,
        Exponent,
        R,
    >>::Output;
}

/// [`Raise`] by the groups of kinds that base (`Self`) and exponent belong to.
#[doc(hidden)]
pub trait RaiseIn<ExponentGroup, Base, Exponent, R> {
    type Output: StaticDType;
}

impl<Base, Exponent, R> RaiseIn<AsInteger, Base, Exponent, R> for AsInexact
where
    Base: StaticDType,
    Exponent: StaticDType,
    R: Rules,
    Exponent::Weaken<Base>: Power<R::Operations>,
{
    type Output = <Exponent::Weaken<Base> as Power<R::Operations>>::Output;
}

macro_rules! promoted {
    ($($base:ident ^ $exponent:ident,)*) => {$(
        impl<Base, Exponent, R> RaiseIn<$exponent, Base, Exponent, R> for $base
        where
            Base: SafePromote<Exponent, R>,
            R: Rules,
            Promoted<Base, Exponent, R>: Power<R::Operations>,
        {
            type Output = <Promoted<Base, Exponent, R> as Power<R::Operations>>::Output;
        }
    )*};
}

promoted! {
    AsBoolean ^ AsBoolean, AsBoolean ^ AsInteger, AsBoolean ^ AsInexact,
    AsInteger ^ AsBoolean, AsInteger ^ AsInteger, AsInteger ^ AsInexact,
    AsInexact ^ AsBoolean, AsInexact ^ AsInexact,
}

impl RuleSet {
    /// The operand type of a power; [`Raise`] at run time.
    ///
    /// # Errors
    /// [`Error::NoPromotion`], [`Error::UnsafePromotion`] if the operands promote and may not;
    /// [`Error::UndefinedOperation`] if the rules define no power there.
    ///
    /// ```
    /// use supremum::{DType, OperandType, RuleSet};
    /// let (base, exponent) = (OperandType::dimensioned(DType::F16), OperandType::dimensioned(DType::I64));
    /// assert_eq!(RuleSet::named("jax")?.power(base, exponent)?.dtype, DType::F16);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn power(&self, base: OperandType, exponent: OperandType) -> Result<OperandType, Error> {
        let raised = if base.dtype.kind().is_inexact() && exponent.dtype.kind().is_integer() {
            match exponent.class {
                Class::Weak => base,
                Class::Dimensioned | Class::ZeroDim => OperandType::dimensioned(base.dtype),
            }
        } else {
            self.safe_promote(base, exponent)?.operand()
        };
        self.operation(Operation::Power, raised)
    }
}
