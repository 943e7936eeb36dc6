//! Tensors of the elements of vectors, arrays and iterators.

use super::from::{Makes, SameParts, Target, TargetTensor};
use super::{IsElement, Tensor, or_panic};
use crate::array::Array;
use crate::array::alloc::vec_from_iter;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::rank::{MayBe, Rank, Rank1, Rank2, Rank3, Rank4};
use crate::rules::Rules;

/// The ranks of tensors that are collected, for their message.
#[diagnostic::on_unimplemented(
    message = "`collect` makes a tensor of `Rank1`, not of `{Self}`",
    label = "not of `{Self}`",
    note = "give elements their shape after that: `.collect::<Tensor<F32, Rank1>>().reshape([2, 2])`; rows that are tensors become one by `stack(&rows, 0)` of a `Vec`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Collected: Rank {}

#[diagnostic::do_not_recommend]
impl<N: Rank> Collected for N where Rank1: MayBe<N> {}

/// A tensor of rank 1 of all elements.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
///
/// ```
/// use supremum::{I32, Rank1, Tensor};
/// let squares: Tensor<I32, Rank1> = (1..5).map(|x| x * x).collect();
/// assert_eq!(squares.to_vec(), [1, 4, 9, 16]);
/// ```
// The items are generic for the message of their bound.
#[rustfmt::skip] // On one line, because the compiler quotes it.
impl<D: StaticDType<Element: IsElement<E>>, N: Collected, R: Rules, E> FromIterator<E> for Tensor<D, N, R> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = E>>(elements: I) -> Self {
        let elements = elements.into_iter().map(<D::Element as IsElement<E>>::FROM);
        let collected = vec_from_iter(elements).map_err(Error::from);
        let made =
            collected.and_then(|elements| Array::from_elements(&elements, &[elements.len()]));
        Self::from_array(or_panic(made))
    }
}

#[doc(hidden)]
impl<D, N, R> Tensor<D, N, R> {
    /// [`FromIterator::from_iter`], for the message of its bounds: if a bound of an impl does not hold, rustc reports a missing function.
    #[doc(hidden)]
    #[track_caller]
    #[allow(
        clippy::should_implement_trait,
        reason = "it calls the method of the trait"
    )]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    pub fn from_iter<E, I: IntoIterator<Item = E>>(elements: I) -> Self where Self: FromIterator<E> {
        <Self as FromIterator<E>>::from_iter(elements)
    }
}

/// Writes conversions from vectors and nested arrays.
macro_rules! conversions {
    ($($rank:ident $(: $any:ident)? [$($count:ident)*] $elements:ty, |$it:ident| $slice:expr, $shape:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D: StaticDType, $($any: Rank,)? R: Rules $(, const $count: usize)*> Makes<$elements> for Target<Tensor<D, $rank, R>>
        $(where Rank1: MayBe<$any>)?
        {
            #[track_caller]
            fn make($it: $elements) -> Self {
                Target(Tensor::from_array(or_panic(Array::from_elements::<D::Element>($slice, &$shape))))
            }
        }
    )*};
}

conversions! {
    N: N [] &[D::Element], |elements| elements, [elements.len()];
    Rank1 [A] [D::Element; A], |elements| &elements, [A];
    Rank2 [A B] [[D::Element; B]; A], |elements| elements.as_flattened(), [A, B];
    Rank3 [A B C] [[[D::Element; C]; B]; A], |elements| elements.as_flattened().as_flattened(), [A, B, C];
    Rank4 [A B C E] [[[[D::Element; E]; C]; B]; A], |elements| elements.as_flattened().as_flattened().as_flattened(), [A, B, C, E];
}

// The items are generic for the message of their bound.
impl<T, E> Makes<Vec<E>> for T
where
    T: TargetTensor<DType: StaticDType<Element: IsElement<E>>>,
    <<T::DType as StaticDType>::Element as IsElement<E>>::Then<Rank1>: MayBe<T::Rank>,
{
    #[track_caller]
    fn make(elements: Vec<E>) -> Self {
        let elements = <<T::DType as StaticDType>::Element as IsElement<E>>::FROM_VEC(elements);
        let made = or_panic(Array::from_elements(&elements, &[elements.len()]));
        let vector = Tensor::<T::DType, Rank1>::from_array(made);
        T::of(vector, SameParts::new())
    }
}
