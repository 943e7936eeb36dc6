//! Impls for `<` and similar operators on tensors, and for `Ord`, which exist only for their message.
//!
//! Their bounds never hold. The compiler checks the bounds only when it knows the right side, and then prints the
//! message of the bound. Numbers on the left have no such impl: with a second impl of `PartialOrd` for `f64`, the types
//! of a user's own numbers would not infer. For references there are such impls only beside literals: an impl for any
//! right side would compete with the standard library's impl for references, and hide the reason.

use core::cmp::Ordering;

use super::Tensor;
use super::equality::WholeTensor;
use crate::dtype::EqDType;
use crate::dtype::implied_bound::ImpliedBound;

/// Implemented for no tensor.
// Not for the right side itself: if both sides are of one type, the compiler would give the message of `PartialOrd`.
#[diagnostic::on_unimplemented(
    message = "tensors have no `<`, `<=`, `>` and `>=`, because these operators give a single `bool`",
    label = "does not compare tensors",
    note = "compare by element, which takes tensors and literals and gives a tensor of `Bool`: `a.lt(&b)`, `a.le(&b)`, `a.gt(0.0)`, `a.ge(0.0)`",
    note = "of tensors of rank 0 compare the elements: `a.item()? < b.item()?`, and in `sort_by` as in `a.item().unwrap().total_cmp(&b.item().unwrap())`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Ordered {}

/// Stands for a right side in the bound.
#[cfg_attr(doc, doc(hidden))]
pub struct RightSide<Rhs>(Rhs);

/// Implements [`Ordered`] for right sides that [`WholeTensor`] refuses, so that there is one message and not two.
macro_rules! refused_already {
    ($($number:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Ordered for RightSide<$number> {}
    )*};
}

refused_already! { bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

#[doc(hidden)]
impl<D, N, R, Rhs: WholeTensor<D, R>> PartialOrd<Rhs> for Tensor<D, N, R>
where
    RightSide<Rhs>: Ordered,
{
    fn partial_cmp(&self, _: &Rhs) -> Option<Ordering> {
        unreachable!("the bounds never hold")
    }
}

/// A reference beside a literal.
macro_rules! beside_literals {
    ($($literal:ty)*) => {$(
        #[doc(hidden)]
        impl<D, N, R> PartialOrd<$literal> for &Tensor<D, N, R>
        where
            $literal: WholeTensor<D, R>,
        {
            fn partial_cmp(&self, _: &$literal) -> Option<Ordering> {
                unreachable!("the bound never holds")
            }
        }
    )*};
}

beside_literals! { f64 i64 bool }

/// A second right side of a reference that the compiler cannot rule out, but no value has. Without it, the standard library's impl for
/// references is the only one that fits, and the compiler expects a reference on the right before it looks at the bounds above.
#[doc(hidden)]
impl<D, N, R, T> PartialOrd<RightSide<T>> for &Tensor<D, N, R> {
    fn partial_cmp(&self, _: &RightSide<T>) -> Option<Ordering> {
        unreachable!("no value has this type")
    }
}

#[doc(hidden)]
impl<D, N, R, T> PartialEq<RightSide<T>> for &Tensor<D, N, R> {
    fn eq(&self, _: &RightSide<T>) -> bool {
        unreachable!("no value has this type")
    }
}

/// Implemented for no dtype. It implies what `Ord` is built on.
#[diagnostic::on_unimplemented(
    message = "tensors have no `Ord`: they do not sort, and an iterator of tensors has no `max` and `min`",
    label = "needs the order of whole tensors",
    note = "the greatest of tensors of rank 0 is `stack(&tensors, 0).max()`, its position `stack(&tensors, 0).argmax()`; that of the sums of rows is `a.sum_axis(1).max()`; the greater of two by element is `a.maximum(&b)`",
    note = "tensors sort by a number that is computed of each: `tensors.sort_by(|a, b| f32::from(a.sum()).total_cmp(&f32::from(b.sum())))`; elements sort by `a.sort(axis)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TotallyOrdered<T>: EqDType + ImpliedBound<RightSide<T>, Is: Ordered> {}

#[doc(hidden)]
impl<D: TotallyOrdered<Self>, N, R> Ord for Tensor<D, N, R> {
    fn cmp(&self, _: &Self) -> Ordering {
        unreachable!("the bound never holds")
    }
}
