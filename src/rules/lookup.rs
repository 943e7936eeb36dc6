//! Lookups in a rule set that can fail, and the rule sets of the library by name.

use super::{
    Anvil, ArrayApi, Class, Jax, JaxStrict, JaxX32, Numpy, NumpyArctan2, NumpyUfunc, OpenVino,
    OpenVinoScalar, OperandType, Operation, Promotion, RuleSet, Rules, TensorFlow,
    TensorFlowLegacy, TensorFlowMultiply, TensorFlowOperators, Torch, TorchEqual, TorchSubtract,
};
use crate::error::Error;

macro_rules! builtin {
    ($($rules:ident)*) => {
        const BUILTIN: &[&RuleSet] = &[$(<$rules>::RULE_SET),*];
        /// Their names as types, which the macros know too.
        #[cfg(test)]
        const BUILTIN_NAMES: &[&str] = &[$(stringify!($rules)),*];
    };
}

builtin! {
    Jax JaxX32 JaxStrict
    Numpy NumpyUfunc NumpyArctan2
    Torch TorchSubtract TorchEqual
    TensorFlow TensorFlowOperators TensorFlowMultiply TensorFlowLegacy
    OpenVino OpenVinoScalar
    ArrayApi
    Anvil
}

impl RuleSet {
    /// The rule sets of this library.
    pub fn builtin() -> &'static [&'static Self] {
        BUILTIN
    }

    /// The rule set of this library with that name.
    ///
    /// # Errors
    /// [`Error::UnknownRules`], listing the names that there are.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        let found = Self::builtin().iter().find(|rules| rules.name == name);
        found
            .copied()
            .ok_or_else(|| Error::UnknownRules { name: name.into() })
    }

    /// What two operands promote to, whether or not the verdict is safe.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the rules leave the pair undefined.
    pub fn promote(&self, lhs: OperandType, rhs: OperandType) -> Result<Promotion, Error> {
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

    /// What two operands promote to, if these rules accept the verdict.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the rules leave the pair undefined, [`Error::UnsafePromotion`] if
    /// they do not accept it and unsafe promotions are not [allowed](Self::allowing_unsafe).
    pub fn safe_promote(&self, lhs: OperandType, rhs: OperandType) -> Result<Promotion, Error> {
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

    /// What an operation between two operands gives: the dtype of its result, and the verdict on the
    /// promotion of its operands. Some systems promote for some operations by other tables than for
    /// others.
    ///
    /// # Errors
    /// [`Error::NoPromotion`], [`Error::UnsafePromotion`] if the operands promote and may not;
    /// [`Error::UndefinedOperation`] if the rules do not define the operation there, or if it has one
    /// operand only.
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

    /// What the operands of an operation promote to, by the table of the rules that promote for it.
    ///
    /// # Errors
    /// As [`Self::binary`].
    pub(crate) fn promote_for(
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

    /// The operand type that an operation gives for an operand (for the promotion of its two
    /// operands, if it has two).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macros_know_the_same_rule_sets() {
        assert_eq!(BUILTIN_NAMES, supremum_macros::builtin_names!());
    }
}
