//! Powers.

use std::borrow::Cow;

use super::operand::{Lowered, Operand, promoted, result};
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::kernel::{self, BinaryOp};
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::Power;
use crate::rules::{Rules, SafePromote};
use crate::tensor::{Tensor, or_panic};

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// [`Self::try_pow`] for operands that fit together.
    ///
    /// # Panics
    /// With the text of [`Self::try_pow`]'s error.
    ///
    /// ```
    /// use supremum::{F16, I32, Rank1, Tensor, f16, tensor};
    /// let base: Tensor<F16, Rank1> = tensor![-1.5, 2.0];
    /// let exponent: Tensor<I32, Rank1> = tensor![3, -1];
    /// let power: Tensor<F16, Rank1> = base.pow(&exponent); // an integer exponent does not promote
    /// assert_eq!(power.to_vec(), [f16::from_f32(-3.375), f16::from_f32(0.5)]);
    /// ```
    #[track_caller]
    pub fn pow<'a, Exponent>(
        &'a self,
        exponent: Exponent,
    ) -> Tensor<
        result!(R::Operand<D, N>, Exponent::DType, Exponent::Under, Power),
        <N as Broadcast<Exponent::Rank>>::Output,
        R,
    >
    where
        Exponent: Operand<'a, R>,
        R::Operand<D, N>: SafePromote<Exponent::DType, <Exponent::Under as Rules>::Power>,
        promoted!(R::Operand<D, N>, Exponent::DType, Exponent::Under, Power):
            Power<<Exponent::Under as Rules>::Operations>,
        N: Broadcast<Exponent::Rank>,
    {
        or_panic(self.try_pow(exponent))
    }

    /// Each element to the power of the exponent's.
    ///
    /// A float or complex base keeps its dtype if the exponent is an integer; otherwise the operands
    /// promote. Integers wrap. Small floats with integer exponents are computed in `f64` and
    /// rounded at the end.
    ///
    /// # Errors
    /// [`Error::NegativeExponent`] on integers; [`Error::ShapeMismatch`] if the shapes do not
    /// broadcast; [`Error::LiteralOutOfRange`] for a literal that the dtype does not have.
    pub fn try_pow<'a, Exponent>(
        &'a self,
        exponent: Exponent,
    ) -> Result<
        Tensor<
            result!(R::Operand<D, N>, Exponent::DType, Exponent::Under, Power),
            <N as Broadcast<Exponent::Rank>>::Output,
            R,
        >,
        Error,
    >
    where
        Exponent: Operand<'a, R>,
        R::Operand<D, N>: SafePromote<Exponent::DType, <Exponent::Under as Rules>::Power>,
        promoted!(R::Operand<D, N>, Exponent::DType, Exponent::Under, Power):
            Power<<Exponent::Under as Rules>::Operations>,
        N: Broadcast<Exponent::Rank>,
    {
        let output = <result!(R::Operand<D, N>, Exponent::DType, Exponent::Under, Power) as StaticDType>::DTYPE;
        let integer_exponent = Exponent::DType::DTYPE.kind().is_integer();
        // In a small float the exponent itself would round, and lose whether it is odd.
        let compute = match output {
            DType::C64 | DType::C128 if integer_exponent => DType::C128,
            _ if integer_exponent && output.kind().is_inexact() => DType::F64,
            _ => output,
        };
        let Lowered(exponent) =
            exponent.lower("pow", compute, Exponent::Under::RULE_SET.landing())?;
        let power = kernel::binary(
            BinaryOp::Pow,
            compute,
            Cow::Borrowed(self.array()),
            exponent,
        )?;
        Ok(Tensor::from_array(kernel::cast(Cow::Owned(power), output)))
    }
}
