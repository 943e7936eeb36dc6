//! Slices of several axes at once: the arguments of `slice_axes`, and `s![..]`.

use core::ops::Bound;

use super::positions::Positions;
use super::positions::sliced;
use crate::array::Array;
use crate::error::{Error, named};
use crate::exec;
use crate::rank::{AddAxis, Extent, Offset, Rank, RemoveAxis};

/// Every `step`-th position of a range, as in [`Tensor::slice_step`](crate::Tensor::slice_step): a negative step starts with the
/// last one. `s![..;2]` writes it as `Step(.., 2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<B>(
    /// The range.
    pub B,
    /// The step.
    pub isize,
);

impl<B> Step<B> {
    /// Makes a range with a step of any integer type.
    ///
    /// ```
    /// use supremum::{Step, s};
    /// let step = 2_u64;
    /// assert_eq!(Step::new(1.., step), Step(1.., 2));
    /// assert_eq!(s![1..;step], (Step(1.., 2),));
    /// ```
    #[inline]
    pub fn new(range: B, step: impl Offset) -> Self {
        Self(range, step.to_signed())
    }
}

/// A new axis of size one, in [`s![..]`](crate::s!) and in slices of several axes, as NumPy's `newaxis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAxis;

/// All axes that no other part of a slice names, as NumPy's `...`. In [`s![..]`](crate::s!) it is written `...`. A
/// slice has at most one; a second one in a tuple stands for no axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ellipsis;

/// A part of a slice of several axes, as data.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum AxisPart {
    /// Keeps every `step`-th position of a range.
    Range([Bound<i128>; 2], isize),
    /// Keeps one position, without the axis.
    Position(i128),
    /// Adds an axis of size one.
    New,
    /// Keeps all axes that no other part names.
    Ellipsis,
}

/// A part of a slice of several axes: a range, a range with a step ([`Step`]), or one position, which removes the axis; negative
/// numbers count from the end. [`NewAxis`] adds an axis, and [`Ellipsis`] stands for the axes that are left over.
///
/// `N` is the rank of the result as far as the parts before this one determine it. `Left` has an axis for each one that they do not
/// name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not slice the next axis: the parts before it leave the axes of `{Left}`",
    label = "more parts than axes, or not a range or a position",
    note = "write for each axis a range (`s![1..]` for the first one), a range with a step (`s![.., ..;2]`) or a position (of a matrix `s![.., 0]`); several positions along an axis are `t.take([0, 2], axis)`"
)]
pub trait AxisSlice<N: Rank, Left: Rank> {
    /// The rank of the result with this part.
    type Output: Rank;
    /// An axis for each one that is still left.
    type Left: Rank;
    #[doc(hidden)]
    fn part(&self) -> AxisPart;
}

/// Implements [`AxisSlice`]; an entry has the generics, the type, the bounds on both ranks with their results, and the part.
macro_rules! parts {
    ($([$($generics:tt)*] $part:ty, $rank:ident $output:ty, $axes:ident $left:ty, |$it:ident| $value:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: $rank, Left: $axes, $($generics)*> AxisSlice<N, Left> for $part {
            type Output = $output;
            type Left = $left;

            #[inline]
            fn part(&self) -> AxisPart {
                let $it = self;
                $value
            }
        }
    )*};
}

parts! {
    [B: Positions] B, Rank N, RemoveAxis Left::Output, |range| AxisPart::Range(range.bounds(), 1);
    [B: Positions] Step<B>, Rank N, RemoveAxis Left::Output, |range| AxisPart::Range(range.0.bounds(), range.1);
    [] usize, RemoveAxis N::Output, RemoveAxis Left::Output, |position| AxisPart::Position(position.to_wide());
    [] isize, RemoveAxis N::Output, RemoveAxis Left::Output, |position| AxisPart::Position(position.to_wide());
    [] i32, RemoveAxis N::Output, RemoveAxis Left::Output, |position| AxisPart::Position(position.to_wide());
    [] i64, RemoveAxis N::Output, RemoveAxis Left::Output, |position| AxisPart::Position(position.to_wide());
    [] NewAxis, AddAxis N::Output, Rank Left, |_axis| AxisPart::New;
    [] Ellipsis, Rank N, Rank Left, |_axes| AxisPart::Ellipsis;
}

/// The most parts that a slice has.
const MAX_PARTS: usize = 8;

/// Slices of several axes of a tensor of rank `N`: a tuple of at most eight parts ([`AxisSlice`]), which [`s![..]`](crate::s!)
/// writes, or a reference to one. They name the first axes, and behind an ellipsis the last ones. All other axes are kept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not slice a tensor of `{N}`",
    label = "not ranges and positions of at most as many axes as the tensor has",
    note = "write for each axis a range (`s![1..]` for the first one), a range with a step (`s![.., ..;2]`) or a position (of a matrix `s![.., 0]`); several positions along an axis are `t.take([0, 2], axis)`",
    note = "the macro is `supremum::s!`; that of `ndarray` has the same name and makes slices of its arrays"
)]
pub trait AxisSlices<N: Rank> {
    /// The rank of the result: one less for each position, and one more for each new axis.
    type Output: Rank;
    #[doc(hidden)]
    fn for_each(&self, visit: &mut dyn FnMut(AxisPart));
}

/// So that slices in a variable serve several tensors.
#[diagnostic::do_not_recommend]
impl<N: Rank, S: AxisSlices<N>> AxisSlices<N> for &S {
    type Output = S::Output;

    fn for_each(&self, visit: &mut dyn FnMut(AxisPart)) {
        (**self).for_each(visit);
    }
}

/// Implements [`AxisSlices`] for tuples; each part has its number, and the ranks that the parts before it leave.
macro_rules! tuples {
    ($($($part:ident $number:tt $rank:ty, $left:ty;)+ => $last:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: Rank, $($part: AxisSlice<$rank, $left>),+> AxisSlices<N> for ($($part,)+) {
            type Output = <$last as AxisSlice<tuples!(@rank $($rank),+), tuples!(@rank $($left),+)>>::Output;

            fn for_each(&self, visit: &mut dyn FnMut(AxisPart)) {
                $(visit(self.$number.part());)+
            }
        }
    )*};
    (@rank $rank:ty) => { $rank };
    (@rank $rank:ty, $($more:ty),+) => { tuples!(@rank $($more),+) };
}

tuples! {
    A 0 N, N; => A
    A 0 N, N; B 1 A::Output, A::Left; => B
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; => C
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; D 3 C::Output, C::Left; => D
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; D 3 C::Output, C::Left; E 4 D::Output, D::Left; => E
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; D 3 C::Output, C::Left; E 4 D::Output, D::Left;
    F 5 E::Output, E::Left; => F
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; D 3 C::Output, C::Left; E 4 D::Output, D::Left;
    F 5 E::Output, E::Left; G 6 F::Output, F::Left; => G
    A 0 N, N; B 1 A::Output, A::Left; C 2 B::Output, B::Left; D 3 C::Output, C::Left; E 4 D::Output, D::Left;
    F 5 E::Output, E::Left; G 6 F::Output, F::Left; H 7 G::Output, G::Left; => H
}

/// Slices of several axes at once, as NumPy's `t[1:-1, ::2, 0]` and ndarray's `s!`: for each axis a range, a range with a step
/// after `;`, or a position, which removes the axis. Negative numbers count from the end, and a negative step goes backwards from
/// the last position of the range.
///
/// `...` stands for all axes that the other parts do not name, and `NewAxis` adds an axis of size one, as NumPy's `newaxis`. (The
/// macro needs no import for it.)
///
/// It makes a tuple for [`Tensor::slice_axes`](crate::Tensor::slice_axes) and
/// [`Tensor::slice_axes_mut`](crate::Tensor::slice_axes_mut), with [`Step`](crate::Step) for the ranges with a step.
///
/// ```
/// use supremum::{I32, Rank1, Rank2, Rank3, Tensor, s, tensor};
/// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
/// assert_eq!(t.slice_axes(s![1.., ..-1]).to_vec(), [4, 5, 7, 8]);
/// assert_eq!(t.slice_axes(s![..;2, ..;-1]).to_vec(), [3, 2, 1, 9, 8, 7]);
/// let last_column: Tensor<I32, Rank1> = t.slice_axes(s![..., -1]);
/// assert_eq!(last_column.to_vec(), [3, 6, 9]);
/// let columns: Tensor<I32, Rank3> = t.slice_axes(s![.., NewAxis, 1..]);
/// assert_eq!(columns.shape(), [3, 1, 2]);
/// ```
#[macro_export]
macro_rules! s {
    (@axes [$($done:tt)*]) => { ($($done)*) };
    (@axes [$($done:tt)*] : $($more:tt)*) => { $crate::s!(@dots) };
    (@axes [$($done:tt)*] :: $($more:tt)*) => { $crate::s!(@dots) };
    (@axes [$($done:tt)*] ... $(, $($more:tt)*)?) => {
        $crate::s!(@after [$($done)* $crate::Ellipsis,] [] $($($more)*)?)
    };
    (@axes [$($done:tt)*] NewAxis $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $crate::NewAxis,] $($($more)*)?)
    };
    (@axes [$($done:tt)*] None $(, $($more:tt)*)?) => { $crate::s!(@new_axis) };
    (@axes [$($done:tt)*] newaxis $(, $($more:tt)*)?) => { $crate::s!(@new_axis) };
    // A literal as it is, so that constants have slices too.
    (@axes [$($done:tt)*] $slice:expr; $step:literal $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $crate::Step($slice, $step),] $($($more)*)?)
    };
    (@axes [$($done:tt)*] $slice:expr; $step:expr $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $crate::Step::new($slice, $step),] $($($more)*)?)
    };
    (@axes [$($done:tt)*] $slice:expr $(, $($more:tt)*)?) => {
        $crate::s!(@axes [$($done)* $slice,] $($($more)*)?)
    };
    (@axes $($more:tt)*) => { $crate::s!(@dots) };
    // Looks for a second ellipsis before the parts behind the first one are read.
    (@after [$($done:tt)*] [$($seen:tt)*] ... $($more:tt)*) => {
        ::core::compile_error!("a slice has one `...`: it stands for all axes that the other parts do not name")
    };
    (@after [$($done:tt)*] [$($seen:tt)*] $next:tt $($more:tt)*) => {
        $crate::s!(@after [$($done)*] [$($seen)* $next] $($more)*)
    };
    (@after [$($done:tt)*] [$($seen:tt)*]) => { $crate::s!(@axes [$($done)*] $($seen)*) };
    (@new_axis) => {
        ::core::compile_error!("an axis of size one, NumPy's `None`, is `NewAxis`, as in `s![.., NewAxis]`")
    };
    (@dots) => {
        ::core::compile_error!(
            "for each axis `s!` takes a position, a range, or a range with a step after `;`: NumPy's `1:3, :, ::2, 0` is `1..3, .., ..;2, 0`"
        )
    };
    ($($slices:tt)+) => { $crate::s!(@axes [] $($slices)+) };
}

/// Slices several axes of an array.
///
/// # Errors
/// [`Error::AxisOutOfRange`] if the parts name more axes than there are; [`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`],
/// [`Error::ZeroStep`]; [`Error::RankTooLarge`] with too many new axes.
pub(crate) fn sliced_axes<N: Rank>(
    operation: &'static str,
    array: &Array,
    slices: &impl AxisSlices<N>,
) -> Result<Array, Error> {
    named(operation, parts_of(operation, array, slices))
}

fn parts_of<N: Rank>(
    operation: &'static str,
    array: &Array,
    slices: &impl AxisSlices<N>,
) -> Result<Array, Error> {
    let (mut parts, mut count) = ([AxisPart::New; MAX_PARTS], 0);
    slices.for_each(&mut |part| {
        parts[count] = part;
        count += 1;
    });
    let (parts, rank) = (&parts[..count], array.rank());
    let is_named = |part: &&AxisPart| matches!(part, AxisPart::Range(..) | AxisPart::Position(_));
    let named = parts.iter().filter(is_named).count();
    let left_over = rank.checked_sub(named).ok_or(Error::AxisOutOfRange {
        operation,
        axis: rank.cast_signed(),
        rank,
    })?;
    // Without an ellipsis the parts name the first axes, as if one stood behind them.
    let has_ellipsis = parts.iter().any(|part| matches!(part, AxisPart::Ellipsis));
    let behind = if has_ellipsis { 0 } else { left_over };

    // From the last part on, so that the axes before it keep their numbers.
    let mut result = array.clone();
    let (mut axis, mut inside) = (rank - behind, left_over);
    for part in parts.iter().rev() {
        match *part {
            AxisPart::Range(bounds, step) => {
                axis -= 1;
                let whole = [Bound::Unbounded, Bound::Unbounded];
                if (bounds, step) != (whole, 1) {
                    result = sliced(operation, &result, axis.cast_signed(), bounds, step)?;
                }
            }
            AxisPart::Position(position) => {
                axis -= 1;
                result = at_position(operation, &result, axis, position)?;
            }
            AxisPart::Ellipsis => axis -= core::mem::take(&mut inside),
            AxisPart::New => {}
        }
    }
    // New axes last: the rank in between is not above that of the array or of the result.
    let (mut axis, mut inside) = (result.rank() - behind, left_over);
    for part in parts.iter().rev() {
        match part {
            AxisPart::Range(..) => axis -= 1,
            AxisPart::New => result = exec::unsqueeze(&result, axis)?,
            AxisPart::Ellipsis => axis -= core::mem::take(&mut inside),
            AxisPart::Position(_) => {}
        }
    }
    Ok(result)
}

/// Returns the part at a position of an axis, which counts from the end if it is negative.
pub(crate) fn at_position(
    operation: &'static str,
    array: &Array,
    axis: usize,
    position: i128,
) -> Result<Array, Error> {
    let size = array.shape()[axis];
    let from_start = match position {
        ..0 => position + size.to_wide(),
        _ => position,
    };
    match usize::try_from(from_start) {
        Ok(found) if found < size => exec::index_axis(array, axis, found),
        _ => Err(Error::IndexOutOfRange {
            operation,
            index: position,
            axis: axis.cast_signed(),
            size,
        }),
    }
}
