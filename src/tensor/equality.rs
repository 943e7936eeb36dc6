//! Equality of whole tensors, exact and approximate.

use core::hash::{Hash, Hasher};

use super::{ElementFrom, Tensor};
use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::compute::Functions;
use crate::dtype::{Element, EqDType, StaticDType, c128};
use crate::exec;
use crate::rank::{Rank, Rank1, Rank2, Rank3};
use crate::rules::Rules;

/// The tensors that `==` compares with one of dtype `D` under the rules `R`: those of the same dtype and rules, of any rank.
#[diagnostic::on_unimplemented(
    message = "operators compare whole tensors, and `{Self}` is not a tensor of `{D}` under `{R}` rules",
    label = "does not compare with `{Self}`",
    note = "for an answer of each element, a tensor of `Bool`, compare by a method: `a.equal(1)`, `a.lt(1)`, `a.gt(&b)`; of a `t: &&Tensor`, as in `.iter().filter(|t| ..)`, Rust finds the `gt` of references first: write `(*t).gt(1)`",
    note = "for one answer compare two of a kind: a tensor of another dtype converts, e.g. by `.cast::<{D}>()`; a tensor of rank 0 has its number by `a.item()?`, or by `a.item().unwrap()` where the function returns no `Result`; any tensor has its elements, to compare with an array, by `a.to_vec()`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait WholeTensor<D, R>: Equals<D, R> {}

// By another trait, because rustc would list an impl for tensors as the only one that fits but for the dtype.
#[diagnostic::do_not_recommend]
impl<D, R, T: Equals<D, R>> WholeTensor<D, R> for T {}

/// The comparison of [`WholeTensor`].
#[cfg_attr(doc, doc(hidden))]
pub trait Equals<D, R> {
    /// Returns whether shapes and all elements are equal.
    fn equals<N>(&self, other: &Tensor<D, N, R>) -> bool;
}

impl<D: StaticDType, M, R> Equals<D, R> for Tensor<D, M, R> {
    fn equals<N>(&self, other: &Tensor<D, N, R>) -> bool {
        are_equal::<D>(other.array(), self.array())
    }
}

/// Compares shapes and all elements (NaN equals nothing). For an answer by element use
/// [`Tensor::equal`].
// The right side is generic for the message of its bound.
impl<D, N, R, Rhs: WholeTensor<D, R>> PartialEq<Rhs> for Tensor<D, N, R> {
    fn eq(&self, other: &Rhs) -> bool {
        other.equals(self)
    }
}

/// Of integers and booleans, as a key of a map.
impl<D: EqDType, N, R> Eq for Tensor<D, N, R> {}

/// Hashes the shape and all elements.
impl<D: EqDType, N, R> Hash for Tensor<D, N, R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let array = self.array();
        exec::expect_concrete("hash", array);
        array.shape().hash(state);
        exec::iter::<D::Element>(array).for_each(|element| element.hash(state));
    }
}

/// A reference beside a literal: exists for the message of its bound, which never holds.
macro_rules! beside_literals {
    ($($literal:ty)*) => {$(
        beside_literals! { @one $literal, &Tensor<D, N, R> }
        beside_literals! { @one $literal, &mut Tensor<D, N, R> }
    )*};
    (@one $literal:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<D, N, R> PartialEq<$literal> for $tensor
        where
            $literal: WholeTensor<D, R>,
        {
            fn eq(&self, _: &$literal) -> bool {
                unreachable!("the bound never holds")
            }
        }
    };
}

beside_literals! { f64 i64 bool }

/// # Comparison of whole tensors
///
/// `a == b` compares exactly.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns whether the shapes are equal and every element `a` of this tensor and `b` of the other are
    /// equal or satisfy `|a - b| <= absolute + relative * |b|`, computed in `f64`. NaN is close to
    /// nothing. The other one is a tensor of the same dtype, or a nested array, slice or `Vec` of numbers, which are given as to
    /// [`Tensor::full`]. A number that the dtype does not have is close to nothing.
    ///
    /// ```
    /// use supremum::{BF16, F32, Rank2, Tensor, tensor};
    /// let a: Tensor<F32> = tensor![1.0, 100.0];
    /// let b: Tensor<F32> = tensor![1.0, 100.1];
    /// assert!(a.approx_eq(&b, 1e-2, 0.0) && !a.approx_eq(&b, 1e-4, 0.0));
    ///
    /// let half: Tensor<BF16, Rank2> = tensor![[0.1, 0.2]];
    /// assert!(half.approx_eq(&[[0.1, 0.2]], 0.0, 0.0) && !half.approx_eq(&[0.1, 0.2], 0.0, 0.0));
    /// ```
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where an argument is missing.
    pub fn approx_eq<M: Rank>( // relative, then absolute: `a.approx_eq(&b, 1e-5, 1e-8)`
        &self,
        other: impl Comparand<D, M, R>,
        relative: f64,
        absolute: f64,
    ) -> bool {
        exec::expect_concrete("approx_eq", self.array());
        other.approx_equals(self, relative, absolute)
    }
}

/// Operands of [`Tensor::approx_eq`]: a reference to a tensor of dtype `D`, or to numbers.
#[diagnostic::on_unimplemented(
    message = "expected a reference to a tensor of `{D}`, or to numbers, found `{Self}`",
    label = "this is compared with a tensor of `{D}`",
    note = "compare with a reference to a tensor of the same dtype, `x.approx_eq(&y, 1e-5, 1e-8)`, or to numbers, `x.approx_eq(&[[1.0, 2.0], [3.0, 4.0]], 1e-5, 1e-8)`; another dtype converts by `.cast::<..>()`; a tensor of rank 0 is compared as a number, `(x.item()? - 0.5).abs() < 1e-5`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Comparand<D, M, R: Rules> {
    #[doc(hidden)]
    fn approx_equals<N: Rank>(self, to: &Tensor<D, N, R>, relative: f64, absolute: f64) -> bool;
}

/// Implements the trait for references to tensors.
macro_rules! tensors {
    ($($reference:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D: StaticDType, M: Rank, R: Rules> Comparand<D, M, R> for $reference {
            fn approx_equals<N: Rank>(self, to: &Tensor<D, N, R>, relative: f64, absolute: f64) -> bool {
                are_close::<D>(to.array(), self.array(), relative, absolute)
            }
        }
    )*};
}

tensors! { &Tensor<D, M, R> &&Tensor<D, M, R> &mut Tensor<D, M, R> }

/// Implements the trait for references to numbers.
macro_rules! numbers {
    ($($rank:ident [$($count:ident)*] $numbers:ty, |$it:ident| $slice:expr, $shape:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D: StaticDType<Element: ElementFrom<E>>, E: Copy, R: Rules $(, const $count: usize)*> Comparand<D, $rank, R> for &$numbers {
            fn approx_equals<N: Rank>(self, to: &Tensor<D, N, R>, relative: f64, absolute: f64) -> bool {
                let $it = self;
                let mut pairs = exec::iter::<D::Element>(to.array()).zip($slice);
                to.shape() == &$shape[..]
                    && pairs.all(|(lhs, &rhs)| {
                        <D::Element as ElementFrom<E>>::FROM("approx_eq", rhs, || R::RULE_SET.literal_policy())
                            .is_ok_and(|rhs| is_close(lhs, rhs, relative, absolute))
                    })
            }
        }
    )*};
}

numbers! {
    Rank1 [] Vec<E>, |numbers| numbers, [numbers.len()];
    Rank1 [] [E], |numbers| numbers, [numbers.len()];
    Rank1 [A] [E; A], |numbers| numbers, [A];
    Rank2 [A B] [[E; B]; A], |numbers| numbers.as_flattened(), [A, B];
    Rank3 [A B C] [[[E; C]; B]; A], |numbers| numbers.as_flattened().as_flattened(), [A, B, C];
}

/// [`Tensor`]'s `==` for arrays of one dtype.
pub(crate) fn are_equal<D: StaticDType>(lhs: &Array, rhs: &Array) -> bool {
    for array in [lhs, rhs] {
        exec::expect_concrete("==", array);
    }
    all_pairs::<D>(lhs, rhs, |lhs, rhs| lhs == rhs)
}

/// [`Tensor::approx_eq`] for arrays of one dtype.
pub(crate) fn are_close<D: StaticDType>(
    lhs: &Array,
    rhs: &Array,
    relative: f64,
    absolute: f64,
) -> bool {
    for array in [lhs, rhs] {
        exec::expect_concrete("approx_eq", array);
    }
    all_pairs::<D>(lhs, rhs, |lhs, rhs| is_close(lhs, rhs, relative, absolute))
}

fn is_close<E: Element>(lhs: E, rhs: E, relative: f64, absolute: f64) -> bool {
    let (a, b): (c128, c128) = (cast(lhs), cast(rhs));
    // The standard library's `norm` calls the system's `hypot`, whose bits depend on the system.
    let norm = |z: c128| Functions::hypot(z.re, z.im);
    lhs == rhs || norm(a - b) <= absolute + relative * norm(b) && b.is_finite()
}

/// Returns whether shapes are equal and a predicate holds for every pair of elements. A plain loop, because it is compiled for
/// every dtype.
fn all_pairs<D: StaticDType>(
    lhs: &Array,
    rhs: &Array,
    holds: impl Fn(D::Element, D::Element) -> bool + Copy,
) -> bool {
    if lhs.shape() != rhs.shape() {
        return false;
    }
    let (mut lhs, mut rhs) = (exec::iter(lhs), exec::iter(rhs));
    while let (Some(lhs), Some(rhs)) = (lhs.next(), rhs.next()) {
        if !holds(lhs, rhs) {
            return false;
        }
    }
    true
}
