//! Comparisons by element. The result is boolean, and weak if both sides are weak.

use std::borrow::Cow;

use super::compute::compared;
use super::operand::{LoweredOperand, Operand};
use crate::array::{Array, Datum};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::exec;
use crate::kernel::CompareOp;
use crate::op::each_comparison;
use crate::rank::{Broadcast, Rank};
use crate::rule_set::LiteralPolicy;
use crate::rules::operations::{Equality, Ordering};
use crate::rules::{Rules, SafePromote};
use crate::tensor::{Tensor, or_panic};

/// Compares an array of the dtype `D` with an operand. Both promote to `P` under the rules `Promoting`.
pub(super) fn compare<D, Rhs, P, Promoting, Out, M, R>(
    op: CompareOp,
    lhs: &Array,
    rhs: Rhs,
    literal_policy: fn() -> LiteralPolicy,
) -> Result<Tensor<Out, M, R>, Error>
where
    D: StaticDType,
    Rhs: Operand<R>,
    P: StaticDType,
    Promoting: Rules,
    Out: StaticDType,
    M: Rank,
    R: Rules,
{
    let lhs = Datum::Array(Cow::Borrowed(lhs));
    let LoweredOperand(rhs) = rhs.lower(op.name(), P::DTYPE, literal_policy)?;
    let compute = const {
        compared(
            P::DTYPE,
            [D::DTYPE, Rhs::DType::DTYPE],
            Promoting::PROMOTIONS.exact_integers,
        )
    };
    exec::compare(op, compute, lhs, rhs)
        .array()
        .map(Tensor::from_array)
}

// Type parameters and bounds as in `arithmetic.rs`.
macro_rules! comparisons {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* })*) => {supremum_macros::signatures! {
        $here
        /// # Comparisons
        ///
        /// Element by element, with a result of booleans. The right operand is a tensor, a reference to one, or a literal. (`a == b`
        /// compares whole tensors.) `P` is the dtype to which the rules promote both sides, `Out` is `Bool`, or `Weak<Bool>` of two
        /// weak sides, and `M` the rank of the result; they are inferred.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name<Rhs, P, Out, M>(
                &self,
                rhs: Rhs,
            ) -> Tensor<Out, M, R>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group, Output = P>,
                P: StaticDType + $group<<Rhs::Under as Rules>::Operations, Output = Out>,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            {
                or_panic(self.$try_name(rhs))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
            /// literal that the promoted dtype does not have; [`Error::OutOfMemory`].
            pub fn $try_name<Rhs, P, Out, M>(
                &self,
                rhs: Rhs,
            ) -> Result<Tensor<Out, M, R>, Error>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group, Output = P>,
                P: StaticDType + $group<<Rhs::Under as Rules>::Operations, Output = Out>,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            {
                compare::<D, Rhs, P, <Rhs::Under as Rules>::$group, _, _, R>(
                    CompareOp::$kernel,
                    self.array(),
                    rhs,
                    || Rhs::Under::RULE_SET.literal_policy(),
                )
            }
        )*}
    }};
}

each_comparison!(comparisons! here);

/// Writes the comparisons whose names [`PartialOrd`] has too.
macro_rules! comparisons_behind_mut {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* })*) => {
        comparisons_behind_mut! { @ordered $here [] $($group $name)* }
    };
    (@ordered $here:ident [$($ordered:ident)*] Equality $name:ident $($more:ident)*) => {
        comparisons_behind_mut! { @ordered $here [$($ordered)*] $($more)* }
    };
    (@ordered $here:ident [$($ordered:ident)*] Ordering $name:ident $($more:ident)*) => {
        comparisons_behind_mut! { @ordered $here [$($ordered)* $name] $($more)* }
    };
    (@ordered $here:ident [$($name:ident)*]) => {supremum_macros::signatures! {
        $here
        /// The comparisons of a tensor behind `&mut`, for which `x.gt(0)` would be the method of [`PartialOrd`] for references. The prelude
        /// imports the trait. Behind `&&`, the compiler could not decide between the two.
        #[doc(hidden)]
        pub trait CompareBehindMut<D, N: Rank, R: Rules> {$(
            #[track_caller]
            fn $name<Rhs, P, Out, M>(self, rhs: Rhs) -> Tensor<Out, M, R>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::Ordering, Output = P>,
                P: StaticDType + Ordering<<Rhs::Under as Rules>::Operations, Output = Out>,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank;
        )*}

        impl<D, N: Rank, R: Rules> CompareBehindMut<D, N, R> for &mut Tensor<D, N, R> {$(
            fn $name<Rhs, P, Out, M>(self, rhs: Rhs) -> Tensor<Out, M, R>
            where
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::Ordering, Output = P>,
                P: StaticDType + Ordering<<Rhs::Under as Rules>::Operations, Output = Out>,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            {
                Tensor::$name(self, rhs)
            }
        )*}
    }};
}

each_comparison!(comparisons_behind_mut! here);
