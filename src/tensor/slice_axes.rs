//! Slices of several axes at once: the arguments of `slice_axes`, and `s![..]`.

use core::ops::Bound;

use super::positions::{Extent, Positions};
use super::view::{axis_of, sliced};
use crate::array::{Array, MAX_RANK};
use crate::error::Error;
use crate::exec;
use crate::rank::{Rank, RemoveAxis};

/// Every `step`-th position of a range, as in [`Tensor::slice_step`](crate::Tensor::slice_step): a negative step starts with the
/// last one. `s![..;2]` writes it as `Step(.., 2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<B>(
    /// The range.
    pub B,
    /// The step.
    pub isize,
);

/// The part of one axis that a slice keeps.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum AxisPart {
    /// Every `step`-th position of a range.
    Range([Bound<isize>; 2], isize),
    /// One position, without the axis.
    Position(isize),
}

/// The part of one axis in a slice of several axes: a range, a range with a step ([`Step`]), or one position, which removes the
/// axis. Negative numbers count from the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a range nor a position of an axis",
    label = "not a range or an integer",
    note = "write a range, e.g. `1..3`, `..-1` or `..`, a range with a step, e.g. `..;2` in `s![..]`, or a position"
)]
pub trait AxisSlice<N: Rank> {
    /// The rank that is left.
    type Output: Rank;
    #[doc(hidden)]
    fn part(&self) -> AxisPart;
}

#[diagnostic::do_not_recommend]
impl<N: Rank, B: Positions> AxisSlice<N> for B {
    type Output = N;

    fn part(&self) -> AxisPart {
        AxisPart::Range(self.bounds(), 1)
    }
}

#[diagnostic::do_not_recommend]
impl<N: Rank, B: Positions> AxisSlice<N> for Step<B> {
    type Output = N;

    fn part(&self) -> AxisPart {
        AxisPart::Range(self.0.bounds(), self.1)
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: RemoveAxis> AxisSlice<N> for $integer {
            type Output = N::Output;

            fn part(&self) -> AxisPart {
                AxisPart::Position(self.to_signed())
            }
        }
    )*};
}

integers! { usize isize i32 i64 }

/// Slices of the first axes of a tensor of rank `N`: a tuple of at most six ranges and positions ([`AxisSlice`]), which
/// [`s![..]`](crate::s!) writes. Axes behind them are kept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not slice a tensor of `{N}`",
    label = "not ranges and positions of at most as many axes as the tensor has",
    note = "write for each axis a range (`s![1..]` for the first one), a range with a step (`s![.., ..;2]`) or a position (`s![.., 0]`)"
)]
pub trait AxisSlices<N: Rank> {
    /// The rank of the result: one less for each position.
    type Output: Rank;
    #[doc(hidden)]
    fn for_each(&self, visit: &mut dyn FnMut(AxisPart));
}

macro_rules! tuples {
    ($([$($axes:tt)*] $($slice:ident $number:tt $rank:ty,)+;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: $($axes)*, $($slice: AxisSlice<$rank>),+> AxisSlices<N> for ($($slice,)+) {
            type Output = tuples!(@last $($slice $rank,)+);

            fn for_each(&self, visit: &mut dyn FnMut(AxisPart)) {
                $(visit(self.$number.part());)+
            }
        }
    )*};
    (@last $slice:ident $rank:ty,) => { <$slice as AxisSlice<$rank>>::Output };
    (@last $slice:ident $rank:ty, $($more:tt)+) => { tuples!(@last $($more)+) };
}

tuples! {
    [RemoveAxis] A 0 N,;
    [RemoveAxis<Output: RemoveAxis>] A 0 N, B 1 A::Output,;
    [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>] A 0 N, B 1 A::Output, C 2 B::Output,;
    [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>]
        A 0 N, B 1 A::Output, C 2 B::Output, D 3 C::Output,;
    [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>>]
        A 0 N, B 1 A::Output, C 2 B::Output, D 3 C::Output, E 4 D::Output,;
    [RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis<Output: RemoveAxis>>>>>]
        A 0 N, B 1 A::Output, C 2 B::Output, D 3 C::Output, E 4 D::Output, F 5 E::Output,;
}

/// Slices of several axes at once, as NumPy's `t[1:-1, ::2, 0]` and ndarray's `s!`: for each axis a range, a range with a step
/// after `;`, or a position, which removes the axis. Negative numbers count from the end, and a negative step goes backwards from
/// the last position of the range.
///
/// It makes a tuple for [`Tensor::slice_axes`](crate::Tensor::slice_axes) and
/// [`Tensor::slice_axes_mut`](crate::Tensor::slice_axes_mut), with [`Step`](crate::Step) for the ranges with a step.
///
/// ```
/// use supremum::{I32, Rank1, Rank2, Tensor, s, tensor};
/// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
/// assert_eq!(t.slice_axes(s![1.., ..-1]).to_vec(), [4, 5, 7, 8]);
/// assert_eq!(t.slice_axes(s![..;2, ..;-1]).to_vec(), [3, 2, 1, 9, 8, 7]);
/// let last_column: Tensor<I32, Rank1> = t.slice_axes(s![.., -1]);
/// assert_eq!(last_column.to_vec(), [3, 6, 9]);
/// ```
#[macro_export]
macro_rules! s {
    (@axes [$($done:tt)*]) => { ($($done)*) };
    (@axes [$($done:tt)*] : $($more:tt)*) => { $crate::s!(@dots) };
    (@axes [$($done:tt)*] :: $($more:tt)*) => { $crate::s!(@dots) };
    (@axes [$($done:tt)*] $slice:expr; $step:expr $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $crate::Step($slice, $step),] $($($more)*)?)
    };
    (@axes [$($done:tt)*] $slice:expr $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $slice,] $($($more)*)?)
    };
    (@axes $($more:tt)*) => { $crate::s!(@dots) };
    (@dots) => {
        ::core::compile_error!(
            "for each axis `s!` takes a position, a range, or a range with a step after `;`: NumPy's `1:3, :, ::2, 0` is `1..3, .., ..;2, 0`"
        )
    };
    ($($slices:tt)+) => { $crate::s!(@axes [] $($slices)+) };
}

/// Slices the first axes of an array.
///
/// # Errors
/// [`Error::AxisOutOfRange`] if there are more slices than axes; [`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`],
/// [`Error::ZeroStep`].
pub(crate) fn sliced_axes<N: Rank>(
    array: &Array,
    slices: &impl AxisSlices<N>,
) -> Result<Array, Error> {
    let (mut parts, mut count) = ([None; MAX_RANK], 0);
    slices.for_each(&mut |part| {
        parts[count] = Some(part);
        count += 1;
    });
    if count > array.rank() {
        return Err(Error::AxisOutOfRange {
            operation: "slice",
            axis: array.rank().cast_signed(),
            rank: array.rank(),
        });
    }
    let mut result = array.clone();
    // From the last axis on, so that the axes before it keep their numbers.
    for axis in (0..count).rev() {
        let Some(part) = parts[axis] else {
            unreachable!("as many parts as were counted")
        };
        let axis = axis.cast_signed();
        result = match part {
            AxisPart::Range([Bound::Unbounded, Bound::Unbounded], 1) => continue,
            AxisPart::Range([start, end], step) => sliced(&result, axis, &(start, end), step)?,
            AxisPart::Position(position) => at_position(&result, axis, position)?,
        };
    }
    Ok(result)
}

/// The part at a position of an axis, which counts from the end if it is negative.
fn at_position(array: &Array, axis: isize, position: isize) -> Result<Array, Error> {
    let axis = axis_of("slice", axis, array.rank())?;
    let size = array.shape()[axis];
    let from_start = match position {
        ..0 => position.checked_add_unsigned(size),
        _ => Some(position),
    };
    let from_start = from_start.and_then(|position| usize::try_from(position).ok());
    match from_start {
        Some(found) if found < size => exec::index_axis(array, axis, found),
        _ => Err(Error::IndexOutOfRange {
            operation: "slice",
            index: position,
            axis,
            size,
        }),
    }
}
