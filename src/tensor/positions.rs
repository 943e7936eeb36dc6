//! Axes, sizes and bounds that may be negative: the arguments of `sum_axis`, `reshape` and `slice`.

use core::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use crate::array::{Array, MAX_RANK};
use crate::error::Error;
use crate::exec;
use crate::rank::{Axis, Extent, Rank};

/// Converts an axis that may be negative (counted from the end) to its position.
#[inline]
pub(crate) fn axis_of(
    operation: &'static str,
    axis: impl Axis,
    rank: usize,
) -> Result<usize, Error> {
    position_of_axis(operation, axis.to_signed(), rank)
}

/// Calls a function with the position of an axis. Its errors name the axis as it was given.
///
/// # Errors
/// [`Error::AxisOutOfRange`], and the function's.
pub(crate) fn along<T>(
    operation: &'static str,
    axis: isize,
    rank: usize,
    run: impl FnOnce(usize) -> Result<T, Error>,
) -> Result<T, Error> {
    let found = axis_of(operation, axis, rank)?;
    run(found).map_err(|error| error.along(found, axis))
}

fn position_of_axis(operation: &'static str, axis: isize, rank: usize) -> Result<usize, Error> {
    let from_end = if axis < 0 {
        axis.checked_add_unsigned(rank)
    } else {
        Some(axis)
    };
    let found = from_end
        .and_then(|axis| usize::try_from(axis).ok())
        .filter(|axis| *axis < rank);
    found.ok_or(Error::AxisOutOfRange {
        operation,
        axis,
        rank,
    })
}

/// Converts two axes to their positions, which have to differ.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`].
pub(crate) fn two_axes_of(
    operation: &'static str,
    given: [isize; 2],
    rank: usize,
) -> Result<[usize; 2], Error> {
    let [first, second] = [
        axis_of(operation, given[0], rank)?,
        axis_of(operation, given[1], rank)?,
    ];
    match first == second {
        true => Err(repeated_axis(operation, first, &given, rank)),
        false => Ok([first, second]),
    }
}

/// Returns the error of axes of which the last names an axis that was named before.
pub(crate) fn repeated_axis(
    operation: &'static str,
    axis: usize,
    named: &[isize],
    rank: usize,
) -> Error {
    let is_same = |number: &&isize| axis_of(operation, **number, rank) == Ok(axis);
    let numbers = [named.iter().find(is_same), named.last()];
    Error::RepeatedAxis {
        operation,
        axis,
        given: numbers.map(|number| number.copied().unwrap_or(axis.cast_signed())),
    }
}

/// A shape to reshape to: an array or a tuple, whose length is the rank of the result, a slice or a `Vec`. One size may be `-1`: the
/// size that the number of elements leaves for it. The sizes of a tuple may have different types: `(n, -1)` with `n: usize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape to reshape to",
    label = "not an array, a slice or a `Vec` of sizes",
    note = "a shape is an array, e.g. `[rows, columns]`, of which one size may be `-1`; beside a `usize` write a tuple: `(rows, -1)`"
)]
pub trait NewShape {
    /// The rank of the result.
    type Rank: Rank;
    /// The integers.
    #[doc(hidden)]
    type Extent: Extent;

    #[doc(hidden)]
    fn extents(&self) -> impl AsRef<[Self::Extent]>;
}

macro_rules! new_shapes {
    ($(($($generics:tt)*) $shape:ty => $rank:path;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> NewShape for $shape {
            type Rank = $rank;
            type Extent = E;

            #[inline]
            fn extents(&self) -> impl AsRef<[E]> {
                &self[..]
            }
        }
    )*};
}

macro_rules! known_ranks {
    ($($rank:ident $number:literal)*) => {
        $(known_ranks! { @one $rank $number })*
    };
    (@one Rank0 $number:literal) => {};
    (@one $rank:ident $number:literal) => {
        new_shapes! { (E: Extent) [E; $number] => crate::rank::$rank; }
    };
}

supremum_macros::with_ranks!(known_ranks);

// Of one type of integers, so that the compiler knows it in `reshape([])`.
#[diagnostic::do_not_recommend]
impl NewShape for [usize; 0] {
    type Rank = crate::rank::Rank0;
    type Extent = usize;

    #[inline]
    fn extents(&self) -> impl AsRef<[usize]> {
        self
    }
}

new_shapes! {
    (E: Extent) &[E] => crate::rank::AnyRank;
    (E: Extent) Vec<E> => crate::rank::AnyRank;
    (E: Extent) &Vec<E> => crate::rank::AnyRank;
}

macro_rules! tuples {
    ($($rank:ident ($($size:ident)*);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($size: Extent),*> NewShape for ($($size,)*) {
            type Rank = crate::rank::$rank;
            type Extent = isize;

            #[inline]
            #[allow(non_snake_case, reason = "a variable for each type")]
            fn extents(&self) -> impl AsRef<[isize]> {
                let ($($size,)*) = self;
                [$($size.to_signed()),*]
            }
        }
    )*};
}

tuples! {
    Rank2 (A B);
    Rank3 (A B C);
    Rank4 (A B C D);
    Rank5 (A B C D E);
    Rank6 (A B C D E F);
}

/// The same elements in another shape.
///
/// # Errors
/// [`Error::Reshape`], [`Error::OutOfMemory`].
pub(crate) fn reshaped<S: NewShape>(array: &Array, shape: &S) -> Result<Array, Error> {
    let extents = shape.extents();
    let extents = extents.as_ref();
    let refused = || Error::Reshape {
        from: array.shape().to_vec(),
        to: extents.iter().map(|extent| extent.to_signed()).collect(),
    };
    let mut sizes = Vec::new();
    let mut short = [0; MAX_RANK];
    let sizes = match short.get_mut(..extents.len()) {
        Some(sizes) => sizes,
        None => {
            sizes.resize(extents.len(), 0);
            &mut sizes[..]
        }
    };
    let (mut rest, mut known) = (None, 1_usize);
    for (axis, (size, extent)) in sizes.iter_mut().zip(extents).enumerate() {
        match extent.to_size() {
            Ok(found) => {
                *size = found;
                known = known.saturating_mul(found);
            }
            Err(-1) if rest.is_none() => rest = Some(axis),
            _ => return Err(refused()),
        }
    }
    if let Some(axis) = rest {
        match array.len().checked_rem(known) {
            Some(0) => sizes[axis] = array.len() / known,
            _ => return Err(refused()),
        }
    }
    // Sizes that no memory holds do not fit either, and the error names both shapes.
    match exec::reshape(array, sizes) {
        Err(Error::ShapeTooLarge { .. }) => Err(refused()),
        result => result,
    }
}

/// The positions of a slice: a range such as `1..3`, `..-1` or `..`. Negative bounds count from the end of the axis.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of positions",
    label = "not a range of integers",
    note = "write a range, e.g. `1..3`, `..-1` (without the last) or `..`; `.index_axis(axis, position)` takes one position, `.slice_axes(s![.., 1..3])` several axes, `.flip(axis)` reverses, `.slice_step(axis, .., 2)` takes every second position"
)]
pub trait Positions {
    /// The start and the end; the end may be included.
    #[doc(hidden)]
    fn bounds(&self) -> [Bound<i128>; 2];
}

macro_rules! positions {
    ($($range:ty, |$it:ident| $start:expr, $end:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<E: Extent> Positions for $range {
            #[inline]
            fn bounds(&self) -> [Bound<i128>; 2] {
                let $it = self;
                [$start, $end].map(|bound: Bound<E>| bound.map(Extent::to_wide))
            }
        }
    )*};
}

positions! {
    Range<E>, |it| Bound::Included(it.start), Bound::Excluded(it.end);
    RangeInclusive<E>, |it| Bound::Included(*it.start()), Bound::Included(*it.end());
    RangeFrom<E>, |it| Bound::Included(it.start), Bound::Unbounded;
    RangeTo<E>, |it| Bound::Unbounded, Bound::Excluded(it.end);
    RangeToInclusive<E>, |it| Bound::Unbounded, Bound::Included(it.end);
    (Bound<E>, Bound<E>), |it| it.0, it.1;
}

#[diagnostic::do_not_recommend]
impl Positions for RangeFull {
    #[inline]
    fn bounds(&self) -> [Bound<i128>; 2] {
        [Bound::Unbounded; 2]
    }
}

/// Returns every `step`-th element of a range along an axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`], [`Error::ZeroStep`].
pub(crate) fn sliced(
    operation: &'static str,
    array: &Array,
    given: isize,
    [start, end]: [Bound<i128>; 2],
    step: isize,
) -> Result<Array, Error> {
    let axis = axis_of(operation, given, array.rank())?;
    if step == 0 {
        return Err(Error::ZeroStep {
            operation,
            axis: given,
        });
    }
    let size = array.shape()[axis];
    // Ends are numbers of 64 bits, so sums of two do not overflow.
    let length = size.to_wide();
    let from_start = |bound: i128| {
        if bound < 0 { bound + length } else { bound }
    };
    let begin = match start {
        Bound::Included(start) => from_start(start),
        Bound::Excluded(before) => from_start(before) + 1,
        Bound::Unbounded => 0,
    };
    let stop = match end {
        Bound::Included(last) => from_start(last) + 1,
        Bound::Excluded(end) => from_start(end),
        Bound::Unbounded => length,
    };
    let (true, Ok(begin), Ok(stop)) = (
        0 <= begin && begin <= stop && stop <= length,
        isize::try_from(begin),
        isize::try_from(stop),
    ) else {
        return Err(Error::SliceOutOfRange {
            operation,
            range: Box::new([start, end]),
            axis: given,
            size,
        });
    };
    // The array's ends run downwards for a negative step.
    let (first, stop) = if step < 0 {
        (stop - 1, begin - 1)
    } else {
        (begin, stop)
    };
    exec::slice(array, axis, first, stop, step)
}
