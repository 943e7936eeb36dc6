//! Tensors whose dtype is known at run time only.
//!
//! They have the operations of [`Tensor`]; most methods of both come from the same rows (`op/`). The run-time tables give the
//! dtypes of results, and the same kernels compute the elements.

// rustdoc lists the methods of `DynTensor` in the order of these modules.
mod collect;
mod create;
mod describe;

mod values;

mod view;
mod view_mut;

mod arrange;

mod histogram;
mod membership;
mod order;

mod count;

mod scatter;
mod take;

mod convert;

mod binary;

mod functions;
pub(crate) mod rows;

mod reduce;

mod quantile;

mod iterate;
mod map;
mod no_index;

mod softmax;

mod conv;
mod pool;

mod join;

pub(crate) mod plain;
mod products;
mod promote_unsafe;

pub(crate) mod dispatch;
mod number;
mod operand;
mod operators;

pub use convert::DynPromoteUnsafe;

pub use iterate::{DynAxisIter, DynAxisIterMut};
pub use operand::DynOperand;
pub use view_mut::{DynTensorViewMut, DynViewedElements};

use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{OperandType, RuleSet, Rules};
use crate::tensor::{Makes, Target, Tensor};

/// A tensor whose dtype, rank and rules are known at run time only, over the same storage as [`Tensor`].
///
/// [`Self::typed`] (or `TryFrom`) checks dtype and rank and converts it to a [`Tensor`]; [`dispatch!`](crate::dispatch)
/// calls typed code for any dtype. [`Tensor::into_dyn`] (or `From`) converts back. None of these copies elements.
///
/// It has the operations of [`Tensor`], with the same dtypes and values. An operation of [`Tensor`] with a `try_` form has both
/// forms here: `sum` panics with the text of the error that `try_sum` returns, as operators do. An operation of [`Tensor`] that only
/// the compiler can refuse (`exp`) returns a `Result` here. Code that would not compile with typed tensors gives an [`Error`]
/// that names the operation, the operands, the rules and a remedy.
///
/// The methods are listed in this order: [construction](#construction), [shape and dtype](#shape-and-dtype), [elements](#elements),
/// [parts and shapes](#parts-and-shapes), [conversion](#conversion), [arithmetic and comparisons](#arithmetic-and-comparisons),
/// [functions](#functions), [reductions](#reductions), [joining](#joining), [methods that panic](#methods-that-panic).
///
/// | typed | dynamic |
/// | --- | --- |
/// | `&a + &b`, `a.try_add(&b)?` | the same |
/// | `a.maximum(&b)`, `a.try_sum()?`, `a.reshape([2, 3])` | the same |
/// | `a.exp()`, `a.abs()` | `a.exp()?`, `a.abs()?` |
/// | `a.cast::<F32>()`, `a.widen::<F32>()`, `a.with_rules::<Numpy>()` | `a.cast(DType::F32)`, `a.widen(DType::F32)?`, `a.with_rules(Numpy::rule_set())` |
///
/// ```
/// use supremum::{DType, DynTensor, Error};
/// let counts = DynTensor::arange(DType::I64, 0.0, 3.0, 1.0)?;
/// let scale = DynTensor::full(DType::F32, &[], 0.5)?;
/// let error = counts.try_mul(&scale).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "mul: unsafe promotion: under `jax` rules i64 of shape [3] and zero-dim f32 of shape [] promote to f32, \
///      which loses precision of i64; cast one side, or wrap it by `.promote_unsafe()`"
/// );
/// let scaled = counts.promote_unsafe() * &scale + 1;
/// assert_eq!(scaled.to_string(), "[1.0, 1.5, 2.0] f32 [3]");
/// assert_eq!(scaled.try_sum()?.item()?.to_string(), "4.5");
/// # Ok::<(), Error>(())
/// ```
///
/// ```
/// use supremum::{DType, DynTensor, Error, F32, I32, Rank1, Tensor, tensor};
/// let t: Tensor<I32, Rank1> = tensor![1, 2];
/// let any: DynTensor = t.into_dyn();
/// assert_eq!((any.dtype(), any.shape()), (DType::I32, &[2][..]));
/// let wrong = any.typed::<F32, Rank1, supremum::Jax>();
/// assert_eq!(wrong.unwrap_err().to_string(), "typed tensor: expected f32, found i32");
/// let back: Tensor<I32, Rank1> = any.try_into()?;
/// assert_eq!(back.to_vec(), [1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
#[rustfmt::skip] // The compiler quotes the line, with its comment, where an operator is not defined.
pub struct DynTensor { // to compare: `d.gt(1.0)` by element, `d.item()?.as_f64() > Some(1.0)` of one element
    array: Array,
    weak: bool,
    rules: &'static RuleSet,
}

impl DynTensor {
    pub(crate) fn from_array(array: Array, weak: bool, rules: &'static RuleSet) -> Self {
        Self { array, weak, rules }
    }

    pub(crate) fn array(&self) -> &Array {
        &self.array
    }

    /// The erased array.
    #[cfg(any(feature = "dlpack", feature = "pjrt"))]
    pub(crate) fn into_array(self) -> Array {
        self.array
    }

    /// Makes a tensor of another array, with the same weakness and rules.
    fn with(&self, array: Array) -> Self {
        Self { array, ..*self }
    }
}

/// Checks that a tensor of this dtype, weakness and shape can be a `Tensor<D, N>`.
///
/// # Errors
/// [`Error::UnexpectedOperand`], [`Error::RankMismatch`].
pub(crate) fn check_type<D: StaticDType, N: Rank>(
    dtype: DType,
    weak: bool,
    shape: &[usize],
) -> Result<(), Error> {
    let expected = OperandType::of::<D>();
    let found = match weak {
        true => OperandType::weak(dtype),
        false => OperandType::dimensioned(dtype),
    };
    if expected != found {
        return Err(Error::UnexpectedOperand {
            operation: "typed tensor",
            expected,
            found,
        });
    }
    match N::RANK {
        Some(expected) if expected != shape.len() => Err(Error::RankMismatch {
            operation: "typed tensor",
            expected,
            shape: shape.into(),
        }),
        _ => Ok(()),
    }
}

/// # To a dynamic tensor
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Converts to a tensor whose dtype, rank and rules are known at run time only; the storage is shared. `From` does
    /// the same.
    pub fn into_dyn(self) -> DynTensor {
        DynTensor::from_array(self.into_array(), D::WEAK, R::RULE_SET)
    }
}

/// Makes a [`DynTensor`] of a typed tensor or a reference to one, which share their elements with it, or of elements in an array, a slice
/// or a `Vec`.
#[diagnostic::on_unimplemented(
    message = "a `DynTensor` is made from a typed tensor or from elements, not from `{Value}`",
    label = "neither a typed tensor nor elements of a dtype",
    note = "the type of elements decides the dtype: `DynTensor::from([1.0_f32, 2.0])`, `tensor![F32; 1.0, 2.0].into_dyn()`, with a shape `DynTensor::from_vec(elements, [2, 1])?`; `usize` has none, sizes are a `Vec<i64>`; of equal elements it is `DynTensor::full(DType::F32, [2], 0.5)?`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MakesDyn<Value> {
    #[doc(hidden)]
    #[track_caller]
    fn make_dyn(value: Value) -> Self;
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> MakesDyn<Tensor<D, N, R>> for Target<DynTensor> {
    fn make_dyn(tensor: Tensor<D, N, R>) -> Self {
        Target(tensor.into_dyn())
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> MakesDyn<&Tensor<D, N, R>> for Target<DynTensor> {
    fn make_dyn(tensor: &Tensor<D, N, R>) -> Self {
        Target(tensor.clone().into_dyn())
    }
}

/// A tensor whose elements it shares with a typed one, or one of elements in an array, a slice or a `Vec`, under [`Jax`](crate::Jax) rules.
/// The type of elements decides the dtype.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
///
/// ```
/// use supremum::{DynTensor, F32, Rank2, tensor};
/// let vector: DynTensor = vec![0.5_f32, 1.5].into();
/// let matrix = DynTensor::from([[1_u8, 2], [3, 4]]);
/// assert_eq!(vector.to_string(), "[0.5, 1.5] f32 [2]");
/// assert_eq!(matrix.to_string(), "[[1, 2],\n [3, 4]] u8 [2, 2]");
/// assert_eq!(DynTensor::from(tensor![F32; 0.5, 1.5]), vector);
/// ```
// One impl, because rustc would list several below its own message.
#[rustfmt::skip] // On one line, because the compiler quotes it.
impl<Value> From<Value> for DynTensor where Target<Self>: MakesDyn<Value> { // e.g. `DynTensor::from(tensor![F32; 0.5, 1.5])`
    #[track_caller]
    fn from(value: Value) -> Self {
        Target::make_dyn(value).0
    }
}

/// Implemented for no type.
#[diagnostic::on_unimplemented(
    message = "the dtype of a `DynTensor` is known only at run time, so that it becomes a typed tensor only if it fits",
    label = "may have another dtype or rank",
    note = "`t.typed::<F32, Rank2, Jax>()?` and `t.try_into()?` return an error if it has; `dispatch!` runs code for each dtype"
)]
#[doc(hidden)]
pub trait OfAnyDType {}

#[doc(hidden)]
impl<T: OfAnyDType> Makes<DynTensor> for T {
    fn make(_: DynTensor) -> Self {
        unreachable!("the bound never holds")
    }
}

/// Converts as [`DynTensor::typed`] does: dtype and rank must be those of the tensor; the rules become those of the type.
#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> TryFrom<DynTensor> for Tensor<D, N, R> {
    type Error = Error;

    fn try_from(tensor: DynTensor) -> Result<Self, Error> {
        tensor.typed()
    }
}
