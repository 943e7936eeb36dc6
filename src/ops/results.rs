//! The rank of `tensordot` and the type of a choice, under names, so that signatures are short.

use super::operand::{Operand, StaticOperand};
use crate::rank::{AddAxis, Broadcast, RemoveAxes, TakeAxis};
use crate::rules::operations::Join;
use crate::rules::{Promoted, Rules};
use crate::tensor::Tensor;

/// The rank of `tensordot`: the axes of `N` without `X`, then those of `M` without `Y`.
pub type Contracted<X, N, Y, M> = <<<X as RemoveAxes<N>>::Output as AddAxis>::Output as TakeAxis<
    <Y as RemoveAxes<M>>::Output,
>>::Output;

/// The rank to which three ranks broadcast.
pub type Broadcast3<N, M, K> = <<N as Broadcast<M>>::Output as Broadcast<K>>::Output;

/// The rules that judge the promotion of the two choices of `select`: one that admits it is enough.
pub type Joining<R, Then, Else> =
    <Then as StaticOperand>::Judging<<Else as StaticOperand>::Judging<<R as Rules>::Join>>;

/// The dtype of `select`.
pub type Selected<R, Then, Else> = <Promoted<
    <Then as Operand<R>>::DType,
    <Else as Operand<R>>::DType,
    Joining<R, Then, Else>,
> as Join<<R as Rules>::Operations>>::Output;

/// The result of `select`.
pub type SelectOutput<K, R, Then, Else> = Tensor<
    Selected<R, Then, Else>,
    Broadcast3<K, <Then as Operand<R>>::Rank, <Else as Operand<R>>::Rank>,
    R,
>;
