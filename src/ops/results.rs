//! The types of results of operations on two operands, under names, so that signatures are short.
//!
//! Each is a [`Tensor`] under the rules `R`. The rules derive its dtype from the common dtype of both operands, and its rank is the rank
//! of the broadcast shape. `D` and `N` are the dtype and the rank of the left operand.

use super::operand::{Operand, result};
use crate::rank::Broadcast;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// Defines the type of each group, and `output!`, which names it in the signature of a method.
macro_rules! outputs {
    ($($alias:ident of $group:ident: $methods:literal;)*) => {
        $(
            #[doc = concat!("The result of ", $methods, ".")]
            pub type $alias<D, N, R, Rhs> = Tensor<
                result!(<R as Rules>::Operand<D, N>, <Rhs as Operand<R>>::DType, <Rhs as Operand<R>>::Under, $group),
                <N as Broadcast<<Rhs as Operand<R>>::Rank>>::Output,
                R,
            >;
        )*

        macro_rules! output {
            $(($group) => { $crate::ops::results::$alias<D, N, R, Rhs> };)*
        }
    };
}

outputs! {
    AddOutput of Add: "`+`";
    SubtractOutput of Subtract: "`-`";
    MultiplyOutput of Multiply: "`*`";
    DivideOutput of Divide: "`/`";
    FloorDivideOutput of FloorDivide: "`%` and `floor_div`";
    PowerOutput of Power: "`pow`";
    Atan2Output of Atan2: "`atan2`, `hypot`, `log_add_exp`, `copysign` and `next_after`";
    MinMaxOutput of MinMax: "`minimum` and `maximum`";
    BitwiseOutput of Bitwise: "`&`, `|` and `^`";
    ShiftOutput of Shift: "`<<` and `>>`";
    EqualityOutput of Equality: "`equal` and `not_equal`";
    OrderingOutput of Ordering: "`lt`, `le`, `gt` and `ge`";
}

pub(super) use output;

/// The dtype of `dot`.
pub type Product<A, N, B, M, R> = result!(
    <R as Rules>::Operand<A, N>,
    <R as Rules>::Operand<B, M>,
    R,
    MatrixMultiply
);

/// The dtype of two tensors that are joined.
pub type Joined<A, B, N, R> = result!(
    <R as Rules>::Operand<A, N>,
    <R as Rules>::Operand<B, N>,
    R,
    Join
);

/// The rank to which three ranks broadcast.
pub type Broadcast3<N, M, K> = <<N as Broadcast<M>>::Output as Broadcast<K>>::Output;

/// The result of `select`.
pub type SelectOutput<K, R, Then, Else> = Tensor<
    result!(
        <Then as Operand<R>>::DType,
        <Else as Operand<R>>::DType,
        <Then as Operand<R>>::Under,
        Join
    ),
    Broadcast3<K, <Then as Operand<R>>::Rank, <Else as Operand<R>>::Rank>,
    R,
>;

/// The dtype of `maximum(low)`, to which `clamp` applies `minimum(high)`.
pub(super) type Raised<D, N, R, Low> = result!(
    <R as Rules>::Operand<D, N>,
    <Low as Operand<R>>::DType,
    <Low as Operand<R>>::Under,
    MinMax
);
pub(super) type RaisedRank<N, R, Low> = <N as Broadcast<<Low as Operand<R>>::Rank>>::Output;
/// The operand type of `maximum(low)`, to which `clamp` applies `minimum(high)`.
pub type RaisedOperand<D, N, R, Low> =
    <R as Rules>::Operand<Raised<D, N, R, Low>, RaisedRank<N, R, Low>>;

/// The result of `clamp`.
pub type ClampOutput<D, N, R, Low, High> = Tensor<
    result!(
        RaisedOperand<D, N, R, Low>,
        <High as Operand<R>>::DType,
        <High as Operand<R>>::Under,
        MinMax
    ),
    Broadcast3<N, <Low as Operand<R>>::Rank, <High as Operand<R>>::Rank>,
    R,
>;
