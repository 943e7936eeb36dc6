//! Elements by their index: `t[[i, j]]`, `get`, `set`.

use core::ops::{Index, IndexMut};

use super::{ElementFrom, Tensor, or_panic};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::exec;
use crate::rank::{AnyRank, Extent, Rank};
use crate::rules::Rules;

/// The index of an element of a tensor of rank `N`: an array of one position for each axis; for `Rank1` a position too. For
/// [`AnyRank`] an array of any length, a slice of `usize` or a position; their length is checked at run time.
///
/// A position is an integer of at most 64 bits. Negative positions count from the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the index of an element of a tensor of `{N}`",
    label = "not one position for each axis",
    note = "the index of an element is an array of one position for each axis, e.g. `t[[row, column]]` of `Rank2`; `t.slice_axes(s![0, 1..])`, `t.index_axis(axis, position)` and `t.slice(axis, range)` give parts of a tensor, and their `_mut` forms parts for writing, as in `t.index_axis_mut(0, 1).assign(&row)`; of a rank that is a type parameter it is `t.get(&[0, 1])`, an `Option`",
    note = "the position in a tensor, such as `argmax` gives, is `t[[best.item()?]]`; several positions are `t.take(&indices, axis)`, the elements under a mask `t.masked_select(&mask)`, which `select(&mask, 0.0, &t)` replaces; an axis of size 1, NumPy's `None`, is inserted by `t.unsqueeze(axis)`"
)]
pub trait ElementIndex<N: Rank>: Copy {
    /// The positions along the axes of a tensor of this shape, counted from the start.
    #[doc(hidden)]
    fn positions(self, shape: &[usize]) -> Self::Positions;

    /// The position along an axis, as the user wrote it.
    #[doc(hidden)]
    fn given(self, axis: usize) -> i128;

    /// An array or a slice.
    #[doc(hidden)]
    type Positions: AsRef<[usize]>;
}

/// Returns a position counted from the start; a number beyond every axis for a negative one below minus the size.
#[inline]
fn from_start<P: Extent>(position: P, axis: usize, shape: &[usize]) -> usize {
    position.to_size().unwrap_or_else(|negative| {
        let size = shape.get(axis).copied().unwrap_or(0);
        size.checked_add_signed(negative).unwrap_or(usize::MAX)
    })
}

/// Puts the position that the user wrote into the error of an index.
#[cold]
pub(super) fn with_given<N: Rank>(error: Error, index: impl ElementIndex<N>) -> Error {
    match error {
        Error::IndexOutOfRange {
            operation,
            axis,
            size,
            ..
        } => Error::IndexOutOfRange {
            operation,
            index: index.given(axis.unsigned_abs()),
            axis,
            size,
        },
        other => other,
    }
}

/// [`from_start`] of each position.
#[inline]
fn all_from_start<P: Extent, const COUNT: usize>(
    positions: [P; COUNT],
    shape: &[usize],
) -> [usize; COUNT] {
    core::array::from_fn(|axis| from_start(positions[axis], axis, shape))
}

macro_rules! element_indices {
    // Of one type, so that the type of `[]` is known.
    (Rank0 0 $($rank:ident $number:literal)*) => {
        #[diagnostic::do_not_recommend]
        impl ElementIndex<crate::rank::Rank0> for [usize; 0] {
            type Positions = Self;

            #[inline]
            fn positions(self, _: &[usize]) -> Self::Positions {
                self
            }

            fn given(self, axis: usize) -> i128 {
                self[axis].to_wide()
            }
        }
        $(
            #[diagnostic::do_not_recommend]
            impl<P: Extent> ElementIndex<crate::rank::$rank> for [P; $number] {
                type Positions = [usize; $number];

                #[inline]
                fn positions(self, shape: &[usize]) -> Self::Positions {
                    all_from_start(self, shape)
                }

                fn given(self, axis: usize) -> i128 {
                    self[axis].to_wide()
                }
            }
        )*
    };
}

supremum_macros::with_ranks!(element_indices);

#[diagnostic::do_not_recommend]
impl<P: Extent> ElementIndex<crate::rank::Rank1> for P {
    type Positions = [usize; 1];

    #[inline]
    fn positions(self, shape: &[usize]) -> Self::Positions {
        all_from_start([self], shape)
    }

    fn given(self, _: usize) -> i128 {
        self.to_wide()
    }
}

#[diagnostic::do_not_recommend]
impl<P: Extent> ElementIndex<AnyRank> for P {
    type Positions = [usize; 1];

    #[inline]
    fn positions(self, shape: &[usize]) -> Self::Positions {
        all_from_start([self], shape)
    }

    fn given(self, _: usize) -> i128 {
        self.to_wide()
    }
}

#[diagnostic::do_not_recommend]
impl<P: Extent, const COUNT: usize> ElementIndex<AnyRank> for [P; COUNT] {
    type Positions = [usize; COUNT];

    #[inline]
    fn positions(self, shape: &[usize]) -> Self::Positions {
        all_from_start(self, shape)
    }

    fn given(self, axis: usize) -> i128 {
        self[axis].to_wide()
    }
}

#[diagnostic::do_not_recommend]
impl ElementIndex<AnyRank> for &[usize] {
    type Positions = Self;

    #[inline]
    fn positions(self, _: &[usize]) -> Self::Positions {
        self
    }

    fn given(self, axis: usize) -> i128 {
        self[axis].to_wide()
    }
}

/// The element at an index: `t[[i, j]]`, one position for each axis; of a tensor of rank 1 also `t[i]`. Negative positions count
/// from the end.
///
/// # Panics
/// With the text of [`Tensor::try_get`]'s error.
///
/// ```
/// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
/// let t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
/// assert_eq!((t[[0, 1]], t.transpose()[[0, 1]], t[[-1, 0]]), (2, 3, 3));
/// let row: Tensor<I32, Rank1> = t.index_axis(0, 1);
/// assert_eq!(row[0], 3);
/// ```
///
/// ```should_panic
/// # use supremum::{I32, Rank2, Tensor, tensor};
/// # let t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
/// t[[0, 2]]; // "index: index 2 is outside axis 1 of size 2"
/// ```
impl<D: StaticDType, N: Rank, R: Rules, I: ElementIndex<N>> Index<I> for Tensor<D, N, R> {
    type Output = D::Element;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &D::Element {
        let array = self.array();
        let positions = index.positions(array.shape());
        match array.element(positions.as_ref()) {
            Some(element) if !array.has_handle() => element, // not a tracer
            _ => {
                let element = exec::element("index", array, positions.as_ref());
                or_panic(element.map_err(|error| with_given(error, index)))
            }
        }
    }
}

/// The element at an index, for writing. The elements are copied first if another tensor shares them, or if they are not
/// contiguous; later writes find them so and copy nothing.
///
/// # Panics
/// With the text of [`Tensor::try_set`]'s error.
///
/// ```
/// use supremum::{I32, Rank2, Tensor, tensor};
/// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
/// let before = t.clone();
/// t[[0, 1]] = 20;
/// t[[1, 0]] += 1;
/// assert_eq!((t.to_vec(), before.to_vec()), (vec![1, 20, 4, 4], vec![1, 2, 3, 4]));
/// ```
impl<D: StaticDType, N: Rank, R: Rules, I: ElementIndex<N>> IndexMut<I> for Tensor<D, N, R> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut D::Element {
        let array = self.array_mut();
        let positions = index.positions(array.shape());
        let element = exec::element_mut("index", array, positions.as_ref());
        or_panic(element.map_err(|error| with_given(error, index)))
    }
}

/// # Elements by index
///
/// `t[[i, j]]` reads an element and `t[[i, j]] = x` writes it, with one position for each axis. Negative positions count from the end.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns the element at an index (one number for each dimension); `None` outside the shape.
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// assert_eq!(t.get(&[1, 0]), Some(3));
    /// assert_eq!(t.get(&[2, 0]), None);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn get(&self, index: &[usize]) -> Option<D::Element> { // an array: `t.get(&[0, 1])`, whatever `help` says
        exec::get(self.array(), index)
    }

    /// Returns the element at an index, or an error that says what is wrong with the index.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] with the first axis that does not have the position; [`Error::LengthMismatch`] if there is not
    /// one number for each dimension.
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// assert_eq!(t.try_get(&[1, 0]), Ok(3));
    /// assert_eq!(t.try_get(&[2, 0]).unwrap_err().to_string(), "get: index 2 is outside axis 0 of size 2");
    /// assert_eq!(t.try_get(&[2]).unwrap_err().to_string(), "get: expected 2 positions, found 1");
    /// ```
    pub fn try_get(&self, index: &[usize]) -> Result<D::Element, Error> {
        exec::element("get", self.array(), index).copied()
    }

    /// Replaces the element at an index, as `t[[i, j]] = value` does. The value is given as to [`Tensor::full`].
    ///
    /// # Panics
    /// With the text of [`Self::try_set`]'s error.
    ///
    /// ```
    /// use supremum::{Tensor, I32, tensor};
    /// let mut t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// t.set(&[1, 0], 30);
    /// assert_eq!(t.to_vec(), [1, 2, 30, 4]);
    /// ```
    #[track_caller]
    pub fn set<E>(&mut self, index: &[usize], value: E)
    where
        D::Element: ElementFrom<E>,
    {
        or_panic(self.try_set(index, value));
    }

    /// [`Self::set`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_get`]; [`Error::LiteralOutOfRange`] for a number that the dtype does not have; [`Error::OutOfMemory`] if the
    /// elements must be copied first. The tensor is unchanged then.
    pub fn try_set<E>(&mut self, index: &[usize], value: E) -> Result<(), Error>
    where
        D::Element: ElementFrom<E>,
    {
        let value =
            <D::Element as ElementFrom<E>>::FROM("set", value, || R::RULE_SET.literal_policy())?;
        exec::set(self.array_mut(), index, value)
    }
}
