//! Operations on two dynamic operands: arithmetic, comparisons, `select`, `clamp`, `matmul` and `dot`.

use std::borrow::Cow;

use super::operand::{DynDatum, common_rules, resolve};
use super::{DynOperand, DynPromoteUnsafe, DynTensor};
use crate::array::{Array, Datum, OpResult, ScalarBits};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{BinaryOp, CompareOp};
use crate::literals::Scalar;
use crate::op::{each_binary, each_comparison};
use crate::ops::compute::{BinaryDTypes, compared};
use crate::rules::{Class, Jax, OperandType, Operation, RuleSet, Rules};
use crate::tensor::or_panic;

/// Makes a tensor from the array of an operation and its operand type.
pub(super) fn made(array: Array, result: OperandType, rules: &'static RuleSet) -> DynTensor {
    debug_assert_eq!(array.dtype(), result.dtype);
    DynTensor::from_array(array, result.class == Class::Weak, rules)
}

/// Makes a tensor from the result of an operation.
///
/// # Errors
/// The error of the operation.
#[inline]
pub(super) fn typed(
    made: OpResult,
    result: OperandType,
    rules: &'static RuleSet,
) -> Result<DynTensor, Error> {
    let weak = result.class == Class::Weak;
    Ok(DynTensor::from_array(made.array()?, weak, rules))
}

/// The weakness and the rules of a result.
///
/// The operation writes them to the caller's variable. Returned together with the array they would exceed two registers
/// and go through memory, which takes as long as adding a few elements.
struct Typing {
    weak: bool,
    rules: &'static RuleSet,
}

impl Typing {
    fn note(&mut self, result: OperandType, rules: &'static RuleSet) {
        *self = Self {
            weak: result.class == Class::Weak,
            rules,
        };
    }
}

#[inline]
pub(super) fn binary(
    op: BinaryOp,
    group: Operation,
    lhs: DynDatum<'_>,
    rhs: DynDatum<'_>,
) -> Result<DynTensor, Error> {
    let mut typing = Typing {
        weak: false,
        rules: Jax::RULE_SET,
    };
    let made = binary_made(op, group, lhs, rhs, &mut typing);
    Ok(DynTensor::from_array(
        made.array()?,
        typing.weak,
        typing.rules,
    ))
}

fn binary_made(
    op: BinaryOp,
    group: Operation,
    mut lhs: DynDatum<'_>,
    mut rhs: DynDatum<'_>,
    typing: &mut Typing,
) -> OpResult {
    let mut run = || {
        let rules = common_rules(op.name(), [&lhs, &rhs])?;
        let resolved = resolve(op.name(), group, &lhs, &rhs, rules)?;
        typing.note(resolved.result, rules);
        let exponent = rhs.operand(rules).dtype;
        let BinaryDTypes { literals, compute } =
            BinaryDTypes::new(op, resolved.promoted.dtype, exponent, resolved.result.dtype);
        let lhs = lhs.convert_literal(op.name(), literals, || resolved.literal_policy())?;
        let rhs = rhs.convert_literal(op.name(), literals, || resolved.literal_policy())?;
        Ok(exec::binary(op, compute, resolved.result.dtype, lhs, rhs))
    };
    run().unwrap_or_else(Error::into)
}

fn compare(
    op: CompareOp,
    group: Operation,
    mut lhs: DynDatum<'_>,
    mut rhs: DynDatum<'_>,
) -> Result<DynTensor, Error> {
    let operation = op.name();
    let rules = common_rules(operation, [&lhs, &rhs])?;
    let resolved = resolve(operation, group, &lhs, &rhs, rules)?;
    let compute = compared(
        resolved.promoted.dtype,
        [&lhs, &rhs].map(|operand| operand.operand(rules).dtype),
        rules.takes_exact_integers(group),
    );
    let lhs = lhs.convert_literal(operation, resolved.promoted.dtype, || {
        resolved.literal_policy()
    })?;
    let rhs = rhs.convert_literal(operation, resolved.promoted.dtype, || {
        resolved.literal_policy()
    })?;
    let made = exec::compare(op, compute, lhs, rhs);
    typed(made, resolved.result, rules)
}

macro_rules! methods {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $form:tt { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Arithmetic
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::MixedRules`]; [`Error::NoPromotion`], [`Error::UnsafePromotion`] and
            /// [`Error::UndefinedOperation`] for operands that the typed form refuses at compile time; the errors of
            #[doc = concat!("[`Tensor::", stringify!($try_name), "`](crate::Tensor::", stringify!($try_name), ").")]
            pub fn $try_name<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
                binary(BinaryOp::$kernel, Operation::$group, self.borrowed(), rhs.lower())
            }
        )*}
        }

        left_forms! { DynPromoteUnsafe, "an operand whose promotion may lose values", $($name $try_name: binary BinaryOp::$kernel, $group, $form;)* }
        left_forms! { Scalar, "a literal", $($name $try_name: binary BinaryOp::$kernel, $group, $form;)* }
    };
}

/// Writes the methods of operations whose left operand is another type than a tensor. What has an operator has no plain form beside it.
macro_rules! left_forms {
    ($Left:ty, $what:literal, $($name:ident $try_name:ident: $run:ident $Op:ident::$kernel:ident, $group:ident, $form:tt;)*) => {
        #[doc = concat!("Operations with ", $what, " on the left. Beside a literal they follow [`Jax`].")]
        impl $Left {$(
            left_forms! { @$form $name $try_name }

            #[doc = concat!("[`DynTensor::", stringify!($try_name), "`] with this operand on the left.")]
            ///
            /// # Errors
            #[doc = concat!("As [`DynTensor::", stringify!($try_name), "`].")]
            pub fn $try_name<'a>(self, rhs: impl DynOperand<'a>) -> Result<DynTensor, Error> {
                $run($Op::$kernel, Operation::$group, self.lower(), rhs.lower())
            }
        )*}
    };
    (@[operator $($operator:tt)*] $name:ident $try_name:ident) => {};
    (@[method] $name:ident $try_name:ident) => {
        #[doc = concat!("[`DynTensor::", stringify!($name), "`] with this operand on the left.")]
        ///
        /// # Panics
        #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
        #[track_caller]
        #[must_use]
        pub fn $name<'a>(self, rhs: impl DynOperand<'a>) -> DynTensor {
            or_panic(self.$try_name(rhs))
        }
    };
}

each_binary!(methods methods! here);

macro_rules! comparisons {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Comparisons
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// The errors of [`Self::try_add`].
            pub fn $try_name<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
                compare(CompareOp::$kernel, Operation::$group, self.borrowed(), rhs.lower())
            }
        )*}
        }

        left_forms! { DynPromoteUnsafe, "an operand whose promotion may lose values", $($name $try_name: compare CompareOp::$kernel, $group, [method];)* }
        left_forms! { Scalar, "a literal", $($name $try_name: compare CompareOp::$kernel, $group, [method];)* }
    };
}

each_comparison!(comparisons! here);

/// # Selection and matrix products
impl DynTensor {
    /// Selects the element of `then` where this boolean tensor is true, else that of `otherwise`; see
    /// [`try_select`](crate::try_select).
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if this tensor is not boolean; else as [`Self::try_add`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, tensor, Bool};
    /// let condition: DynTensor = tensor![Bool; true, false].into_dyn();
    /// let chosen = condition.select(tensor![supremum::F32; 1.5], -1);
    /// assert_eq!(chosen.to_string(), "[ 1.5, -1.0] f32 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_select<'a>(
        &'a self,
        then: impl DynOperand<'a>,
        otherwise: impl DynOperand<'a>,
    ) -> Result<Self, Error> {
        let (mut then, mut otherwise) = (then.lower(), otherwise.lower());
        let rules = common_rules("select", [&self.borrowed(), &then, &otherwise])?;
        let resolved = resolve("select", Operation::Join, &then, &otherwise, rules)?;
        let then = then.convert_literal("select", resolved.promoted.dtype, || {
            resolved.literal_policy()
        })?;
        let otherwise = otherwise.convert_literal("select", resolved.promoted.dtype, || {
            resolved.literal_policy()
        })?;
        let condition = Cow::Borrowed(self.array());
        let (promoted, out) = (resolved.promoted.dtype, resolved.result.dtype);
        let made = exec::select(condition, promoted, out, then, otherwise);
        typed(made, resolved.result, rules)
    }

    /// Limits each element to at least `low` and at most `high`: `self.try_maximum(low)`, then `.try_minimum(high)`.
    ///
    /// # Errors
    /// The errors of [`Self::try_maximum`].
    pub fn try_clamp<'a>(
        &'a self,
        low: impl DynOperand<'a>,
        high: impl DynOperand<'a>,
    ) -> Result<Self, Error> {
        let (mut low, mut high) = (low.lower(), high.lower());
        if let Some(limited) = self.clamped(&mut low, &mut high) {
            return Ok(limited);
        }
        let raised = named("clamp", self.try_maximum(low))?;
        let limited = binary(BinaryOp::Min, Operation::MinMax, raised.lower(), high);
        named("clamp", limited)
    }

    /// [`Self::try_clamp`] in one pass, between literals that leave its operand type unchanged. `None` if it does not apply.
    fn clamped(&self, low: &mut DynDatum<'_>, high: &mut DynDatum<'_>) -> Option<Self> {
        let limits = || Some([self.limit(low)?, self.limit(high)?]);
        let limited = exec::clamp(&self.array, limits)?;
        let kept = self.borrowed().operand(self.rules);
        Some(made(limited, kept, self.rules))
    }

    /// The literal that limits this tensor, if the result has the operand type of the tensor.
    fn limit(&self, literal: &mut DynDatum<'_>) -> Option<ScalarBits> {
        if !literal.is_literal() {
            return None;
        }
        let x = self.borrowed();
        let kept = x.operand(self.rules);
        let resolved = resolve("clamp", Operation::MinMax, &x, literal, self.rules).ok()?;
        if resolved.promoted.dtype != kept.dtype || resolved.result != kept {
            return None;
        }
        let policy = || resolved.literal_policy();
        match literal.convert_literal("clamp", kept.dtype, policy) {
            Ok(Datum::ScalarBits(limit)) => Some(limit),
            _ => None,
        }
    }

    /// Computes the matrix product over the last two axes; see [`Tensor::matmul`](crate::Tensor::matmul). Integers wrap, in the dtype of the
    /// result: `i8` by `i8` is `i8`. [`Self::try_matmul_in`] adds in a wider dtype, and keeps it.
    ///
    /// # Errors
    /// The errors of [`Self::try_add`]; [`Error::SizeMismatch`] if the inner sizes differ; [`Error::TooFewAxes`] if an operand
    /// has rank 0.
    ///
    /// ```
    /// use supremum::{BF16, DType, Error, F16, tensor};
    /// let x = tensor![BF16; [1.0, 2.0], [3.0, 4.0]].into_dyn();
    /// let product = x.try_matmul(tensor![F16; 10.0, 1.0])?;
    /// assert_eq!(product.to_string(), "[12.0, 34.0] f32 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_matmul<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
        self.product("matmul", rhs.lower())
    }

    fn product(&self, operation: &'static str, mut rhs: DynDatum<'_>) -> Result<Self, Error> {
        let lhs = self.borrowed();
        let rules = common_rules(operation, [&lhs, &rhs])?;
        let resolved = resolve(operation, Operation::MatrixMultiply, &lhs, &rhs, rules)?;
        let rhs = rhs.convert_literal(operation, resolved.promoted.dtype, || {
            resolved.literal_policy()
        })?;
        let array = exec::matmul(self.array(), &*rhs.into_array()?, resolved.result.dtype);
        let array = named(operation, array)?;
        Ok(made(array, resolved.result, rules))
    }

    /// Computes the dot product of two tensors of rank 1; see [`Tensor::dot`](crate::Tensor::dot).
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`]; [`Error::RankMismatch`] if one has another rank than 1.
    pub fn try_dot<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
        let rhs = rhs.lower();
        for shape in [self.shape(), rhs.shape()] {
            if shape.len() != 1 {
                return Err(Error::RankMismatch {
                    operation: "dot",
                    expected: 1,
                    shape: shape.to_vec(),
                });
            }
        }
        self.product("dot", rhs)
    }
}
