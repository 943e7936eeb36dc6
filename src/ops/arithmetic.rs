//! Operations on two operands: operators, and methods such as `floor_div` and `atan2`.
//!
//! `op/binary.rs` has a row for each; the macros here write the methods and the operator impls.

use core::ops;

use super::compute::BinaryDTypes;
use super::in_place::{ChangesShared, KeepsRank, QuotientStaysIn, StaysIn};
use super::operand::{LoweredOperand, Operand, StaticOperand, literal_policy};
use crate::array::Array;
use crate::dtype::{DType, RealDType, StaticDType, Unnamed, c128};
use crate::error::Error;
use crate::exec;
use crate::kernel::BinaryOp;
use crate::op::each_binary;
use crate::rank::{Broadcast, Rank, Rank0};
use crate::rules::operations::*; // the groups that the rows of `op/binary.rs` name
use crate::rules::{AllowUnsafe, Promoted, Rules, SafePromote};
use crate::tensor::{PromoteUnsafe, Tensor, or_panic};

/// Runs a kernel on two operands, each a tensor or a literal.
pub(super) fn binary<L, M, R, Out, N>(
    op: BinaryOp,
    promoted: DType,
    lhs: L,
    rhs: M,
) -> Result<Tensor<Out, N, R>, Error>
where
    L: Operand<R>,
    M: Operand<R>,
    R: Rules,
    Out: StaticDType,
    N: Rank,
{
    let BinaryDTypes { literals, compute } =
        BinaryDTypes::new(op, promoted, M::DType::DTYPE, Out::DTYPE);
    let literal_policy = literal_policy::<L, M, R>;
    let lhs = lhs.lower(op.name(), literals, literal_policy);
    let rhs = rhs.lower(op.name(), literals, literal_policy);
    lowered(op, [compute, Out::DTYPE], lhs, rhs).map(Tensor::from_array)
}

/// The part of [`binary`] that does not depend on types. Debug builds compile it once, and [`binary`] for each pair of operand types.
#[inline]
fn lowered<'a>(
    op: BinaryOp,
    [compute, out]: [DType; 2],
    lhs: Result<LoweredOperand<'a>, Error>,
    rhs: Result<LoweredOperand<'a>, Error>,
) -> Result<Array, Error> {
    let (LoweredOperand(lhs), LoweredOperand(rhs)) = (lhs?, rhs?);
    exec::binary(op, compute, out, lhs, rhs).array()
}

// The promoted dtype, the dtype and the rank of the result are type parameters, and `D` is a dtype by a bound of the method, as in
// `reduce.rs`: rustc judges the bounds of the impl and the type of the result while it looks for the method, and says of one that
// fails that the method does not exist (E0599), and of `lt` that it is `PartialOrd`'s. Bounds of the method have their own messages.

/// Writes the methods of one operation: the panicking form if it has no operator, and the `try_` form.
macro_rules! method {
    ($here:ident [$($doc:literal)+] [$($example:literal)*] $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, method) => {
            supremum_macros::signatures! {
            $here

            #[doc = concat!("[`Self::", stringify!($try_name), "`] for operands that fit together.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            pub fn $name<Rhs, P, Out, M>(
                &self,
                rhs: Rhs,
            ) -> Tensor<Out, M, R>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group, Output = P>,
                P: StaticDType + $group<<Rhs::Under as Rules>::Operations, Output = Out> $(+ $Bound)?,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            {
                or_panic(self.$try_name(rhs))
            }
            }

            method!($here [$($doc)+] [$($example)*] $name $try_name: $kernel, $group $(+ $Bound)?, operator);
    };
    ($here:ident [$($doc:literal)+] [$($example:literal)*] $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, operator) => {supremum_macros::signatures! {
            $here

            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
            /// literal that the result's dtype does not have; on integers [`Error::DivisionByZero`] where
            /// the operation divides, [`Error::NegativeExponent`] where it is a power; [`Error::OutOfMemory`].
            ///
            $(#[doc = $example])*
            pub fn $try_name<Rhs, P, Out, M>(
                &self,
                rhs: Rhs,
            ) -> Result<Tensor<Out, M, R>, Error>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group, Output = P>,
                P: StaticDType + $group<<Rhs::Under as Rules>::Operations, Output = Out> $(+ $Bound)?,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            {
                binary(BinaryOp::$kernel, P::DTYPE, self, rhs)
            }
    }};
}

macro_rules! methods {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        /// # Arithmetic
        ///
        /// The fallible forms of the operators, and methods of two operands. The right operand is a tensor, a reference to one, or a
        /// literal. The shapes broadcast. `P` is the dtype to which the rules promote both sides, `Out` the dtype of the result, and
        /// `M` its rank; they are inferred.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
            $(method!($here [$($doc)+] [$($example)*] $name $try_name: $kernel, $group $(+ $Bound)?, $form);)*
        }
    };
}

each_binary!(methods methods! here);

/// Writes one impl of an operator, given the operand types and ranks of both sides.
macro_rules! operator_impl {
    (
        $(#[$attribute:meta])* [$($generics:tt)*] $trait:ident::$method:ident ($kernel:ident, $group:ident)
        $left:ty, $right:ty, $lhs:ty, $rhs:ty, $n:ty, $m:ty, $promoting:ty $(, [$($bounds:tt)*])?
    ) => {
        /// Panics with the text of the `try_` method's error.
        $(#[$attribute])*
        impl<$($generics)*> ops::$trait<$right> for $left
        where
            $($($bounds)*,)?
            $lhs: SafePromote<$rhs, $promoting>,
            $n: Broadcast<$m>,
            Promoted<$lhs, $rhs, $promoting>: $group<<R as Rules>::Operations>,
        {
            type Output = Tensor<
                <Promoted<$lhs, $rhs, $promoting> as $group<<R as Rules>::Operations>>::Output,
                <$n as Broadcast<$m>>::Output,
                R,
            >;

            #[track_caller]
            fn $method(self, rhs: $right) -> Self::Output {
                let promoted = <Promoted<$lhs, $rhs, $promoting> as StaticDType>::DTYPE;
                or_panic(binary(BinaryOp::$kernel, promoted, self, rhs))
            }
        }
    };
}

/// Writes all impls of one operator. One generic impl takes any [`Operand`] on the right of a tensor, so that a wrong one is
/// refused with the message of that trait. Each literal on its left needs impls of its own, because operators are foreign traits.
macro_rules! operator {
    ($trait:ident::$method:ident ($kernel:ident, $group:ident)) => {
        operator!(@right $trait::$method ($kernel, $group) Tensor<A, N, R>, Rhs::Judging<<R as Rules>::$group>);
        operator!(@right $trait::$method ($kernel, $group) &Tensor<A, N, R>, Rhs::Judging<<R as Rules>::$group>);
        operator!(@right $trait::$method ($kernel, $group) &&Tensor<A, N, R>, Rhs::Judging<<R as Rules>::$group>);
        operator!(@right $trait::$method ($kernel, $group) PromoteUnsafe<A, N, R>, AllowUnsafe<<R as Rules>::$group>);
        operator!(@right $trait::$method ($kernel, $group) &PromoteUnsafe<A, N, R>, AllowUnsafe<<R as Rules>::$group>);
        operator!(@left $trait::$method ($kernel, $group) i64, Int);
        operator!(@left $trait::$method ($kernel, $group) f64, Float);
        operator!(@left $trait::$method ($kernel, $group) c128, Complex);
        operator!(@left $trait::$method ($kernel, $group) bool, Bool);
    };
    (@right $trait:ident::$method:ident $op:tt $left:ty, $promoting:ty) => {
        operator_impl!(
            [A: StaticDType, N, R: Rules, Rhs] $trait::$method $op
            $left, Rhs, R::Operand<A, N>, Rhs::DType, N, Rhs::Axes, $promoting, [<Rhs as StaticOperand>::Elements: StaticDType, Rhs: Operand<R>]
        );
        operator!(@unnamed $trait::$method $left, Unnamed);
        operator!(@unnamed $trait::$method $left, (Unnamed,));
    };
    // These never apply, and have no bounds. While the right side is unknown, rustc sees more than one impl that may hold, even if `A` is not
    // a dtype, and goes on to the error of the generic impl.
    (@unnamed $trait:ident::$method:ident $left:ty, $right:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<A, N, R> ops::$trait<$right> for $left {
            type Output = Self;

            fn $method(self, _: $right) -> Self {
                unreachable!("an operand of an empty type")
            }
        }
    };
    (@left $trait:ident::$method:ident ($kernel:ident, $group:ident) $literal:ty, $weak:ident) => {
        operator!(@left $trait::$method ($kernel, $group) $literal, $weak, Tensor<B, M, R>, <R as Rules>::$group);
        operator!(@left $trait::$method ($kernel, $group) $literal, $weak, &Tensor<B, M, R>, <R as Rules>::$group);
        operator!(@left $trait::$method ($kernel, $group) $literal, $weak, &&Tensor<B, M, R>, <R as Rules>::$group, #[doc(hidden)]); // beside the same for `&Tensor`
        operator!(@left $trait::$method ($kernel, $group) $literal, $weak, PromoteUnsafe<B, M, R>, AllowUnsafe<<R as Rules>::$group>);
        operator!(@left $trait::$method ($kernel, $group) $literal, $weak, &PromoteUnsafe<B, M, R>, AllowUnsafe<<R as Rules>::$group>);
    };
    (@left $trait:ident::$method:ident $op:tt $literal:ty, $weak:ident, $right:ty, $promoting:ty $(, #[$attribute:meta])?) => {
        // The ranks stand in the opposite order, because every rank broadcasts with `Rank0` on the right: generic code needs no bound.
        operator_impl!(
            $(#[$attribute])? [B: StaticDType, M: Rank, R: Rules] $trait::$method $op
            $literal, $right, R::$weak, R::Operand<B, M>, M, Rank0, $promoting
        );
    };
}

/// Writes `lhs op= rhs`: the result must have the dtype of the left side, and the broadcast shape must be its shape.
///
/// The bounds are those of the operator, with a condition on the results. (The operator's trait as a bound would hold for every
/// lifetime, `for<'a> &'a Self`; rustc checks a condition on such a trait's output before it sees the right side.)
macro_rules! assign {
    (DivAssign $($rest:tt)*) => {
        assign!(@bound QuotientStaysIn: DivAssign $($rest)*);
    };
    ($trait:ident :: $($rest:tt)*) => {
        assign!(@bound StaysIn: $trait :: $($rest)*);
    };
    (
        @bound $StaysIn:ident:
        $trait:ident::$method:ident $operator:ident::$op:ident $group:ident $tracer:literal
    ) => {
        /// Panics with the text of the `try_` method's error, and if the right side would enlarge the
        /// left.
        impl<D, N, R, Rhs> ops::$trait<Rhs> for Tensor<D, N, R>
        where
            D: StaticDType,
            N: Rank,
            R: Rules,
            <Rhs as StaticOperand>::Elements: StaticDType,
            Rhs: Operand<R>,
            R::Operand<D, N>: SafePromote<Rhs::DType, Rhs::Judging<R::$group>>,
            N: Broadcast<Rhs::Axes, Output: KeepsRank<N>>,
            Promoted<R::Operand<D, N>, Rhs::DType, Rhs::Judging<R::$group>>:
                $group<R::Operations, Output: $StaysIn<D>>,
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                let result = ops::$operator::$op(&*self, rhs);
                if result.shape() != self.shape() {
                    let (lhs, rhs) = (self.shape().to_vec(), result.shape().to_vec());
                    or_panic(Err(Error::ShapeMismatch {
                        operation: $tracer,
                        lhs,
                        rhs,
                    }))
                }
                *self = Self::from_array(result.into_array());
            }
        }

        assign!(@unnamed $trait::$method Unnamed);
        assign!(@unnamed $trait::$method (Unnamed,));

        // For its message. The bound is on the right side, which rustc does not know when it looks for the operator.
        #[doc(hidden)]
        impl<D, N, R, Rhs> ops::$trait<Rhs> for &Tensor<D, N, R>
        where
            (Rhs,): ChangesShared,
        {
            fn $method(&mut self, _: Rhs) {
                unreachable!("the bound never holds")
            }
        }
    };
    (@unnamed $trait:ident::$method:ident $right:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<D, N, R> ops::$trait<$right> for Tensor<D, N, R> {
            fn $method(&mut self, _: $right) {
                unreachable!("an operand of an empty type")
            }
        }
    };
}

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $name $($operator)* => $kernel, $group);)*
    };
    (@method $name:ident => $kernel:ident, $group:ident) => {};
    (
        @operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal
        => $kernel:ident, $group:ident
    ) => {
        operator!($trait::$method($kernel, $group));
        assign!($assign::$assign_method $trait::$method $group $assign_symbol);
    };
}

each_binary!(methods operators!);
