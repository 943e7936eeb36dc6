//! Conversions to another dtype or to other rules.

use std::borrow::Cow;

use super::{DynTensor, check_type};
use crate::dtype::{DType, Loss, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::rank::Rank;
use crate::rules::{ConvertPromoteTypes, IntoRuleSet, Rules};
use crate::tensor::convert::try_cast;
use crate::tensor::{Tensor, or_panic};

/// # Conversion
impl DynTensor {
    /// Converts to a tensor whose dtype, rank and rules the compiler knows; the storage is shared. The rules become
    /// those of the type, as by [`Tensor::with_rules`]. To require the tensor's own rules, compare [`Self::rules`] or
    /// use [`dispatch!`](crate::dispatch).
    ///
    /// # Errors
    /// [`Error::UnexpectedOperand`] if it has another dtype or weakness; [`Error::RankMismatch`] if it has another
    /// rank.
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a parameter is missing.
    pub fn typed<D: StaticDType, N: Rank, R: Rules>( // `typed::<F32, Rank2, Jax>()?`, not as `help` says
        &self,
    ) -> Result<Tensor<D, N, R>, Error> {
        check_type::<D, N>(self.dtype(), self.weak, self.shape())?;
        Ok(Tensor::from_array(self.array.clone()))
    }

    fn cast_to(&self, to: DType) -> Result<Self, Error> {
        Ok(self.strong_of(exec::cast(Cow::Borrowed(self.array()), to)?))
    }

    fn strong_of(&self, array: crate::array::Array) -> Self {
        Self::from_array(array, false, self.rules)
    }

    /// Converts every value to another dtype, as Rust's `as`; see [`Tensor::cast`](crate::Tensor::cast). The result is
    /// strong.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, F32, tensor};
    /// let t = tensor![F32; 1.9, -300.0].into_dyn();
    /// assert_eq!(t.cast(DType::I8).to_string(), "[   1, -128] i8 [2]");
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[must_use]
    #[track_caller]
    pub fn cast(&self, to: DType) -> Self { // the dtype is a value, not as `help` says: `t.cast(DType::F32)`
        or_panic(self.cast_to(to))
    }

    /// Converts to another dtype, if it has all values; the result is strong.
    ///
    /// # Errors
    /// [`Error::InexactCast`] with the first value, in row-major order, that the dtype does not have;
    /// [`Error::OutOfMemory`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_cast(&self, to: DType) -> Result<Self, Error> { // the dtype is a value, not as `help` says: `t.try_cast(DType::F32)?`
        Ok(self.strong_of(try_cast(self.array(), to)?))
    }

    /// Converts to another real dtype, and saturates; see [`Tensor::cast_saturating`](crate::Tensor::cast_saturating). The
    /// result is strong.
    ///
    /// # Panics
    /// With the text of [`Self::try_cast_saturating`]'s error.
    ///
    /// ```
    /// use supremum::{DType, I32, tensor};
    /// let t = tensor![I32; -7, 300].into_dyn();
    /// assert_eq!(t.cast_saturating(DType::U8).to_string(), "[  0, 255] u8 [2]");
    /// ```
    #[must_use]
    #[track_caller]
    pub fn cast_saturating(&self, to: DType) -> Self {
        or_panic(self.try_cast_saturating(to))
    }

    /// [`Self::cast_saturating`], fallible.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] of complex numbers, which have no order; [`Error::OutOfMemory`].
    pub fn try_cast_saturating(&self, to: DType) -> Result<Self, Error> {
        Ok(self.strong_of(exec::cast_saturating(Cow::Borrowed(self.array()), to)?))
    }

    /// Converts to a dtype that has all values of this one; the result is strong.
    ///
    /// # Errors
    /// [`Error::Narrows`] if some values of this dtype are not in the other one, even if this tensor has none of them;
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let t = DynTensor::ones(DType::I64, [2])?;
    /// assert_eq!(
    ///     t.widen(DType::F32).unwrap_err().to_string(),
    ///     "widen: i64 to f32 loses precision; `.try_cast(..)` checks the values, `.cast(..)` does not"
    /// );
    /// assert_eq!(DynTensor::ones(DType::I32, [2])?.widen(DType::F64)?.dtype(), DType::F64);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn widen(&self, to: DType) -> Result<Self, Error> { // the dtype is a value, not as `help` says: `t.widen(DType::F32)?`
        let loss = match self.dtype().loss_to(to) {
            Loss::None => return self.cast_to(to),
            Loss::Precision => "precision",
            Loss::Range => "range",
        };
        Err(Error::Narrows {
            operation: "widen",
            from: self.dtype(),
            to,
            loss,
        })
    }

    /// Makes a weak dtype (from a literal) strong; the storage is shared.
    #[must_use]
    pub fn strong(&self) -> Self {
        self.strong_of(self.array.clone())
    }

    /// Makes the dtype weak, as that of a literal. Beside a strong dtype, the result has the strong dtype if the rules
    /// have such a promotion. The storage is shared.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let rate = DynTensor::full(DType::F64, [], 0.5)?.weak();
    /// let step = DynTensor::ones(DType::F16, [2])?.try_mul(&rate)?;
    /// assert_eq!((rate.to_string(), step.to_string()), ("0.5 f64* []".to_owned(), "[0.5, 0.5] f16 [2]".to_owned()));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn weak(&self) -> Self {
        Self::from_array(self.array.clone(), true, self.rules)
    }

    /// Returns the same tensor under other rules; the storage is shared, so it is free of cost.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, RuleSet};
    /// let t = DynTensor::ones(DType::I32, [2])?.with_rules(RuleSet::named("numpy")?);
    /// assert_eq!(t.try_div(2)?.dtype(), DType::F64);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn with_rules(&self, rules: impl IntoRuleSet) -> Self { // the rules are a value, not as `help` says: `t.with_rules(Numpy)`
        Self::from_array(self.array.clone(), self.weak, rules.into_rule_set())
    }

    /// Admits an unsafe promotion in the one operation that takes this operand; the result follows the rules again. For all operations,
    /// use rules that admit them: `t.with_rules(t.rules().allowing_unsafe())`.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let counts = DynTensor::ones(DType::I64, [2])?;
    /// let halves = DynTensor::full(DType::F32, [2], 0.5)?;
    /// assert!(counts.try_mul(&halves).is_err());
    /// assert_eq!(counts.promote_unsafe().try_mul(&halves)?.to_string(), "[0.5, 0.5] f32 [2]");
    /// let counts = counts.with_rules(counts.rules().allowing_unsafe());
    /// assert_eq!(counts.try_mul(halves.with_rules(counts.rules()))?.to_string(), "[0.5, 0.5] f32 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn promote_unsafe(&self) -> DynPromoteUnsafe {
        DynPromoteUnsafe {
            tensor: self.clone(),
        }
    }
}

/// An operand whose promotion may lose values, made by [`DynTensor::promote_unsafe`].
#[derive(Clone, Debug)]
pub struct DynPromoteUnsafe {
    pub(super) tensor: DynTensor,
}

impl ConvertPromoteTypes {
    /// Converts both tensors to the dtype that they promote to under these attributes; each keeps its shape. This is
    /// [`convert_promote_types`](crate::convert_promote_types()) for dtypes that are known at run time only. The rules
    /// of the tensors themselves are ignored.
    ///
    /// # Errors
    /// The errors of [`Self::promote`], and [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{ConvertPromoteTypes, DType, Error, I64, Rank0, Rank1, Tensor, U8, tensor};
    /// let scalar = Tensor::<I64, Rank0>::scalar(-1).into_dyn();
    /// let tensor = tensor![U8; 1, 2].into_dyn();
    /// let as_pytorch = ConvertPromoteTypes {
    ///     pytorch_scalar_promotion: true,
    ///     ..ConvertPromoteTypes::default()
    /// };
    /// // A signed scalar in an unsigned tensor loses its sign.
    /// assert!(matches!(as_pytorch.convert(&scalar, &tensor), Err(Error::UnsafePromotion { .. })));
    /// let admitted = ConvertPromoteTypes { promote_unsafe: true, ..as_pytorch };
    /// let (scalar, tensor) = admitted.convert(&scalar, &tensor)?;
    /// assert_eq!((scalar.dtype(), tensor.dtype()), (DType::U8, DType::U8));
    /// let scalar: Tensor<U8, Rank0> = scalar.try_into()?;
    /// assert_eq!(scalar.item(), Ok(255));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn convert(
        self,
        lhs: &DynTensor,
        rhs: &DynTensor,
    ) -> Result<(DynTensor, DynTensor), Error> {
        let promotion = self.promote(lhs.operand(), rhs.operand())?;
        let convert = |tensor: &DynTensor| -> Result<_, Error> {
            let array = exec::cast(Cow::Borrowed(tensor.array()), promotion.dtype)?;
            Ok(DynTensor::from_array(
                array,
                promotion.weak,
                self.rule_set(),
            ))
        };
        Ok((convert(lhs)?, convert(rhs)?))
    }
}
