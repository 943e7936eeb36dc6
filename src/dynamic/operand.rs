//! The operands of operations on dynamic tensors, and the resolution of their dtypes by the run-time tables.

use std::borrow::Cow;

use super::{DynPromoteUnsafe, DynTensor};
use crate::array::Array;
use crate::array::Datum;
use crate::dtype::{DType, StaticDType, c128};
use crate::error::{Error, ErrorOperand, OpContext};
use crate::literals::Scalar;
use crate::rank::Rank;
use crate::rule_set::LiteralPolicy;
use crate::rules::{Class, Jax, OperandType, Operation, RuleSet, Rules};
use crate::tensor::{PromoteUnsafe, Tensor};

/// Gives a trait the message for types that are not operands. The left side of operators has a trait of its own.
macro_rules! with_operand_message {
    ($item:item) => {
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not an operand of a dynamic tensor",
            label = "neither a tensor nor a literal",
            note = "operands are tensors, references to them, and literals: `true`, `2`, `1.5` without a suffix, a `c128`, or a `supremum::Scalar`; a variable is weak, like a literal, as `f64::from(x)` or `n as i64`"
        )]
        $item
    };
}

pub(super) use with_operand_message;

with_operand_message! {
    /// An operand of an operation on [`DynTensor`]: a [`DynTensor`] or [`Tensor`], also by reference or wrapped by
    /// `promote_unsafe()`, or a literal (`i64`, `f64`, `bool`, `Complex<f64>`, [`Scalar`]).
    pub trait DynOperand<'a> {
        #[doc(hidden)]
        fn lower(self) -> DynDatum<'a>;
    }
}

/// An operand without its type; opaque.
#[doc(hidden)]
pub struct DynDatum<'a> {
    value: DatumValue<'a>,
    /// The rules; `None` for a literal.
    rules: Option<&'static RuleSet>,
    admits_unsafe: bool,
}

enum DatumValue<'a> {
    Array { array: Cow<'a, Array>, weak: bool },
    Literal(Scalar),
}

impl<'a> DynDatum<'a> {
    fn tensor(array: Cow<'a, Array>, weak: bool, rules: &'static RuleSet) -> Self {
        Self {
            value: DatumValue::Array { array, weak },
            rules: Some(rules),
            admits_unsafe: false,
        }
    }

    /// The same operand, which admits promotions that may lose values.
    pub(super) fn admitting(self) -> Self {
        Self {
            admits_unsafe: true,
            ..self
        }
    }

    /// Returns whether it is a literal.
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.value, DatumValue::Literal(_))
    }

    /// Its operand type under the rules.
    pub(super) fn operand(&self, rules: &RuleSet) -> OperandType {
        match &self.value {
            DatumValue::Array { array, weak } => operand(array, *weak),
            DatumValue::Literal(literal) => rules.literal(literal.kind()),
        }
    }

    /// Its shape; a literal has rank 0.
    pub(super) fn shape(&self) -> &[usize] {
        match &self.value {
            DatumValue::Array { array, .. } => array.shape(),
            DatumValue::Literal(_) => &[],
        }
    }

    /// Converts to the operand that kernels take. An owned array that a result can reuse is moved out; a literal
    /// converts to `dtype`.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`].
    #[inline(always)] // Otherwise the result goes through memory, which takes as long as adding a few elements.
    pub(super) fn convert_literal(
        &mut self,
        operation: &'static str,
        dtype: DType,
        literal_policy: impl FnOnce() -> LiteralPolicy,
    ) -> Result<Datum<'_>, Error> {
        const TAKEN: DatumValue<'static> = DatumValue::Literal(Scalar::Bool(false));
        if let DatumValue::Array {
            array: Cow::Owned(array),
            ..
        } = &self.value
            && array.is_reusable()
            && let DatumValue::Array { array, .. } = core::mem::replace(&mut self.value, TAKEN)
        {
            return Ok(Datum::Array(array));
        }
        match &self.value {
            DatumValue::Array { array, .. } => Ok(Datum::borrowed(array)),
            DatumValue::Literal(literal) => literal
                .to_scalar_bits(operation, dtype, literal_policy())
                .map(Datum::ScalarBits),
        }
    }

    /// Returns the result type of an operation on this operand alone.
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`].
    pub(super) fn result(
        &self,
        operation: &'static str,
        group: Operation,
        rules: &RuleSet,
    ) -> Result<OperandType, Error> {
        rules
            .operation(group, self.operand(rules))
            .map_err(|error| {
                error.within(OpContext {
                    operation,
                    rules: rules.name(),
                    operands: vec![self.given(rules)],
                })
            })
    }

    /// Describes the operand for an error.
    fn given(&self, rules: &RuleSet) -> ErrorOperand {
        let operand = self.operand(rules);
        match &self.value {
            DatumValue::Array { array, .. } => ErrorOperand::Tensor {
                operand,
                shape: array.shape().to_vec(),
            },
            DatumValue::Literal(value) => ErrorOperand::Literal {
                operand,
                value: *value,
            },
        }
    }
}

/// Returns the operand type of an array.
pub(super) fn operand(array: &Array, weak: bool) -> OperandType {
    let class = match (weak, array.rank()) {
        (true, _) => Class::Weak,
        (false, 0) => Class::ZeroDim,
        (false, _) => Class::Dimensioned,
    };
    OperandType {
        dtype: array.dtype(),
        class,
    }
}

/// Returns the common rules of the operands; literals have none.
///
/// # Errors
/// [`Error::MixedRules`].
pub(super) fn common_rules<'a, 'b: 'a>(
    operation: &'static str,
    operands: impl IntoIterator<Item = &'a DynDatum<'b>>,
) -> Result<&'static RuleSet, Error> {
    let mut all = operands.into_iter().filter_map(|operand| operand.rules);
    // The default is for two literals.
    let first = all.next().unwrap_or(Jax::RULE_SET);
    match all.find(|rules| *rules != first) {
        Some(rhs) => Err(Error::MixedRules {
            operation,
            lhs: first,
            rhs,
        }),
        None => Ok(first),
    }
}

/// The dtypes of an operation on two operands.
pub(super) struct Resolved {
    /// The promotion of the operands.
    pub(super) promoted: OperandType,
    /// The result of the operation.
    pub(super) result: OperandType,
    rules: &'static RuleSet,
    admits_unsafe: bool,
}

impl Resolved {
    /// The literal policy of the operation.
    pub(super) fn literal_policy(&self) -> LiteralPolicy {
        judging(self.rules, self.admits_unsafe).literal_policy()
    }
}

/// Returns the rules, with unsafe promotions admitted if an operand admits them.
fn judging(rules: &RuleSet, admits_unsafe: bool) -> RuleSet {
    if admits_unsafe {
        rules.allowing_unsafe()
    } else {
        *rules
    }
}

/// Finds the dtypes of an operation on two operands under their rules.
///
/// # Errors
/// [`Error::MixedRules`], [`Error::NoPromotion`], [`Error::UnsafePromotion`], [`Error::UndefinedOperation`].
#[inline(always)] // For the same reason as `convert_literal`.
pub(super) fn resolve(
    operation: &'static str,
    group: Operation,
    lhs: &DynDatum<'_>,
    rhs: &DynDatum<'_>,
    rules: &'static RuleSet,
) -> Result<Resolved, Error> {
    let admits_unsafe = lhs.admits_unsafe || rhs.admits_unsafe;
    let (left, right) = (lhs.operand(rules), rhs.operand(rules));
    match rules.decide(group, left, right, admits_unsafe) {
        Some([promoted, result]) => Ok(Resolved {
            promoted,
            result,
            rules,
            admits_unsafe,
        }),
        None => Err(refused(operation, group, lhs, rhs, rules)),
    }
}

/// Returns the type of operands that are joined, any number of them. Operands of one type keep it, even if the rules have no
/// operations on it. Others get the type to which they promote.
///
/// # Errors
/// [`Error::NoPromotion`], [`Error::UnsafePromotion`], [`Error::UndefinedOperation`].
pub(super) fn joined_type(
    operation: &'static str,
    operands: &[DynDatum<'_>],
    rules: &'static RuleSet,
) -> Result<OperandType, Error> {
    let types: Vec<_> = operands
        .iter()
        .map(|operand| operand.operand(rules))
        .collect();
    if let Some((first, others)) = types.split_first()
        && others.iter().all(|other| other == first)
    {
        return Ok(*first);
    }
    if let [lhs, rhs] = operands {
        return Ok(resolve(operation, Operation::Join, lhs, rhs, rules)?.result);
    }
    common_type(operation, Operation::Join, operands, rules)
}

/// Returns the result of a group of operations on what all operands promote to.
///
/// # Errors
/// [`Error::NoPromotion`], [`Error::UnsafePromotion`], [`Error::UndefinedOperation`].
fn common_type(
    operation: &'static str,
    group: Operation,
    operands: &[DynDatum<'_>],
    rules: &'static RuleSet,
) -> Result<OperandType, Error> {
    let types: Vec<_> = operands
        .iter()
        .map(|operand| operand.operand(rules))
        .collect();
    let common = || {
        let promoting = rules.promoting_for(group);
        let promotion = promoting.common(&types)?;
        if !promotion.verdict.is_safe() {
            // An operand that does not fit in the common dtype.
            for operand in &types {
                promoting.safe_promote(*operand, promotion.operand())?;
            }
        }
        rules.operation(group, promotion.operand())
    };
    common().map_err(|error: Error| refused_for(error, operation, operands, rules))
}

/// Returns the type of interpolations between values at points: the one to which `x / points` and a quotient of values promote. Tensors of
/// rank zero count as those with dimensions. Nothing is converted to these dtypes before it is computed, so a promotion may lose values.
///
/// # Errors
/// [`Error::NoPromotion`], [`Error::UndefinedOperation`].
pub(super) fn interpolation_type(
    operation: &'static str,
    operands: &[DynDatum<'_>; 3],
    rules: &'static RuleSet,
) -> Result<OperandType, Error> {
    let [x, points, values] = operands.each_ref().map(|operand| {
        let operand = operand.operand(rules);
        match operand.class {
            Class::Weak => operand,
            _ => OperandType::dimensioned(operand.dtype),
        }
    });
    let quotient = |operand| rules.operation(Operation::Divide, operand);
    let found = || {
        let place = quotient(rules.promote(x, points)?.operand())?;
        Ok(rules.promote(place, quotient(values)?)?.operand())
    };
    found().map_err(|error: Error| refused_for(error, operation, operands, rules))
}

/// Adds the operation and its operands to an error of the rules.
fn refused_for(
    error: Error,
    operation: &'static str,
    operands: &[DynDatum<'_>],
    rules: &RuleSet,
) -> Error {
    error.within(OpContext {
        operation,
        rules: rules.name(),
        operands: operands
            .iter()
            .map(|operand| operand.given(rules))
            .collect(),
    })
}

/// Returns the type of a product of operands, any number of them: the type of a matrix product for two, and the type to which all
/// promote for more.
///
/// # Errors
/// The errors of [`resolve`].
pub(super) fn product_type(
    operation: &'static str,
    operands: &[DynDatum<'_>],
    rules: &'static RuleSet,
) -> Result<OperandType, Error> {
    let group = Operation::MatrixMultiply;
    match operands {
        [operand] => operand.result(operation, group, rules),
        [lhs, rhs] => Ok(resolve(operation, group, lhs, rhs, rules)?.result),
        _ => common_type(operation, group, operands, rules),
    }
}

/// Makes the error of an operation that [`RuleSet::decide`] refused.
#[cold]
fn refused(
    operation: &'static str,
    group: Operation,
    lhs: &DynDatum<'_>,
    rhs: &DynDatum<'_>,
    rules: &'static RuleSet,
) -> Error {
    let judge = judging(rules, lhs.admits_unsafe || rhs.admits_unsafe);
    match judge.binary(group, lhs.operand(rules), rhs.operand(rules)) {
        Err(error) => error.within(OpContext {
            operation,
            rules: rules.name(),
            operands: vec![lhs.given(rules), rhs.given(rules)],
        }),
        Ok(_) => unreachable!("the rules decide this"),
    }
}

impl DynTensor {
    /// Borrows the tensor as an operand.
    pub(super) fn borrowed(&self) -> DynDatum<'_> {
        DynDatum::tensor(Cow::Borrowed(&self.array), self.weak, self.rules)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> DynOperand<'a> for DynDatum<'a> {
    fn lower(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'a> DynOperand<'a> for &'a DynTensor {
    fn lower(self) -> DynDatum<'a> {
        self.borrowed()
    }
}

#[diagnostic::do_not_recommend]
impl<'a> DynOperand<'a> for DynTensor {
    fn lower(self) -> DynDatum<'a> {
        DynDatum::tensor(Cow::Owned(self.array), self.weak, self.rules)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> DynOperand<'a> for DynPromoteUnsafe {
    fn lower(self) -> DynDatum<'a> {
        self.tensor.lower().admitting()
    }
}

#[diagnostic::do_not_recommend]
impl<'a> DynOperand<'a> for &'a DynPromoteUnsafe {
    fn lower(self) -> DynDatum<'a> {
        self.tensor.borrowed().admitting()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules> DynOperand<'a> for &'a Tensor<D, N, R> {
    fn lower(self) -> DynDatum<'a> {
        DynDatum::tensor(Cow::Borrowed(self.array()), D::WEAK, R::RULE_SET)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules> DynOperand<'a> for Tensor<D, N, R> {
    fn lower(self) -> DynDatum<'a> {
        DynDatum::tensor(Cow::Owned(self.into_array()), D::WEAK, R::RULE_SET)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules> DynOperand<'a> for PromoteUnsafe<D, N, R> {
    fn lower(self) -> DynDatum<'a> {
        self.tensor.lower().admitting()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules> DynOperand<'a> for &'a PromoteUnsafe<D, N, R> {
    fn lower(self) -> DynDatum<'a> {
        (&self.tensor).lower().admitting()
    }
}

macro_rules! literals {
    ($($literal:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a> DynOperand<'a> for $literal {
            fn lower(self) -> DynDatum<'a> {
                DynDatum {
                    value: DatumValue::Literal(self.into()),
                    rules: None,
                    admits_unsafe: false,
                }
            }
        }
    )*};
}

literals! { i64 f64 c128 bool Scalar }
