//! Equality of whole tensors, exact and approximate.

use super::Tensor;
use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::{StaticDType, c128};
use crate::exec;
use crate::rank::Rank;
use crate::rules::Rules;

/// Whether shapes and all elements are equal (NaN equals nothing). For an answer by element use
/// [`Tensor::equal`].
impl<D: StaticDType, N: Rank, M: Rank, R: Rules> PartialEq<Tensor<D, M, R>> for Tensor<D, N, R> {
    fn eq(&self, other: &Tensor<D, M, R>) -> bool {
        are_equal::<D>(self.array(), other.array())
    }
}

/// # Comparison of whole tensors
///
/// `a == b` compares exactly.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns whether the shapes are equal and every element `a` of this tensor and `b` of the other are
    /// equal or satisfy `|a - b| <= absolute + relative * |b|`, computed in `f64`. NaN is close to
    /// nothing.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let a: Tensor<F32> = tensor![1.0, 100.0];
    /// let b: Tensor<F32> = tensor![1.0, 100.1];
    /// assert!(a.approx_eq(&b, 1e-2, 0.0) && !a.approx_eq(&b, 1e-4, 0.0));
    /// ```
    pub fn approx_eq<M: Rank>(
        &self,
        other: &Tensor<D, M, R>,
        relative: f64,
        absolute: f64,
    ) -> bool {
        are_close::<D>(self.array(), other.array(), relative, absolute)
    }
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
    all_pairs::<D>(lhs, rhs, |lhs, rhs| {
        let (a, b): (c128, c128) = (cast(lhs), cast(rhs));
        lhs == rhs || (a - b).norm() <= absolute + relative * b.norm() && b.is_finite()
    })
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
