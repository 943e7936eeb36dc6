//! Axes, sizes and positions by their number, and the axes that a reduction removes.

use supremum_macros::limit;

use super::{AnyRank, Rank, Rank0, RemoveAxis};

/// An axis, a size or a position: an integer of at most 64 bits. Signed integers may be negative.
///
/// ```
/// use supremum::{F32, Rank2, Tensor, U8, Rank1, tensor};
/// let scores: Tensor<F32, Rank2> = tensor![[0.5, 0.25], [1.0, 2.0]];
/// let labels: Tensor<U8, Rank1> = tensor![1, 0];
/// let chosen: Vec<f32> = labels.iter().enumerate().map(|(row, label)| scores.index_axis(0, row)[label]).collect();
/// assert_eq!(chosen, [0.25, 1.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a size nor a position",
    label = "not an integer of at most 64 bits",
    note = "a range of positions is taken by `.slice(axis, 1..3)`"
)]
pub trait Extent: Copy {
    /// The number; `Err` if it is negative. One beyond the limits of the result saturates, which is outside every array.
    #[doc(hidden)]
    fn to_size(self) -> Result<usize, isize>;

    /// The same as one number.
    #[doc(hidden)]
    #[inline]
    fn to_signed(self) -> isize {
        self.to_size().map_or_else(
            |negative| negative,
            |size| isize::try_from(size).unwrap_or(isize::MAX),
        )
    }

    /// The same number, which 128 bits always hold.
    #[doc(hidden)]
    fn to_wide(self) -> i128;

    /// The remainder of a division by `size` that rounds down: it is not negative. By zero it is zero.
    #[doc(hidden)]
    fn modulo(self, size: usize) -> usize;
}

macro_rules! extents {
    ($($integer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Extent for $integer {
            #[inline]
            fn to_size(self) -> Result<usize, isize> {
                #[allow(unused_comparisons, reason = "also for unsigned integers")]
                if self < 0 {
                    return Err(isize::try_from(self).unwrap_or(isize::MIN));
                }
                Ok(usize::try_from(self).unwrap_or(usize::MAX))
            }

            #[inline]
            fn to_wide(self) -> i128 {
                // `From` does not convert `usize` and `isize`.
                i128::try_from(self).unwrap_or(i128::MAX)
            }

            #[inline]
            fn modulo(self, size: usize) -> usize {
                let remainder = self.to_wide().checked_rem_euclid(size.to_wide()).unwrap_or(0);
                usize::try_from(remainder).unwrap_or(0)
            }
        }
    )*};
}

extents! { usize u64 u32 u16 u8 isize i64 i32 i16 i8 }

/// A number of positions, steps or turns: the shift of [`roll`](crate::Tensor::roll), the offset of a
/// [`diagonal`](crate::Tensor::diagonal), the step of [`slice_step`](crate::Tensor::slice_step) and of [`s![..; step]`](crate::s!), the
/// quarter turns of [`rot90`](crate::Tensor::rot90). It is an integer of at most 64 bits; a negative one goes the other way.
///
/// ```
/// use supremum::{I32, Rank1, Tensor, s, tensor};
/// let t: Tensor<I32, Rank1> = tensor![1, 5, 2, 3];
/// let largest_first = t.roll(-t.argmax().item()?, 0); // `argmax` gives an `i64`
/// assert_eq!(largest_first.to_vec(), [5, 2, 3, 1]);
/// let step = t.len() / 2;
/// assert_eq!(t.slice_axes(s![..;step]).to_vec(), [1, 2]);
/// # Ok::<(), supremum::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not count positions, steps or turns",
    label = "not an integer of at most 64 bits",
    note = "it is an integer, such as `1` or `-1`: convert a float with `as isize`, and read one from a tensor with `.item()?`; several axes are rolled one after the other, `a.roll(1, 0).roll(-1, 1)`"
)]
pub trait Offset: Extent {}

#[diagnostic::do_not_recommend]
impl<E: Extent> Offset for E {}

/// One axis of a tensor by its number. Negative numbers count from the last axis.
///
/// ```
/// use supremum::{F32, Rank2, Tensor};
/// let t = Tensor::<F32, Rank2>::ones([2, 3]);
/// for axis in 0..t.ndim() {
///     assert_eq!(t.softmax(axis).shape(), [2, 3]);
/// }
/// assert_eq!(t.unsqueeze(-1).shape(), [2, 3, 1]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name an axis",
    label = "not the number of an axis",
    note = "an axis is an integer, such as `0` or `-1` for the last one, and comes before a range; ranges along several axes are `.slice_axes(s![0..2, 1..])`; tensors to join are in brackets, `concat([&a, &b], 0)`"
)]
pub trait Axis: Extent {}

#[diagnostic::do_not_recommend]
impl<E: Extent> Axis for E {}

/// An order of all axes: an array, a slice or a `Vec` of integers, which has each axis once. Negative numbers count from the last axis.
///
/// ```
/// use supremum::{F32, Rank3, Tensor};
/// let t = Tensor::<F32, Rank3>::ones([2, 3, 4]);
/// assert_eq!(t.permute([-1, 0, 1]).shape(), [4, 2, 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an order of axes",
    label = "not an array of all axes",
    note = "an order is an array of all axes, e.g. `.permute([2, 0, 1])` or `.permute([-1, 0, 1])`; `.transpose()` reverses the axes, and `.swap_axes(0, 1)` exchanges two"
)]
pub trait AxisOrder: Axes {}

/// Axes of a tensor: one, several in an array or a slice, or all (`..`). Negative numbers count from the last axis.
///
/// ```
/// use supremum::{F32, Rank3, Tensor};
/// let t = Tensor::<F32, Rank3>::ones([2, 3, 4]);
/// assert_eq!(t.sum_keepdims(-1).shape(), [2, 3, 1]);
/// assert_eq!(t.sum_keepdims([0, -1]).shape(), [1, 3, 1]);
/// assert_eq!(t.sum_keepdims(..).shape(), [1, 1, 1]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name axes",
    label = "neither an axis nor several",
    note = "an axis is an integer, such as `0` or `-1` for the last one; several are an array or a slice: `[0, 2]`, `&axes`; `..` are all"
)]
pub trait Axes {
    /// The number of axes, if the type states it: [`Counted`] or [`Uncounted`].
    #[doc(hidden)]
    type Count;

    /// The numbers of the axes, in the order that the caller gave.
    #[doc(hidden)]
    fn numbers(&self) -> AxisNumbers;
}

/// The numbers of some axes, or all axes. As many as a tensor has need no memory of their own.
///
/// A plain value, so that what is done with the axes is not compiled once for each type that names them.
#[doc(hidden)]
#[derive(Debug)]
pub enum AxisNumbers {
    All,
    Few([isize; limit!(MAX_RANK)], usize),
    Many(Vec<isize>),
}

impl AxisNumbers {
    /// One axis.
    #[inline]
    pub(crate) fn one(axis: impl Axis) -> Self {
        Self::of(&[axis])
    }

    #[inline]
    fn of<E: Extent>(axes: &[E]) -> Self {
        let mut numbers = [0; limit!(MAX_RANK)];
        if axes.len() > numbers.len() {
            return Self::Many(axes.iter().map(|axis| axis.to_signed()).collect());
        }
        for (number, axis) in numbers.iter_mut().zip(axes) {
            *number = axis.to_signed();
        }
        Self::Few(numbers, axes.len())
    }

    /// The numbers; `None` for all axes.
    #[inline]
    pub(crate) fn as_slice(&self) -> Option<&[isize]> {
        match self {
            Self::All => None,
            Self::Few(numbers, count) => Some(&numbers[..*count]),
            Self::Many(numbers) => Some(numbers),
        }
    }
}

/// A number of axes that a type states.
#[doc(hidden)]
#[derive(Debug)]
pub struct Counted<const COUNT: usize>;

/// A number of axes that is known at run time only.
#[doc(hidden)]
#[derive(Debug)]
pub struct Uncounted;

/// Implemented for equal numbers of axes, and beside a number that is not known.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "these are not as many axes of one tensor as of the other",
    label = "other numbers of axes",
    note = "axes are summed in pairs, the first of one tensor with the first of the other: `a.tensordot(&b, [0, 1], [0, 1])`"
)]
pub trait PairsWith<Other> {}

#[diagnostic::do_not_recommend]
impl<const COUNT: usize> PairsWith<Self> for Counted<COUNT> {}
#[diagnostic::do_not_recommend]
impl<const COUNT: usize> PairsWith<Uncounted> for Counted<COUNT> {}
#[diagnostic::do_not_recommend]
impl<Other> PairsWith<Other> for Uncounted {}

/// Axes that a reduction removes from a tensor of rank `N`. The rank of the result is known if the type states how many they are: one
/// axis, an array of them, or all (`..`). After a slice, a `Vec` or a reference to an array it is [`AnyRank`].
///
/// ```
/// use supremum::{F32, Rank1, Rank3, Tensor};
/// let t = Tensor::<F32, Rank3>::ones([2, 3, 4]);
/// let sums: Tensor<F32, Rank1> = t.sum_axis([0, -1]);
/// assert_eq!(sums.to_vec(), [8.0, 8.0, 8.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "a tensor of `{N}` is not known to have the axes that `{Self}` names",
    label = "not an axis or several, or more than are known",
    note = "generic code states a bound, `N: supremum::rank::RemoveAxis` for one axis, and the result has `N::Output`; a tensor of rank 0 has no axis: it is its own result, and its element is `.item()`",
    note = "an axis is an integer, such as `0` or `-1` for the last one; several are an array or a slice: `[0, 2]`, `&axes`; `..` are all"
)]
pub trait RemoveAxes<N: Rank>: Axes {
    /// The rank of the result.
    type Output: Rank;
}

/// Implements [`Axes`]; an entry has the generics, the type, the number of axes, and their numbers.
macro_rules! axes {
    ($([$($generics:tt)*] $axes:ty, $count:ty, |$it:ident| $numbers:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Axes for $axes {
            type Count = $count;

            #[inline]
            fn numbers(&self) -> AxisNumbers {
                let $it = self;
                $numbers
            }
        }
    )*};
}

// One impl for all integers, so that the rank of a result is known beside a literal, whose type is not known yet.
axes! {
    [E: Extent] E, Counted<1>, |axis| AxisNumbers::of(core::slice::from_ref(axis));
    [] core::ops::RangeFull, Uncounted, |_all| AxisNumbers::All;
    [E: Extent, const COUNT: usize] [E; COUNT], Counted<COUNT>, |axes| AxisNumbers::of(axes.as_slice());
    [E: Extent, const COUNT: usize] &[E; COUNT], Counted<COUNT>, |axes| AxisNumbers::of(axes.as_slice());
    [E: Extent] &[E], Uncounted, |axes| AxisNumbers::of(axes);
    [E: Extent] &Vec<E>, Uncounted, |axes| AxisNumbers::of(axes);
    [E: Extent] Vec<E>, Uncounted, |axes| AxisNumbers::of(axes);
}

macro_rules! orders {
    ($(($($generics:tt)*) $order:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> AxisOrder for $order {}
    )*};
}

orders! {
    (E: Extent, const COUNT: usize) [E; COUNT];
    (E: Extent, const COUNT: usize) &[E; COUNT];
    (E: Extent) &[E];
    (E: Extent) &Vec<E>;
    (E: Extent) Vec<E>;
}

/// Implements [`RemoveAxes`]; an entry has the generics, the type, the bound on the rank, and the rank that is left.
macro_rules! removes {
    ($([$($generics:tt)*] $axes:ty, [$($rank:tt)*] $left:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: $($rank)*, $($generics)*> RemoveAxes<N> for $axes {
            type Output = $left;
        }
    )*};
}

/// The rank below a rank.
type Below<N> = <N as RemoveAxis>::Output;

removes! {
    [E: Extent] E, [RemoveAxis] Below<N>;
    [] core::ops::RangeFull, [Rank] Rank0;
    [E: Extent, const COUNT: usize] &[E; COUNT], [Rank] AnyRank;
    [E: Extent] &[E], [Rank] AnyRank;
    [E: Extent] &Vec<E>, [Rank] AnyRank;
    [E: Extent] Vec<E>, [Rank] AnyRank;
    [] [isize; 0], [Rank] N;
    [E: Extent] [E; 1], [RemoveAxis] Below<N>;
    [E: Extent] [E; 2], [RemoveAxis<Output: RemoveAxis>] Below<Below<N>>;
    [E: Extent] [E; 3], [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>] Below<Below<Below<N>>>;
    [E: Extent] [E; 4], [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>] Below<Below<Below<Below<N>>>>;
    [E: Extent] [E; 5], [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>>]
        Below<Below<Below<Below<Below<N>>>>>;
    [E: Extent] [E; 6], [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>>>]
        Below<Below<Below<Below<Below<Below<N>>>>>>;
}
