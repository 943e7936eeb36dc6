//! Ranks as types: `Rank0` to `Rank6` for a number of dimensions that the compiler knows, [`AnyRank`] for any other.

use core::fmt;
use core::marker::PhantomData;

use crate::dtype::StaticDType;
use crate::dtype::implied_bound::ImpliedBound;

pub(crate) mod axes;

pub use axes::{
    Axes, Axis, AxisNumbers, AxisOrder, Counted, Extent, Offset, PairsWith, RemoveAxes, Uncounted,
};

/// A rank as an associated type. If a type is not a rank, the compiler reports that, and nothing about what is made of its `Itself`.
#[doc(hidden)]
pub trait RankItself {
    type Itself;
}

/// The number of axes of a tensor, as a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rank",
    label = "neither `Rank0` to `Rank6` nor `AnyRank`",
    note = "the parameters of a tensor are dtype, rank and rules, e.g. `Tensor<F32, Rank1, Numpy>`; generic code states it as a bound: `N: Rank`"
)]
pub trait Rank:
    RankItself<Itself = Self> + Copy + Default + fmt::Debug + Send + Sync + 'static
{
    /// The rank, if the type fixes it.
    const RANK: Option<usize>;
    /// The operand type of a tensor of this rank under rules that depend on rank.
    type Operand<D: StaticDType>: StaticDType;
    /// `S`, once the rank is known.
    #[doc(hidden)]
    type Known<S>;
    /// `AnyRank` if this is `AnyRank`, else `Static`.
    #[doc(hidden)]
    type AnyOr<Static: Rank>: Rank;
    /// Arrays of sizes with the length of this rank; for `AnyRank` those of `K` sizes.
    #[doc(hidden)]
    type Array<const K: usize>;
    /// `From` if [`MayBe`] converts from it to this rank, else another rank.
    #[doc(hidden)]
    type Accepts<From: Rank>: Rank;
}

/// A rank that the type fixes.
#[diagnostic::on_unimplemented(
    message = "the number of sizes of `{Self}` is not known to the compiler",
    label = "needs a rank that the type states",
    note = "`.shape()` is a slice of all sizes; `.rank::<Rank2>()?` checks and states the rank"
)]
pub trait StaticRank: Rank {
    /// One size for each axis: `[usize; 2]` for [`Rank2`].
    type Sizes: IntoShape<Self> + Copy + fmt::Debug + PartialEq;

    /// Returns the sizes of a shape of this rank.
    #[doc(hidden)]
    fn sizes_of(shape: &[usize]) -> Self::Sizes;
}

/// A rank that is known at run time only (up to 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnyRank;

impl RankItself for AnyRank {
    type Itself = Self;
}

#[diagnostic::do_not_recommend]
impl Rank for AnyRank {
    const RANK: Option<usize> = None;
    type Operand<D: StaticDType> = D::Unranked;
    type Known<S> = S;
    type AnyOr<Static: Rank> = Self;
    type Array<const K: usize> = [usize; K];
    type Accepts<From: Rank> = From;
}

/// The rank of the broadcast of two tensors: the greater of the two.
#[diagnostic::on_unimplemented(
    message = "it is not stated that `{Self}` and `{Other}` broadcast",
    label = "the rank of the result is not known",
    note = "code over a rank states a bound (not the one that `help` proposes), for operands of one rank and for literals: `D: Floating<R, N>` or `D: Arithmetic<R, N>`, where `D` may be a dtype, such as `F32`, and `R` may be rules, such as `Jax`",
    note = "for two ranks a second bound names the rank of the result: `where {Self}: supremum::rank::Broadcast<{Other}, Output = {Self}>`, or `Output = {Other}` if the result has that rank; rules stand behind the rank, `Tensor<F32, Rank1, Numpy>`"
)]
pub trait Broadcast<Other>: Rank {
    /// The rank of the result.
    type Output: Rank;
}

/// Ranks with at least one axis; without it they are `Output`.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` has no axis",
    label = "needs at least one axis",
    note = "a tensor of rank 0 is its own result; its element is `.item()`; generic code states a bound: `N: supremum::rank::RemoveAxis`, and the result has `N::Output`"
)]
pub trait RemoveAxis: Rank {
    /// The rank below.
    type Output: Rank;
}

/// Ranks with at least two axes; without the last two they are `Output`.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` has no matrices",
    label = "needs at least two axes",
    note = "a vector has one axis: `.unsqueeze(0)` makes it a matrix of one row, and `.diag(0)` one with its elements on the diagonal; generic code states a bound: `N: supremum::rank::HasMatrices`"
)]
pub trait HasMatrices: Rank {
    /// The rank without the two axes.
    type Output: Rank;
}

#[diagnostic::do_not_recommend]
impl<N: RemoveAxis<Output: RemoveAxis>> HasMatrices for N {
    type Output = <N::Output as RemoveAxis>::Output;
}

/// Ranks with an axis added: `Output`; above `Rank6` that is [`AnyRank`].
#[diagnostic::on_unimplemented(
    message = "it is not stated which rank is above `{Self}`",
    label = "the rank of the result is not known",
    note = "generic code states a bound: `{Self}: supremum::rank::AddAxis`, and the result has `{Self}::Output`"
)]
pub trait AddAxis: Rank {
    /// The rank above.
    type Output: Rank;
}

/// Ranks with an axis along which indices of rank `Indices` can take elements: the axes of the indices replace the axis.
#[diagnostic::on_unimplemented(
    message = "nothing can be taken from a tensor of `{Self}` by indices of `{Indices}`",
    label = "needs at least one axis, and indices of a known rank",
    note = "generic code states it as a bound: `N: supremum::rank::TakeAxis<M>`; indices of `Rank1` keep the rank"
)]
pub trait TakeAxis<Indices: Rank>: Rank {
    /// The rank of the result: that of both, less one.
    type Output: Rank;
}

/// Ranks between which a matrix product is defined, as in NumPy. A vector counts as a matrix of one row (left) or one
/// column (right); the result has no axis for it.
#[diagnostic::on_unimplemented(
    message = "no matrix product between `{Self}` and `{Other}`",
    label = "matmul needs at least rank 1 on both sides",
    note = "multiply by a rank-0 tensor with `*`; generic code states a bound: `N: supremum::rank::MatrixProduct<Rank2, Output = N>` of a matrix on the right, and of two tensors of the rank `N` `N: supremum::rank::MatrixProduct<N, Output = N>`"
)]
pub trait MatrixProduct<Other: Rank>: Rank {
    /// The rank of the product.
    type Output: Rank;
}

/// The rank of a product that is that of its left operand, of rank `Left`; the right one has rank `Right`.
#[diagnostic::on_unimplemented(
    message = "`matmul_in` gives the rank of the left operand: the product of `{Left}` and `{Right}` has `{Self}`",
    label = "not a right operand for `{Left}`",
    note = "multiply by the vector as a matrix of one column, and drop that axis: `a.matmul_in::<I32>(&v.unsqueeze(1)).squeeze(-1)`"
)]
pub trait RankOfLeft<Left, Right> {}

#[diagnostic::do_not_recommend]
impl<Left, Right> RankOfLeft<Left, Right> for Left {}

/// Ranks that a tensor of this static rank can be converted to: its own and [`AnyRank`]; from `AnyRank`, every rank.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` is not one of `{Other}`",
    label = "not of `{Other}`",
    note = "in `tensor!` each level of brackets is an axis: write as many as the type has; the type of a variable has the rank and behind it the rules, e.g. `Tensor<F32, {Self}, Numpy>`; a tensor that is made already gets or loses axes by `.reshape(..)`, `.unsqueeze(..)` or `.squeeze(..)`; where the rank is a type parameter `N`, go by `.into_any()`, with the bound `where AnyRank: supremum::rank::MayBe<N>`"
)]
pub trait MayBe<Other>: Rank {
    /// The proof that [`tensor!`](crate::tensor) requires of the rank of its brackets.
    #[doc(hidden)]
    const NESTED: Nested<Other> = Nested(PhantomData);
}

/// The proof that the brackets of a [`tensor!`](crate::tensor) nest as deep as a tensor of rank `N` has axes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Nested<N>(PhantomData<N>);

// One impl, because rustc lists the impls of a trait where it does not know the rank, if there are several.
#[diagnostic::do_not_recommend]
impl<From: Rank + Is<To::Accepts<From>>, To: Rank> MayBe<To> for From {}

/// The ranks of two vectors. One bound on both, so that there is one message.
#[diagnostic::on_unimplemented(
    message = "`dot` is the product of two vectors, and these tensors are of `{Self}` and `{Other}`",
    label = "not two vectors",
    note = "matrices are multiplied by `.matmul(&b)`; `.flatten()` makes a vector of all elements"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait VectorRanks<Other>: MayBe<Rank1> + ImpliedBound<Other, Is: MayBe<Rank1>> {}

#[diagnostic::do_not_recommend]
impl<N: MayBe<Rank1>, M: MayBe<Rank1>> VectorRanks<M> for N {}

/// The rank of the elements of a diagonal: that of a vector.
#[diagnostic::on_unimplemented(
    message = "`diag` makes a matrix of a vector, and this tensor is of `{Self}`",
    label = "not a vector",
    note = "the diagonal of a matrix is `.diagonal(0, 0, 1)`; matrices with the elements of the last axis on their diagonals are `.diag_embed(0)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DiagonalRank: MayBe<Rank1> {}

#[diagnostic::do_not_recommend]
impl<N: MayBe<Rank1>> DiagonalRank for N {}

/// Implemented by every type for itself.
#[doc(hidden)]
pub trait Is<Same> {}

impl<T> Is<T> for T {}

/// A shape for a tensor of rank `N`: an array of that length, or a slice or `Vec`, whose length is checked at run time. For
/// [`AnyRank`] an array of any length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape of `{N}`",
    label = "not a shape of `{N}`",
    note = "a shape is an array of `usize` sizes, one for each axis (of `Rank1` it is `[n]`, of `Rank2` `[rows, columns]`), or a slice, such as another tensor's `.shape()`",
    note = "where a type parameter stands for the rank, take a slice, such as `x.shape()`"
)]
pub trait IntoShape<N: Rank>: ShapeIndex {}

/// Stands for all ranks in a bound on sizes, and for a rank that rustc has not inferred.
#[cfg_attr(doc, doc(hidden))]
pub struct UnknownRank;

/// Implemented by no type, and required where an array of `Size` is no shape. While the rank is not known, the type of the literals in
/// an array is not decided either, and in the end it is `i32`.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "the rank of this tensor is not known, or its sizes are not of type `usize`",
    label = "no rank is known for sizes of type `{Size}`",
    note = "write the dtype and the rank before the function, `Tensor::<F32, Rank2>`, or as the type of the variable, `let x: Tensor<F32, Rank2> = ..`; convert a size in a variable, `n as usize`"
)]
pub trait HasSizes<Size, Sizes>: ImpliedBound<Sizes, Is: ShapeIndex> {}

/// Arrays of `Item`.
#[cfg_attr(doc, doc(hidden))]
pub trait ArrayOf {
    /// The type of the elements.
    type Item;
    /// `UnknownRank`. For other types than arrays it is not known either, so that rustc reports them as such and only once.
    type Ranks;
}

#[diagnostic::do_not_recommend]
impl<T, const K: usize> ArrayOf for [T; K] {
    type Item = T;
    type Ranks = UnknownRank;
}

/// Implemented by no rank. Its bound tells rustc that `Sizes` is a [`ShapeIndex`], as [`IntoShape`] requires.
#[cfg_attr(doc, doc(hidden))]
pub trait NoRank<Sizes>: ImpliedBound<Sizes, Is: ShapeIndex> {}

/// An array, a slice or a `Vec` of sizes. Its type says what an index of the shape is: an array for an array, else a slice.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape",
    label = "not an array of sizes",
    note = "a shape is an array of `usize` sizes, one for each axis, e.g. `[rows, columns]`, or a slice, such as another tensor's `.shape()`"
)]
pub trait ShapeIndex: AsRef<[usize]> {
    /// An index of an element: `[usize; 2]` for the shape `[2, 3]`.
    type Index<'a>: AsRef<[usize]> + Copy + fmt::Debug;

    #[doc(hidden)]
    fn index_of(positions: &[usize]) -> Self::Index<'_>;
}

/// An array, a slice or a `Vec` of `usize`, for its message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of sizes",
    label = "not an array, a slice or a `Vec` of `usize`",
    note = "sizes and counts are of type `usize`: an array, e.g. `[rows, columns]`, a slice, such as another tensor's `.shape()`, or a `Vec<usize>`; convert a number in a variable, `n as usize`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SizeList: AsRef<[usize]> {}

#[diagnostic::do_not_recommend]
impl<T: AsRef<[usize]>> SizeList for T {}

/// A shape whose type determines the rank: `[usize; 2]` has `Rank2`; a slice or `Vec` has [`AnyRank`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape",
    label = "not an array of sizes",
    note = "a shape is an array of `usize` sizes, one for each axis, e.g. `[rows, columns]`, or a slice, such as another tensor's `.shape()`"
)]
pub trait Shape: AsRef<[usize]> {
    /// The rank.
    type Rank: Rank;
}

macro_rules! shape_indices {
    ($(($($generics:tt)*) $shape:ty => $index:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ShapeIndex for $shape {
            type Index<'a> = $index;

            fn index_of(positions: &[usize]) -> Self::Index<'_> {
                positions.try_into().expect("a position for each axis")
            }
        }
    )*};
}

shape_indices! {
    (const K: usize) [usize; K] => [usize; K];
    (const K: usize) &[usize; K] => [usize; K];
    () &[usize] => &'a [usize];
    () Vec<usize> => &'a [usize];
    () &Vec<usize> => &'a [usize];
}

// One impl for all ranks. With an impl for each rank, rustc would list two of them while it does not know the rank.
#[diagnostic::do_not_recommend]
impl<const K: usize, N: Rank> IntoShape<N> for [usize; K] where Self: Is<N::Array<K>> {}
#[diagnostic::do_not_recommend]
impl<const K: usize> IntoShape<AnyRank> for &[usize; K] {}
#[diagnostic::do_not_recommend]
impl<N: Rank> IntoShape<N> for &[usize] {}
#[diagnostic::do_not_recommend]
impl<N: Rank> IntoShape<N> for Vec<usize> {}
#[diagnostic::do_not_recommend]
impl<N: Rank> IntoShape<N> for &Vec<usize> {}
// For its message: its bound on the sizes never holds. It is not an impl of `[T; K]`, because rustc would list that one.
impl<S: ArrayOf<Ranks: HasSizes<S::Item, S>>, N: Rank> IntoShape<N> for S {}
// Never holds. With it two impls fit an array of literals while the rank is not known, so rustc does not decide that the literals are of
// type `usize`. In the end it takes `i32`, for which the impl above has our message. No size is of type `i128`.
#[diagnostic::do_not_recommend]
impl<const K: usize, N: Rank + NoRank<Self>> IntoShape<N> for [i128; K] {}

#[diagnostic::do_not_recommend]
impl Shape for &[usize] {
    type Rank = AnyRank;
}
#[diagnostic::do_not_recommend]
impl Shape for Vec<usize> {
    type Rank = AnyRank;
}

// The impls of `Broadcast` and `MatrixProduct` for two ranks have a lifetime as a parameter, and any lifetime will do. If the rank of an
// operand is not inferred, rustc lists the impls that may apply, but of more than five only those without parameters.

// Every rank, so that generic code needs no bound for a scalar on the right.
#[diagnostic::do_not_recommend]
impl<N: Rank> Broadcast<Rank0> for N {
    type Output = N;
}
// With the impl above as the only one for a type parameter `N`, rustc would conclude that every right operand of a method, `x.lt(y)`, has
// `Rank0`, and report that as a mismatch (E0271) in place of the missing bound.
#[diagnostic::do_not_recommend]
impl<N: Rank> Broadcast<UnknownRank> for N {
    type Output = N;
}
#[diagnostic::do_not_recommend]
impl Broadcast<AnyRank> for AnyRank {
    type Output = AnyRank;
}
#[diagnostic::do_not_recommend]
impl MatrixProduct<AnyRank> for AnyRank {
    type Output = AnyRank;
}
#[diagnostic::do_not_recommend]
impl RemoveAxis for AnyRank {
    type Output = AnyRank;
}
#[diagnostic::do_not_recommend]
impl<N: RemoveAxis> TakeAxis<AnyRank> for N {
    type Output = AnyRank;
}
#[diagnostic::do_not_recommend]
impl<N: RemoveAxis> TakeAxis<Rank0> for N {
    type Output = N::Output;
}
// Written out, so that generic code knows that the rank stays.
#[diagnostic::do_not_recommend]
impl<N: RemoveAxis> TakeAxis<Rank1> for N {
    type Output = N;
}
#[diagnostic::do_not_recommend]
impl AddAxis for AnyRank {
    type Output = AnyRank;
}

/// Implements the traits for each known rank; an entry lists the ranks below it, the rank itself, and the ranks above.
macro_rules! ranks {
    ($($rank:ident $number:literal)*) => {
        $(
            #[doc = concat!("The rank ", $number, ".")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $rank;

            impl RankItself for $rank {
                type Itself = Self;
            }

            #[diagnostic::do_not_recommend]
            impl Rank for $rank {
                const RANK: Option<usize> = Some($number);
                type Operand<D: StaticDType> = ranks!(@operand $rank D);
                type Known<S> = S;
                type AnyOr<Static: Rank> = Static;
                type Array<const K: usize> = [usize; $number];
                type Accepts<From: Rank> = From::AnyOr<Self>;
            }
            // An impl for each length. Where an array is no shape of the rank and no impl has its length, rustc would propose
            // `&[2, 3][..]`, which compiles and fails at run time.
            #[diagnostic::do_not_recommend]
            impl IntoShape<$rank> for &[usize; $number] {}
            #[diagnostic::do_not_recommend]
            impl StaticRank for $rank {
                type Sizes = [usize; $number];

                fn sizes_of(shape: &[usize]) -> Self::Sizes {
                    shape.try_into().expect("a shape of this rank")
                }
            }
            #[diagnostic::do_not_recommend]
            impl Shape for [usize; $number] {
                type Rank = $rank;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> Broadcast<AnyRank> for $rank {
                type Output = AnyRank;
            }
        )*
        ranks!(@first $($rank)*);
        ranks!(@steps $($rank)* AnyRank);
        ranks!(@takes $($rank)*);
        ranks!(@products $($rank)*);
    };
    (@products Rank0 $($rank:ident)*) => { matrix_products! { $($rank)* } };
    (@operand Rank0 $dtype:ident) => { $dtype::ZeroDim };
    (@operand $rank:ident $dtype:ident) => { $dtype };
    // The blanket impl has `Rank0` on the right.
    (@first Rank0 $($above:ident)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<'any> Broadcast<$above> for Rank0 {
                type Output = $above;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> Broadcast<$above> for AnyRank {
                type Output = AnyRank;
            }
        )*
        ranks!(@pairs [] $($above)*);
    };
    (@pairs [$($below:ident)*] $rank:ident $($above:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'any> Broadcast<$rank> for $rank {
            type Output = $rank;
        }
        $(
            #[diagnostic::do_not_recommend]
            impl<'any> Broadcast<$below> for $rank {
                type Output = $rank;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> Broadcast<$rank> for $below {
                type Output = $rank;
            }
        )*
        ranks!(@pairs [$($below)* $rank] $($above)*);
    };
    (@pairs [$($below:ident)*]) => {};
    (@steps $rank:ident $next:ident $($above:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl AddAxis for $rank {
            type Output = $next;
        }
        ranks!(@remove $next $rank);
        ranks!(@steps $next $($above)*);
    };
    (@steps $rank:ident) => {};
    (@takes Rank0 $($rank:ident)*) => { ranks!(@takes_above $($rank)*); };
    (@takes_above $below:ident $rank:ident $($above:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<N: TakeAxis<$below, Output: AddAxis>> TakeAxis<$rank> for N {
            type Output = <<N as TakeAxis<$below>>::Output as AddAxis>::Output;
        }
        ranks!(@takes_above $rank $($above)*);
    };
    (@takes_above $rank:ident) => {};
    (@remove AnyRank $rank:ident) => {};
    (@remove $next:ident $rank:ident) => {
        #[diagnostic::do_not_recommend]
        impl RemoveAxis for $next {
            type Output = $rank;
        }
    };
}

/// Products with a vector lose an axis; products of matrices have the greater rank.
macro_rules! matrix_products {
    ($first:ident $($rank:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'any> MatrixProduct<$first> for $first {
            type Output = Rank0;
        }
        #[diagnostic::do_not_recommend]
        impl<'any> MatrixProduct<AnyRank> for $first {
            type Output = AnyRank;
        }
        #[diagnostic::do_not_recommend]
        impl<'any> MatrixProduct<$first> for AnyRank {
            type Output = AnyRank;
        }
        $(
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<$rank> for $first {
                type Output = <$rank as RemoveAxis>::Output;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<$first> for $rank {
                type Output = <$rank as RemoveAxis>::Output;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<AnyRank> for $rank {
                type Output = AnyRank;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<$rank> for AnyRank {
                type Output = AnyRank;
            }
        )*
        matrix_products!(@pairs [] $($rank)*);
    };
    (@pairs [$($below:ident)*] $rank:ident $($above:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'any> MatrixProduct<$rank> for $rank {
            type Output = $rank;
        }
        $(
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<$below> for $rank {
                type Output = $rank;
            }
            #[diagnostic::do_not_recommend]
            impl<'any> MatrixProduct<$rank> for $below {
                type Output = $rank;
            }
        )*
        matrix_products!(@pairs [$($below)* $rank] $($above)*);
    };
    (@pairs [$($below:ident)*]) => {};
}

supremum_macros::with_ranks!(ranks);
