//! Fallible lookups in a rule set, and the rule sets of the library by name.

use super::{Class, OperandType, Operation, Promotion, RuleSet, Rules};
use crate::error::Error;

macro_rules! builtin {
    ($($rules:ident)*) => {
        const BUILTIN: &[&RuleSet] = &[$(<super::$rules as Rules>::RULE_SET),*];
    };
}

supremum_macros::with_builtin_rules!(builtin);

impl RuleSet {
    /// Lists the rule sets of this library.
    pub fn builtin() -> &'static [&'static Self] {
        BUILTIN
    }

    /// Finds the rule set of this library with that name.
    ///
    /// # Errors
    /// [`Error::UnknownRules`], whose message lists the known names.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        let found = Self::builtin().iter().find(|rules| rules.name == name);
        found
            .copied()
            .ok_or_else(|| Error::UnknownRules { name: name.into() })
    }

    /// Promotes two operands, whether or not the verdict is safe. A [`DType`](crate::DType) stands for a tensor with dimensions.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the rules leave the pair undefined.
    ///
    /// ```
    /// use supremum::{DType, Jax, OperandType, Rules};
    /// let strong = Jax::RULE_SET.promote(DType::F16, DType::BF16)?;
    /// let weak = Jax::RULE_SET.promote(DType::F16, OperandType::weak(DType::F64))?;
    /// assert_eq!((strong.dtype, weak.dtype), (DType::F32, DType::F16));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn promote(
        &self,
        lhs: impl Into<OperandType>,
        rhs: impl Into<OperandType>,
    ) -> Result<Promotion, Error> {
        let (lhs, rhs) = (lhs.into(), rhs.into());
        let Some(promotion) = self.promotions.get(lhs, rhs) else {
            return Err(Error::NoPromotion {
                lhs,
                rhs,
                rules: self.name,
                context: None,
            });
        };
        Ok(promotion)
    }

    /// Promotes two operands, if these rules accept the verdict.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the rules leave the pair undefined. [`Error::UnsafePromotion`] if the verdict is not
    /// safe and unsafe promotions are not [allowed](Self::allowing_unsafe).
    pub fn safe_promote(
        &self,
        lhs: impl Into<OperandType>,
        rhs: impl Into<OperandType>,
    ) -> Result<Promotion, Error> {
        let (lhs, rhs) = (lhs.into(), rhs.into());
        let promotion = self.promote(lhs, rhs)?;
        self.accept(promotion, lhs, rhs, self.name)
    }

    fn accept(
        &self,
        promotion: Promotion,
        lhs: OperandType,
        rhs: OperandType,
        rules: &'static str,
    ) -> Result<Promotion, Error> {
        if promotion.verdict.is_safe() || self.allows_unsafe {
            Ok(promotion)
        } else {
            Err(Error::UnsafePromotion {
                lhs,
                rhs,
                promotion,
                rules,
                context: None,
            })
        }
    }

    /// Returns the result dtype of a binary operation, and the verdict on the promotion of its operands.
    ///
    /// The table that promotes the operands depends on the operation under some systems.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the operands have no common dtype; [`Error::UnsafePromotion`] if their promotion is
    /// unsafe and not [allowed](Self::allowing_unsafe); [`Error::UndefinedOperation`] if the rules do not define the
    /// operation on the promoted dtype, or if it takes one operand only.
    ///
    /// ```
    /// use supremum::{DType, OperandType, Operation, RuleSet};
    /// let [u8, i8] = [DType::U8, DType::I8].map(OperandType::dimensioned);
    /// let jax = RuleSet::named("jax")?;
    /// assert_eq!(jax.binary(Operation::Multiply, u8, i8)?.dtype, DType::I16);
    /// assert_eq!(jax.binary(Operation::Divide, u8, i8)?.dtype, DType::F32);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn binary(
        &self,
        operation: Operation,
        lhs: OperandType,
        rhs: OperandType,
    ) -> Result<Promotion, Error> {
        let promotion = self.promote_for(operation, lhs, rhs)?;
        let result = self.operation(operation, promotion.operand())?;
        Ok(Promotion {
            dtype: result.dtype,
            weak: result.class == Class::Weak,
            ..promotion
        })
    }

    /// Promotes the operands of an operation, by the table that the rules name for its group. The operation is computed
    /// in that dtype or converts from it; [`Self::binary`] has the dtype of its result.
    ///
    /// # Errors
    /// The errors of [`Self::binary`].
    ///
    /// ```
    /// use supremum::{DType, OperandType, Operation, RuleSet};
    /// let [u8, i8] = [DType::U8, DType::I8].map(OperandType::dimensioned);
    /// let jax = RuleSet::named("jax")?;
    /// assert_eq!(jax.promote_for(Operation::Divide, u8, i8)?.dtype, DType::I16);
    /// assert_eq!(jax.binary(Operation::Divide, u8, i8)?.dtype, DType::F32);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn promote_for(
        &self,
        operation: Operation,
        lhs: OperandType,
        rhs: OperandType,
    ) -> Result<Promotion, Error> {
        let Some((rules, table)) = self.promoting.get(operation.index()) else {
            return Err(Error::UndefinedOperation {
                operation,
                operand: lhs,
                rules: self.name,
                context: None,
            });
        };
        let Some(promotion) = table.get(lhs, rhs) else {
            return Err(Error::NoPromotion {
                lhs,
                rhs,
                rules,
                context: None,
            });
        };
        self.accept(promotion, lhs, rhs, rules)
    }

    /// Returns the result of an operation as an operand type. For a binary operation, `operand` is the promotion of
    /// both operands.
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the rules do not define the operation there.
    ///
    /// ```
    /// use supremum::{DType, OperandType, Operation, RuleSet};
    /// let jax = RuleSet::named("jax")?;
    /// let sum = jax.operation(Operation::Sum, OperandType::dimensioned(DType::I8))?;
    /// assert_eq!(sum.dtype, DType::I64);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn operation(
        &self,
        operation: Operation,
        operand: OperandType,
    ) -> Result<OperandType, Error> {
        let Some(result) = self.operations.get(operation, operand) else {
            return Err(Error::UndefinedOperation {
                operation,
                operand,
                rules: self.name,
                context: None,
            });
        };
        Ok(result)
    }
}
