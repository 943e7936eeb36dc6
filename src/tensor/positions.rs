//! Sizes and bounds that may be negative: the arguments of `reshape` and `slice`.

use core::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use crate::array::{Array, MAX_RANK};
use crate::error::Error;
use crate::exec;
use crate::rank::{Extent, Rank};

/// A shape to reshape to: an array, whose length is the rank of the result, a slice or a `Vec`. One size may be `-1`: the size
/// that the number of elements leaves for it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no shape to reshape to",
    label = "not an array, a slice or a `Vec` of sizes",
    note = "a shape is an array, e.g. `[rows, columns]`, of which one size may be `-1`; beside a `usize` write that size as `number.cast_signed()`"
)]
pub trait NewShape {
    /// The rank of the result.
    type Rank: Rank;
    /// The integers.
    #[doc(hidden)]
    type Extent: Extent;

    #[doc(hidden)]
    fn extents(&self) -> &[Self::Extent];
}

macro_rules! new_shapes {
    ($(($($generics:tt)*) $shape:ty => $rank:path;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> NewShape for $shape {
            type Rank = $rank;
            type Extent = E;

            #[inline]
            fn extents(&self) -> &[E] {
                self
            }
        }
    )*};
}

macro_rules! known_ranks {
    ($($rank:ident $number:literal)*) => {
        new_shapes! { $(
            (E: Extent) [E; $number] => crate::rank::$rank;
        )* }
    };
}

supremum_macros::with_ranks!(known_ranks);

new_shapes! {
    (E: Extent) &[E] => crate::rank::AnyRank;
    (E: Extent) Vec<E> => crate::rank::AnyRank;
    (E: Extent) &Vec<E> => crate::rank::AnyRank;
}

/// The same elements in another shape.
///
/// # Errors
/// [`Error::Reshape`], [`Error::OutOfMemory`].
pub(crate) fn reshaped<S: NewShape>(array: &Array, shape: &S) -> Result<Array, Error> {
    let extents = shape.extents();
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
    note = "write a range, e.g. `1..3`, `..-1` (without the last) or `..`; `.index_axis(axis, position)` takes one position, `.slice_axes(s![.., 1..3])` several axes"
)]
pub trait Positions {
    /// The start and the end; the end may be included.
    #[doc(hidden)]
    fn bounds(&self) -> [Bound<isize>; 2];
}

macro_rules! positions {
    ($($range:ty, |$it:ident| $start:expr, $end:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<E: Extent> Positions for $range {
            #[inline]
            fn bounds(&self) -> [Bound<isize>; 2] {
                let $it = self;
                [$start, $end].map(|bound: Bound<E>| bound.map(Extent::to_signed))
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
    fn bounds(&self) -> [Bound<isize>; 2] {
        [Bound::Unbounded; 2]
    }
}
