//! Comparisons by element. They give booleans; weak ones if both sides are weak.

use std::borrow::Cow;

use super::operand::{Lowered, Operand, promoted, result};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::{self, CompareOp};
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{Equality, Ordering};
use crate::rules::{Rules, SafePromote};
use crate::tensor::{Tensor, or_panic};

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident, $try_name:ident: $kernel:ident, $group:ident;)*) => {
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            pub fn $name<'a, Rhs>(
                &'a self,
                rhs: Rhs,
            ) -> Tensor<
                result!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group),
                <N as Broadcast<Rhs::Rank>>::Output,
                R,
            >
            where
                Rhs: Operand<'a, R>,
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
            /// literal that the promoted dtype does not have.
            pub fn $try_name<'a, Rhs>(
                &'a self,
                rhs: Rhs,
            ) -> Result<
                Tensor<
                    result!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group),
                    <N as Broadcast<Rhs::Rank>>::Output,
                    R,
                >,
                Error,
            >
            where
                Rhs: Operand<'a, R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, <Rhs::Under as Rules>::$group>,
                N: Broadcast<Rhs::Rank>,
                promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group): $group<<Rhs::Under as Rules>::Operations>,
            {
                let promoted = <promoted!(R::Operand<D, N>, Rhs::DType, Rhs::Under, $group) as StaticDType>::DTYPE;
                let lhs = Cow::Borrowed(self.array());
                let Lowered(rhs) = rhs.lower(stringify!($name), promoted, Rhs::Under::RULE_SET.landing())?;
                kernel::compare(CompareOp::$kernel, promoted, lhs, rhs).map(Tensor::from_array)
            }
        )*}
    };
}

comparisons! {
    /// Whether elements are equal; NaN equals nothing.
    ///
    /// ```
    /// use supremum::{Bool, F32, I16, Tensor, tensor};
    /// let a: Tensor<I16> = tensor![1, 2];
    /// let b: Tensor<F32> = tensor![1.0, 2.5];
    /// let equal: Tensor<Bool> = a.eq_elements(&b);
    /// assert_eq!(equal.to_vec(), [true, false]);
    /// ```
    eq_elements, try_eq_elements: Eq, Equality;
    /// Whether elements differ; NaN differs from everything.
    ne_elements, try_ne_elements: Ne, Equality;
    /// Whether elements are less; false beside NaN.
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let t: Tensor<I32> = tensor![1, 2, 3];
    /// assert_eq!(t.lt(2).to_vec(), [true, false, false]);
    /// ```
    lt, try_lt: Lt, Ordering;
    /// Whether elements are less or equal; false beside NaN.
    le, try_le: Le, Ordering;
    /// Whether elements are greater; false beside NaN.
    gt, try_gt: Gt, Ordering;
    /// Whether elements are greater or equal; false beside NaN.
    ge, try_ge: Ge, Ordering;
}
