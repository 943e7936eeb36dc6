//! One quantile or several, as `quantile` takes them.

use crate::rank::{AddAxis, Rank};

/// What [`Tensor::quantile`](crate::Tensor::quantile) and its like compute: one quantile, an `f64`, or a list of them, of which the result
/// has a first axis: `[f64; K]`, `&[f64; K]`, `&[f64]`, `&Vec<f64>`.
///
/// `N` is the rank of a result of one quantile, and `Output` that of this one.
///
/// ```
/// use supremum::{F32, QuantileMethod, Rank1, Rank2, Tensor, tensor};
/// let t: Tensor<F32, Rank2> = tensor![[4.0, 1.0], [2.0, 3.0], [6.0, 5.0]];
/// let quartiles: Tensor<F32, Rank2> = t.quantile_axis([0.25, 0.75], QuantileMethod::Linear, 0);
/// assert_eq!(quartiles.to_vec(), [3.0, 2.0, 5.0, 4.0]);
/// let probabilities = vec![0.0, 1.0];
/// let extremes: Tensor<F32, Rank1> = t.quantile(&probabilities, QuantileMethod::Linear);
/// assert_eq!(extremes.to_vec(), [1.0, 6.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a quantile nor a list of quantiles",
    label = "expected an `f64` from 0 to 1, or a list of them",
    note = "one quantile is `0.5`, and two of them are `[0.25, 0.75]`, or `&list` of a `Vec<f64>`; of results of `{N}`, several make a tensor with an axis more, which generic code states as a bound: `{N}: supremum::rank::AddAxis`"
)]
pub trait Quantiles<N: Rank>: sealed::List {
    /// The rank of the result: `N`, or the one above.
    type Output: Rank;
}

pub(crate) mod sealed {
    use super::Request;

    pub trait List {
        /// The quantiles at run time.
        fn request(&self) -> Request<'_>;
    }

    /// A slice or a `Vec` behind a reference.
    pub trait Slice {
        /// The quantiles.
        fn slice(&self) -> &[f64];
    }
}

/// The quantiles that a caller asks for.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    One(f64),
    /// A list, of which the result has a first axis.
    List(&'a [f64]),
}

impl Request<'_> {
    pub(super) fn as_slice(&self) -> &[f64] {
        match self {
            Self::One(quantile) => std::slice::from_ref(quantile),
            Self::List(quantiles) => quantiles,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<N: Rank> Quantiles<N> for f64 {
    type Output = N;
}

impl sealed::List for f64 {
    fn request(&self) -> Request<'_> {
        Request::One(*self)
    }
}

#[diagnostic::do_not_recommend]
impl<const K: usize, N: AddAxis> Quantiles<N> for [f64; K] {
    type Output = N::Output;
}

impl<const K: usize> sealed::List for [f64; K] {
    fn request(&self) -> Request<'_> {
        Request::List(self)
    }
}

// Rustc would quote the only impl of a similar type. So arrays have two, and `&Vec<f64>` none of its own.
#[diagnostic::do_not_recommend]
impl<const K: usize, N: AddAxis> Quantiles<N> for &[f64; K] {
    type Output = N::Output;
}

impl<const K: usize> sealed::List for &[f64; K] {
    fn request(&self) -> Request<'_> {
        Request::List(*self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: sealed::Slice + ?Sized, N: AddAxis> Quantiles<N> for &S {
    type Output = N::Output;
}

impl<S: sealed::Slice + ?Sized> sealed::List for &S {
    fn request(&self) -> Request<'_> {
        Request::List(self.slice())
    }
}

#[diagnostic::do_not_recommend]
impl sealed::Slice for [f64] {
    fn slice(&self) -> &[f64] {
        self
    }
}

#[diagnostic::do_not_recommend]
impl sealed::Slice for Vec<f64> {
    fn slice(&self) -> &[f64] {
        self
    }
}
