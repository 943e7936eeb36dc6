//! `select` and `clamp`.

use std::borrow::Cow;

use super::operand::{LoweredOperand, Operand, literal_policy};
use super::results::{Joining, SelectOutput, Selected};
use crate::array::{Array, Datum};
use crate::dtype::{Condition, DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::BinaryOp;
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{Join, MinMax};
use crate::rules::{Promoted, Rules, SafePromote};
use crate::tensor::{Tensor, or_panic};

/// Selects the element of `then` where `condition` is true, else that of `otherwise`.
///
/// The result has the dtype that the two sides promote to and the shape that all three broadcast to. Every element of
/// both sides is converted, even if it is not selected. A literal takes the dtype of the other side.
///
/// # Panics
/// With the text of [`try_select`]'s error.
///
/// ```
/// use supremum::{F32, I16, Tensor, select, tensor};
/// let a: Tensor<F32> = tensor![1.5, -2.0, 0.0];
/// let b: Tensor<I16> = tensor![7, 8, 9];
/// let chosen: Tensor<F32> = select(&a.gt(0.0), &a, &b);
/// assert_eq!(chosen.to_vec(), [1.5, 8.0, 9.0]);
/// assert_eq!(select(&a.gt(0.0), &a, 0.0).to_vec(), [1.5, 0.0, 0.0]);
/// ```
#[track_caller]
pub fn select<C, K, R, Then, Else>(
    condition: &Tensor<C, K, R>,
    then: Then,
    otherwise: Else,
) -> SelectOutput<K, R, Then, Else>
where
    C: Condition,
    K: Broadcast<Then::Rank, Output: Broadcast<Else::Rank>>,
    R: Rules,
    Then: Operand<R>,
    Else: Operand<R>,
    Then::DType: SafePromote<Else::DType, Joining<R, Then, Else>>,
    Promoted<Then::DType, Else::DType, Joining<R, Then, Else>>: Join<R::Operations>,
{
    or_panic(try_select(condition, then, otherwise))
}

/// [`select`], fallible.
///
/// # Errors
/// [`Error::ShapeMismatch`] if the three shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
/// literal that the result's dtype does not have; [`Error::OutOfMemory`].
pub fn try_select<C, K, R, Then, Else>(
    condition: &Tensor<C, K, R>,
    then: Then,
    otherwise: Else,
) -> Result<SelectOutput<K, R, Then, Else>, Error>
where
    C: Condition,
    K: Broadcast<Then::Rank, Output: Broadcast<Else::Rank>>,
    R: Rules,
    Then: Operand<R>,
    Else: Operand<R>,
    Then::DType: SafePromote<Else::DType, Joining<R, Then, Else>>,
    Promoted<Then::DType, Else::DType, Joining<R, Then, Else>>: Join<R::Operations>,
{
    let promoted = Promoted::<Then::DType, Else::DType, Joining<R, Then, Else>>::DTYPE;
    let literal_policy = literal_policy::<Then, Else, R>;
    let LoweredOperand(then) = then.lower("select", promoted, literal_policy)?;
    let LoweredOperand(otherwise) = otherwise.lower("select", promoted, literal_policy)?;
    let condition = Cow::Borrowed(condition.array());
    let out = Selected::<R, Then, Else>::DTYPE;
    exec::select(condition, promoted, out, then, otherwise)
        .array()
        .map(Tensor::from_array)
}

/// # Clamp
///
/// The function [`select`](fn@crate::select) chooses between two tensors by element.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Limits each element to at least `low` and at most `high`: `self.maximum(low).minimum(high)`.
    ///
    /// `Out` and `M` are inferred, as of [`maximum`](Self::maximum) and then [`minimum`](Self::minimum).
    ///
    /// # Panics
    /// With the text of [`Self::try_clamp`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![-2.0, 0.5, 7.0];
    /// assert_eq!(t.clamp(0.0, 1.0).to_vec(), [0.0, 0.5, 1.0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where an argument is missing.
    pub fn clamp<Low, High, P, Raised, K, Q, Out, M>( // one limit: `maximum`, `minimum`
        &self,
        low: Low,
        high: High,
    ) -> Tensor<Out, M, R>
    where
        D: StaticDType,
        Low: Operand<R>,
        High: Operand<R>,
        R::Operand<D, N>: SafePromote<Low::DType, <Low::Under as Rules>::MinMax, Output = P>,
        P: StaticDType + MinMax<<Low::Under as Rules>::Operations, Output = Raised>,
        Raised: StaticDType,
        N: Broadcast<Low::Rank, Output = K>,
        R::Operand<Raised, K>: SafePromote<High::DType, <High::Under as Rules>::MinMax, Output = Q>,
        Q: StaticDType + MinMax<<High::Under as Rules>::Operations, Output = Out>,
        Out: StaticDType,
        K: Broadcast<High::Rank, Output = M>,
        M: Rank,
    {
        or_panic(self.try_clamp(low, high))
    }

    /// [`Self::clamp`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
    /// literal that the result's dtype does not have; [`Error::OutOfMemory`].
    pub fn try_clamp<Low, High, P, Raised, K, Q, Out, M>(
        &self,
        low: Low,
        high: High,
    ) -> Result<Tensor<Out, M, R>, Error>
    where
        D: StaticDType,
        Low: Operand<R>,
        High: Operand<R>,
        R::Operand<D, N>: SafePromote<Low::DType, <Low::Under as Rules>::MinMax, Output = P>,
        P: StaticDType + MinMax<<Low::Under as Rules>::Operations, Output = Raised>,
        Raised: StaticDType,
        N: Broadcast<Low::Rank, Output = K>,
        R::Operand<Raised, K>: SafePromote<High::DType, <High::Under as Rules>::MinMax, Output = Q>,
        Q: StaticDType + MinMax<<High::Under as Rules>::Operations, Output = Out>,
        Out: StaticDType,
        K: Broadcast<High::Rank, Output = M>,
        M: Rank,
    {
        let low = low.lower("clamp", P::DTYPE, literal_policy::<&Self, Low, R>);
        let policy = literal_policy::<Tensor<Raised, K, R>, High, R>;
        let high = high.lower("clamp", Q::DTYPE, policy);
        let limited = clamp(self.array(), [Raised::DTYPE, Out::DTYPE], low, high);
        named("clamp", limited).map(Tensor::from_array)
    }
}

/// The part of [`Tensor::try_clamp`] that does not depend on types.
fn clamp<'a>(
    x: &Array,
    [raised, out]: [DType; 2],
    low: Result<LoweredOperand<'a>, Error>,
    high: Result<LoweredOperand<'a>, Error>,
) -> Result<Array, Error> {
    let LoweredOperand(low) = low?;
    if let (Datum::ScalarBits(low), Ok(LoweredOperand(Datum::ScalarBits(high)))) = (&low, &high)
        && [low.dtype(), raised, high.dtype(), out] == [x.dtype(); 4]
        && let Some(limited) = exec::clamp(x, || Some([*low, *high]))
    {
        return Ok(limited);
    }
    let raised = exec::binary(BinaryOp::Max, raised, raised, Datum::borrowed(x), low).array()?;
    let LoweredOperand(high) = high?;
    exec::binary(BinaryOp::Min, out, out, Datum::owned(raised), high).array()
}
