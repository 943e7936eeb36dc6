//! `dispatch!`: calls typed code with a tensor whose dtype is known at run time only.

use super::DynTensor;
use crate::dtype::StaticDType;
use crate::error::{Error, Result};
use crate::rank::Rank;
use crate::rules::{OperandType, Rules};
use crate::tensor::Tensor;

/// Runs typed code for the dtype of a [`DynTensor`]. The code is compiled once for each listed dtype, and may use every
/// operation that all of them have. The elements are not copied.
///
/// The result is `Result<T, Error>`, where `T` is the result of the code. `T` must be the same type for all dtypes.
///
/// ```
/// use supremum::{BF16, DType, DynTensor, Error, F16, F32, Jax, StaticDType, Tensor, dispatch};
/// use supremum::operations::UnaryFloat;
///
/// fn rooted<D>(t: &Tensor<D>) -> DynTensor
/// where
///     D: StaticDType + UnaryFloat<Jax>,
/// {
///     t.sqrt().into_dyn()
/// }
///
/// let t = DynTensor::full(DType::F16, [2], 9)?;
/// let roots = dispatch!(t in [F16, BF16, F32], |t| rooted(&t))?;
/// assert_eq!(roots.to_string(), "[3.0, 3.0] f16 [2]");
///
/// let error = dispatch!(t in [BF16, F32], |t| rooted(&t)).unwrap_err();
/// assert_eq!(error.to_string(), "dispatch!: expected one of bf16, f32, found f16");
///
/// // Of any dtype:
/// assert_eq!(dispatch!(&t, |t| t.to_string())?, "[9.0, 9.0] f16 [2]");
/// # Ok::<(), Error>(())
/// ```
///
/// # Syntax
///
/// `dispatch!(x, |t| ..)` takes any dtype, `dispatch!(x in [F16, F32], |t| ..)` those listed. Several
/// operands stand in parentheses, each with its own list or none: `dispatch!((x in [F16, F32], y), |a, b| ..)`; the
/// code is compiled for every combination. `x` is an expression of type `DynTensor` or a reference to one, and is
/// borrowed.
///
/// The code is a closure; `return` and `?` leave it, not the function around it. So code with `?` ends with a `Result`, such as
/// `t.max().item()` or `Ok(())`, and `dispatch!(..)??` unwraps it and the one of the macro. `t` is a
/// `Tensor<D, AnyRank, Jax>`. A type at the parameter overrides this: `|t: Tensor<_, Rank2, Numpy>| ..`.
///
/// # Weak tensors
///
/// A weak tensor is passed as `Weak<D>` if that is listed, else as its strong dtype, because typed code seldom lists
/// weak dtypes. A strong tensor is never passed as weak.
///
/// # Errors
///
/// [`Error::NotListed`] for a dtype that is not listed; [`Error::RankMismatch`]; [`Error::UnexpectedRules`] if the
/// tensor follows other rules than the code. Rules decide the dtypes of results, so the macro does not change them
/// itself; use [`DynTensor::with_rules`].
#[macro_export]
macro_rules! dispatch {
    ($($input:tt)*) => {
        $crate::dispatch_impl! { [$crate] $($input)* }
    };
}

/// Borrows the operand of [`dispatch!`](crate::dispatch), whether it is given by value or by reference.
/// The compiler quotes the line if it is a typed tensor.
#[doc(hidden)]
#[rustfmt::skip]
pub fn borrowed(tensor: &DynTensor) -> &DynTensor { // of a typed `t`: its methods, or `dispatch!(t.into_dyn(), |t| ..)`
    tensor
}

/// The operand type of a listed dtype. Its path is short, because messages show it.
#[doc(hidden)]
pub fn listed_dtype<D: StaticDType>() -> OperandType {
    OperandType::of::<D>()
}

/// Finds, for each tensor, the position of the listed dtype that it is passed as.
#[doc(hidden)]
pub fn select_arms<const K: usize>(
    operands: [(&DynTensor, &[OperandType]); K],
) -> Result<[usize; K]> {
    let mut numbers = [0; K];
    for (number, (tensor, listed)) in numbers.iter_mut().zip(operands) {
        let position = |operand| listed.iter().position(|other| *other == operand);
        let strong = || position(OperandType::dimensioned(tensor.dtype()));
        let found = if tensor.weak {
            position(tensor.operand()).or_else(strong)
        } else {
            strong()
        };
        *number = found.ok_or_else(|| Error::NotListed {
            operation: "dispatch!",
            expected: listed.to_vec(),
            found: tensor.operand(),
        })?;
    }
    Ok(numbers)
}

/// Converts the tensor to the type that the selected code takes, after checking its rules and rank.
#[doc(hidden)]
pub fn enter_arm<D: StaticDType, N: Rank, R: Rules>(tensor: &DynTensor) -> Result<Tensor<D, N, R>> {
    if tensor.rules != R::RULE_SET {
        return Err(Error::UnexpectedRules {
            operation: "dispatch!",
            expected: R::RULE_SET,
            found: tensor.rules,
        });
    }
    match N::RANK {
        Some(expected) if expected != tensor.ndim() => Err(Error::RankMismatch {
            operation: "dispatch!",
            expected,
            shape: tensor.shape().into(),
        }),
        _ => Ok(Tensor::from_array(tensor.array.clone())),
    }
}

/// Returns what the code gives for a dtype. The compiler quotes the line if that has another type than what it gives for the dtypes before.
#[doc(hidden)]
#[rustfmt::skip]
pub fn given<T>(_: &Option<T>, value: Result<T>) -> Result<T> { // one type for all dtypes, as in `(..).into_dyn()`
    value
}

/// Runs the code of one operand.
#[doc(hidden)]
pub fn run<A, T>(tensor: Result<A>, code: impl FnOnce(A) -> T) -> Result<T> {
    Ok(code(tensor?))
}

/// Runs the code of two operands.
#[doc(hidden)]
pub fn run_both<A, B, T>(
    lhs: Result<A>,
    rhs: Result<B>,
    code: impl FnOnce(A, B) -> T,
) -> Result<T> {
    Ok(code(lhs?, rhs?))
}
