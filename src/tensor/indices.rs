//! Indices along an axis: the argument of `take`, `scatter` and the like.

use std::borrow::Cow;

use super::Tensor;
use crate::array::Array;
use crate::dtype::{I64, StaticDType};
use crate::error::Error;
use crate::rank::{AnyRank, Extent, Rank, Rank1};
use crate::rules::Rules;

/// Indices along an axis: a reference to a tensor of any integer dtype, or integers as an array, a slice or a `Vec`, which are indices
/// of [`Rank1`]. Generic code states the bound `I: Indices<DType: IntegerDType>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of indices",
    label = "not a `&Tensor` of an integer dtype, nor an array, a slice or a `Vec` of integers",
    note = "`&order.cast::<I64>()` converts a tensor, and `[2, 0, -1]` are indices too; one position is taken by `.index_axis(axis, position)`, a range by `.slice(axis, 1..3)`"
)]
pub trait Indices {
    /// Their rank.
    type Rank: Rank;
    /// Their dtype: `I64` for integers, and for tensors whose dtype is known at run time only.
    type DType: StaticDType;

    #[doc(hidden)]
    fn to_array(&self) -> Result<IndexArray<'_>, Error>;
}

/// [`Indices`] with as many axes as a tensor of rank `N`: a tensor of that rank, and for `Rank1` also an array, a slice or a `Vec` of
/// integers. Generic code states the bound `I: IndicesOf<N, DType: IntegerDType>`; every tensor of rank `N` has it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of indices of `{N}`",
    label = "needs as many axes as the tensor, `{N}`",
    note = "`&indices.unsqueeze(1)` adds an axis to indices: those of the shape `[n, 1]` hold for whole rows; an array, a slice or a `Vec` of integers is of `Rank1`; `.take(&indices, axis)` takes indices of any rank"
)]
pub trait IndicesOf<N: Rank>: Indices {}

#[diagnostic::do_not_recommend]
impl<I: StaticDType, N: Rank, S: Rules> IndicesOf<N> for &Tensor<I, N, S> {}

/// Indices as an array.
#[doc(hidden)]
#[derive(Debug)]
pub struct IndexArray<'a>(Cow<'a, Array>);

impl<'a> IndexArray<'a> {
    pub(crate) fn borrowed(array: &'a Array) -> Self {
        Self(Cow::Borrowed(array))
    }

    pub(crate) fn array(&self) -> &Array {
        &self.0
    }
}

// There is no impl for `Tensor`: beside it, Clippy would call the borrow in `take(&x.argsort(0), 0)` needless.
#[diagnostic::do_not_recommend]
impl<I: StaticDType, M: Rank, S: Rules> Indices for &Tensor<I, M, S> {
    type Rank = M;
    type DType = I;

    fn to_array(&self) -> Result<IndexArray<'_>, Error> {
        Ok(IndexArray::borrowed(self.array()))
    }
}

macro_rules! vectors {
    ($(($($generics:tt)*) $vector:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Indices for $vector {
            type Rank = Rank1;
            type DType = I64;

            fn to_array(&self) -> Result<IndexArray<'_>, Error> {
                vector(&self[..])
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IndicesOf<Rank1> for $vector {}

        /// The rank is checked at run time.
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> IndicesOf<AnyRank> for $vector {}
    )*};
}

vectors! {
    (E: Extent, const COUNT: usize) [E; COUNT];
    (E: Extent, const COUNT: usize) &[E; COUNT];
    (E: Extent) &[E];
    (E: Extent) Vec<E>;
    (E: Extent) &Vec<E>;
}

/// An array of these integers: of `I64`, or of `U64` if one is above the greatest `i64`, so that the error names it. A type that has such
/// an integer is unsigned, so none of the others is negative.
fn vector<E: Extent>(indices: &[E]) -> Result<IndexArray<'static>, Error> {
    let to_i64 = |index: E| i64::try_from(index.to_signed()).unwrap_or(i64::MAX);
    let to_u64 = |index: E| u64::try_from(index.to_size().unwrap_or(0)).unwrap_or(u64::MAX);
    let shape = [indices.len()];
    let array = if indices.iter().any(|index| is_above_i64(*index)) {
        Array::from_positions(&shape, |at| to_u64(indices[at]))
    } else {
        Array::from_positions(&shape, |at| to_i64(indices[at]))
    };
    array.map(|array| IndexArray(Cow::Owned(array)))
}

fn is_above_i64(index: impl Extent) -> bool {
    index
        .to_size()
        .is_ok_and(|size| i64::try_from(size).is_err())
}
