//! What can stand on either side of a dynamic operation.

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

/// An operand of an operation on [`DynTensor`]: one, or a [`Tensor`], each also by reference or wrapped by
/// `promote_unsafe()`; or a literal (`i64`, `f64`, `bool`, `Complex<f64>`, [`Scalar`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of a dynamic tensor",
    label = "neither a tensor nor a literal",
    note = "operands are tensors, references to them, and literals: `true`, `2`, `1.5` without a suffix, a `Complex<f64>`, or a `Scalar`"
)]
pub trait DynOperand<'a> {
    #[doc(hidden)]
    fn lower(self) -> DynDatum<'a>;
}

/// A lowered operand; opaque.
#[doc(hidden)]
pub struct DynDatum<'a> {
    value: Value<'a>,
    /// None of a literal.
    rules: Option<&'static RuleSet>,
    admits_unsafe: bool,
}

enum Value<'a> {
    Array { array: Cow<'a, Array>, weak: bool },
    Literal(Scalar),
}

impl<'a> DynDatum<'a> {
    fn tensor(array: Cow<'a, Array>, weak: bool, rules: &'static RuleSet) -> Self {
        Self {
            value: Value::Array { array, weak },
            rules: Some(rules),
            admits_unsafe: false,
        }
    }

    fn admitting(self) -> Self {
        Self {
            admits_unsafe: true,
            ..self
        }
    }

    /// What it is in a promotion under the rules.
    pub(super) fn operand(&self, rules: &RuleSet) -> OperandType {
        match &self.value {
            Value::Array { array, weak } => operand(array, *weak),
            Value::Literal(literal) => rules.literal(literal.kind()),
        }
    }

    /// Its shape; a literal has rank 0.
    pub(super) fn shape(&self) -> &[usize] {
        match &self.value {
            Value::Array { array, .. } => array.shape(),
            Value::Literal(_) => &[],
        }
    }

    /// The erased operand, which is taken if its memory is of use to a result; a literal lands in the dtype, where it may.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`].
    #[inline(always)] // What is handed on by way of memory takes as long as to add a few elements.
    pub(super) fn convert_literal(
        &mut self,
        operation: &'static str,
        dtype: DType,
        literal_policy: impl FnOnce() -> LiteralPolicy,
    ) -> Result<Datum<'_>, Error> {
        const TAKEN: Value<'static> = Value::Literal(Scalar::Bool(false));
        if let Value::Array {
            array: Cow::Owned(array),
            ..
        } = &self.value
            && array.is_reusable()
            && let Value::Array { array, .. } = core::mem::replace(&mut self.value, TAKEN)
        {
            return Ok(Datum::Array(array));
        }
        match &self.value {
            Value::Array { array, .. } => Ok(Datum::Array(Cow::Borrowed(array))),
            Value::Literal(literal) => literal
                .to_scalar_bits(operation, dtype, literal_policy())
                .map(Datum::ScalarBits),
        }
    }

    /// What an operation on it alone makes of it.
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
                    operands: vec![self.given(rules)],
                })
            })
    }

    /// It, as an error names it.
    fn given(&self, rules: &RuleSet) -> ErrorOperand {
        let operand = self.operand(rules);
        match &self.value {
            Value::Array { array, .. } => ErrorOperand::Tensor {
                operand,
                shape: array.shape().to_vec(),
            },
            Value::Literal(value) => ErrorOperand::Literal {
                operand,
                value: *value,
            },
        }
    }
}

/// What an array is in a promotion.
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

/// The rules of operands, which are the same for all that have any.
///
/// # Errors
/// [`Error::MixedRules`].
pub(super) fn common_rules<'a, 'b: 'a>(
    operation: &'static str,
    operands: impl IntoIterator<Item = &'a DynDatum<'b>>,
) -> Result<&'static RuleSet, Error> {
    let mut all = operands.into_iter().filter_map(|operand| operand.rules);
    // A literal has no rules; no operation has only literals.
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

/// What an operation makes of two operands.
pub(super) struct Resolved {
    /// What they promote to.
    pub(super) promoted: OperandType,
    /// What the operation makes of that.
    pub(super) result: OperandType,
    rules: &'static RuleSet,
    admits_unsafe: bool,
}

impl Resolved {
    /// Where a literal may convert that is one of them.
    pub(super) fn literal_policy(&self) -> LiteralPolicy {
        judging(self.rules, self.admits_unsafe).literal_policy()
    }
}

/// The rules, with unsafe promotions admitted or not.
fn judging(rules: &RuleSet, admits_unsafe: bool) -> RuleSet {
    if admits_unsafe {
        rules.allowing_unsafe()
    } else {
        *rules
    }
}

/// What an operation makes of two operands under their rules.
///
/// # Errors
/// [`Error::MixedRules`], [`Error::NoPromotion`], [`Error::UnsafePromotion`], [`Error::UndefinedOperation`].
#[inline(always)] // As above.
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

/// Why two operands do not meet.
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
            operands: vec![lhs.given(rules), rhs.given(rules)],
        }),
        Ok(_) => unreachable!("the rules decide this"),
    }
}

impl DynTensor {
    /// The tensor as an operand that is lent.
    pub(super) fn borrowed(&self) -> DynDatum<'_> {
        DynDatum::tensor(Cow::Borrowed(&self.array), self.weak, self.rules)
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

macro_rules! literals {
    ($($literal:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a> DynOperand<'a> for $literal {
            fn lower(self) -> DynDatum<'a> {
                DynDatum {
                    value: Value::Literal(self.into()),
                    rules: None,
                    admits_unsafe: false,
                }
            }
        }
    )*};
}

literals! { i64 f64 c128 bool Scalar }
