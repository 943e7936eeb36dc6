//! Comparisons by element. The result is boolean, and weak if both sides are weak.

use std::borrow::Cow;

use super::compute::compared;
use super::operand::{LoweredOperand, Operand, promoted};
use super::results::output;
use crate::array::Datum;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::exec;
use crate::kernel::CompareOp;
use crate::op::each_comparison;
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{Equality, Ordering};
use crate::rules::{Rules, SafePromote};
use crate::tensor::{Tensor, or_panic};

macro_rules! comparisons {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* })*) => {supremum_macros::signatures! {
        $here
        /// # Comparisons
        ///
        /// Element by element, with a result of booleans. The right operand is a tensor, a reference to one, or a literal. (`a == b`
        /// compares whole tensors.)
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name<Rhs>(
                &self,
                rhs: Rhs,
            ) -> output!($group)
            where
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group>,
                N: Broadcast<Rhs::Rank>,
                promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group): $group<<Rhs::Under as Rules>::Operations>,
            {
                or_panic(self.$try_name(rhs))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::LiteralOutOfRange`] for a
            /// literal that the promoted dtype does not have; [`Error::OutOfMemory`].
            pub fn $try_name<Rhs>(
                &self,
                rhs: Rhs,
            ) -> Result<output!($group), Error>
            where
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group>,
                N: Broadcast<Rhs::Rank>,
                promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group): $group<<Rhs::Under as Rules>::Operations>,
            {
                let promoted = <promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group) as StaticDType>::DTYPE;
                let lhs = Datum::Array(Cow::Borrowed(self.array()));
                let LoweredOperand(rhs) = rhs.lower(CompareOp::$kernel.name(), promoted, || Rhs::Under::RULE_SET.literal_policy())?;
                let compute = const {
                    compared(
                        <promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group) as StaticDType>::DTYPE,
                        [D::DTYPE, Rhs::DType::DTYPE],
                        <<Rhs::Under as Rules>::$group as Rules>::PROMOTIONS.exact_integers,
                    )
                };
                exec::compare(CompareOp::$kernel, compute, lhs, rhs)
                    .array()
                    .map(Tensor::from_array)
            }
        )*}
    }};
}

each_comparison!(comparisons! here);
