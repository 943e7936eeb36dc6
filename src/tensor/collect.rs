//! Tensors of the elements of vectors, arrays and iterators.

use super::{IsElement, Tensor, or_panic};
use crate::array::Array;
use crate::array::alloc::vec_from_iter;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::rank::{AnyRank, MayBe, Rank, Rank1, Rank2, Rank3, Rank4};
use crate::rules::Rules;

/// The ranks of tensors that are collected, for their message.
#[diagnostic::on_unimplemented(
    message = "`collect` makes a tensor of `Rank1`, not of `{Self}`",
    label = "not of `{Self}`",
    note = "give elements their shape after that: `.collect::<Tensor<F32, Rank1>>().reshape([2, 2])`; rows that are tensors become one by `stack(&rows, 0)?` of a `Vec`"
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

/// Writes conversions from vectors and nested arrays.
macro_rules! conversions {
    ($($rank:ident [$($count:ident)*] $elements:ty, |$it:ident| $slice:expr, $shape:expr;)*) => {$(
        /// Copies the elements.
        ///
        /// # Panics
        /// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
        ///
        /// ```
        /// use supremum::{F32, Rank1, Rank2, Tensor};
        /// let vector: Tensor<F32, Rank1> = vec![0.5, 1.5].into();
        /// let matrix = Tensor::<F32, Rank2>::from([[1.0, 2.0], [3.0, 4.0]]);
        /// assert_eq!((vector[1], matrix[[1, 0]]), (1.5, 3.0));
        /// ```
        #[diagnostic::do_not_recommend]
        impl<D: StaticDType, R: Rules $(, const $count: usize)*> From<$elements> for Tensor<D, $rank, R> {
            #[track_caller]
            fn from($it: $elements) -> Self {
                Self::from_array(or_panic(Array::from_elements::<D::Element>($slice, &$shape)))
            }
        }
    )*};
}

conversions! {
    Rank1 [] Vec<D::Element>, |elements| &elements, [elements.len()];
    AnyRank [] Vec<D::Element>, |elements| &elements, [elements.len()];
    Rank1 [] &[D::Element], |elements| elements, [elements.len()];
    AnyRank [] &[D::Element], |elements| elements, [elements.len()];
    Rank1 [A] [D::Element; A], |elements| &elements, [A];
    Rank2 [A B] [[D::Element; B]; A], |elements| elements.as_flattened(), [A, B];
    Rank3 [A B C] [[[D::Element; C]; B]; A], |elements| elements.as_flattened().as_flattened(), [A, B, C];
    Rank4 [A B C E] [[[[D::Element; E]; C]; B]; A], |elements| elements.as_flattened().as_flattened().as_flattened(), [A, B, C, E];
}

/// Implemented for arrays of rows only: the rows of a `Vec` may have different lengths.
#[diagnostic::on_unimplemented(
    message = "rows in a `Vec` are joined first: `Tensor::<F32, Rank2>::from_vec(rows.concat(), [2, 3])?`",
    label = "may have different lengths",
    note = "arrays of arrays convert by `from`; rows that are tensors become one by `stack(&rows, 0)?`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait EqualLengths {}
// Of a trait without impls rustc would list all impls of `From`.
impl<E, const N: usize, const M: usize> EqualLengths for [[E; M]; N] {}

// A reference in the bound, because the compiler would know of the `Vec` itself that the bound never holds.
#[doc(hidden)]
impl<D, N, R, E> From<Vec<Vec<E>>> for Tensor<D, N, R>
where
    for<'a> &'a Vec<E>: EqualLengths,
{
    fn from(_: Vec<Vec<E>>) -> Self {
        unreachable!("the bound never holds")
    }
}
