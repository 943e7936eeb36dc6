//! Iteration: over elements, rows and the parts at the positions of an axis.

use core::marker::PhantomData;
use core::ops::Range;

use super::positions::axis_of;
use super::{Tensor, or_panic};
use crate::array::{Array, Elements};
use crate::dtype::StaticDType;
use crate::error::{Error, check_axes};
use crate::exec;
use crate::rank::{Axis, Rank, Rank1, RemoveAxis};
use crate::rules::Rules;

/// # Iteration
///
/// `for x in &t` goes through the elements, [`axis_iter`](Self::axis_iter) through the parts along an axis. Two tensors of one
/// shape are read together by `t.iter().zip(&u)`; [`zip_mut_with`](Self::zip_mut_with) writes one of them.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Iterates over the elements in row-major order. `for x in &t` does the same.
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// assert!(t.transpose().iter().eq([1, 3, 2, 4]));
    /// let u: Tensor<I32> = tensor![[1, 0], [3, 0]];
    /// assert_eq!(t.iter().zip(&u).filter(|(x, y)| x == y).count(), 2);
    /// ```
    ///
    /// # Panics
    /// In a trace, whose tensors have no elements.
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn iter(&self) -> Elements<'_, D::Element> { // the parts along an axis: `axis_iter(1)`, not as `help` says
        exec::iter(self.array())
    }

    /// Iterates over the elements in row-major order, for writing; copies them first if the storage is shared or not
    /// contiguous.
    ///
    /// # Panics
    /// As [`Self::as_mut_slice`].
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let mut t: Tensor<I32> = tensor![[1, 2], [3, 4]];
    /// t.iter_mut().for_each(|x| *x *= 10);
    /// for x in &mut t {
    ///     *x += 1;
    /// }
    /// assert_eq!(t.to_vec(), [11, 21, 31, 41]);
    /// ```
    #[track_caller]
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'_, D::Element> {
        self.as_mut_slice().iter_mut()
    }

    /// Iterates over the parts at the positions of an axis, without that axis. They are views. The axis counts from the end if it
    /// is negative.
    ///
    /// # Panics
    /// With the text of [`Self::try_axis_iter`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// let sums: Vec<_> = t.axis_iter(1).map(|column: Tensor<I32, Rank1>| column.iter().sum::<i32>()).collect();
    /// assert_eq!(sums, [5, 7, 9]);
    /// ```
    #[track_caller]
    pub fn axis_iter<M: Rank>(&self, axis: impl Axis) -> AxisIter<D, M, R>
    where
        N: RemoveAxis<Output = M>,
    {
        or_panic(self.try_axis_iter(axis))
    }

    /// [`Self::axis_iter`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub fn try_axis_iter<M: Rank>(&self, axis: impl Axis) -> Result<AxisIter<D, M, R>, Error>
    where
        N: RemoveAxis<Output = M>,
    {
        Views::along(self.array(), axis).map(AxisIter::new)
    }

    /// Iterates over the rows: the views along the last axis, at every position of the other axes in row-major order.
    ///
    /// # Panics
    /// With the text of [`Self::try_rows`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// let largest: Vec<_> = t.rows().map(|row| row.iter().max()).collect();
    /// assert_eq!(largest, [Some(3), Some(6)]);
    /// for row in t.rows() {
    ///     assert_eq!(row[1] - row[0], 1);
    /// }
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn rows(&self) -> AxisIter<D, Rank1, R> // along an axis `axis_iter(1)`, a row `index_axis(0, 1)`, not as `help` says
    where
        N: RemoveAxis,
    {
        or_panic(self.try_rows())
    }

    /// [`Self::rows`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] for rank 0; [`Error::OutOfMemory`] if the elements must be copied because the other axes do not
    /// merge into one.
    pub fn try_rows(&self) -> Result<AxisIter<D, Rank1, R>, Error>
    where
        N: RemoveAxis,
    {
        Views::rows(self.array()).map(AxisIter::new)
    }
}

/// The parts of an array at the positions of an axis.
pub(crate) struct Views {
    array: Array,
    axis: usize,
    positions: Range<usize>,
}

impl Views {
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn along(array: &Array, axis: impl Axis) -> Result<Self, Error> {
        let axis = axis_of("axis_iter", axis, array.rank())?;
        exec::require_current("axis_iter", array)?;
        Ok(Self {
            positions: 0..array.shape()[axis],
            axis,
            array: array.clone(),
        })
    }

    /// The parts along the last axis.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] for rank 0; [`Error::OutOfMemory`] if it copies.
    pub(crate) fn rows(array: &Array) -> Result<Self, Error> {
        check_axes("rows", 1, array.shape())?;
        let last = array.rank() - 1;
        let (count, size) = (array.shape()[..last].iter().product(), array.shape()[last]);
        Ok(Self {
            array: exec::reshape(array, &[count, size])?,
            axis: 0,
            positions: 0..count,
        })
    }

    fn part(&self, position: usize) -> Array {
        or_panic(exec::index_axis(&self.array, self.axis, position))
    }
}

impl Iterator for Views {
    type Item = Array;

    fn next(&mut self) -> Option<Array> {
        let position = self.positions.next()?;
        Some(self.part(position))
    }

    fn nth(&mut self, skipped: usize) -> Option<Array> {
        let position = self.positions.nth(skipped)?;
        Some(self.part(position))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl DoubleEndedIterator for Views {
    fn next_back(&mut self) -> Option<Array> {
        let position = self.positions.next_back()?;
        Some(self.part(position))
    }
}

/// The parts of a tensor at the positions of an axis, as tensors of rank `M`; made by [`Tensor::axis_iter`] and [`Tensor::rows`].
pub struct AxisIter<D, M, R> {
    views: Views,
    types: PhantomData<fn() -> (D, M, R)>,
}

impl<D, M, R> AxisIter<D, M, R> {
    fn new(views: Views) -> Self {
        Self {
            views,
            types: PhantomData,
        }
    }
}

impl<D: StaticDType, M: Rank, R: Rules> Iterator for AxisIter<D, M, R> {
    type Item = Tensor<D, M, R>;

    fn next(&mut self) -> Option<Self::Item> {
        self.views.next().map(Tensor::from_array)
    }

    fn nth(&mut self, skipped: usize) -> Option<Self::Item> {
        self.views.nth(skipped).map(Tensor::from_array)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.views.size_hint()
    }
}

impl<D: StaticDType, M: Rank, R: Rules> DoubleEndedIterator for AxisIter<D, M, R> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.views.next_back().map(Tensor::from_array)
    }
}

impl<D: StaticDType, M: Rank, R: Rules> ExactSizeIterator for AxisIter<D, M, R> {}
impl<D: StaticDType, M: Rank, R: Rules> core::iter::FusedIterator for AxisIter<D, M, R> {}

/// Iterates over the elements as [`Tensor::iter`] does.
impl<'a, D: StaticDType, N: Rank, R: Rules> IntoIterator for &'a Tensor<D, N, R> {
    type Item = D::Element;
    type IntoIter = Elements<'a, D::Element>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Iterates over the elements as [`Tensor::iter_mut`] does.
impl<'a, D: StaticDType, N: Rank, R: Rules> IntoIterator for &'a mut Tensor<D, N, R> {
    type Item = &'a mut D::Element;
    type IntoIter = core::slice::IterMut<'a, D::Element>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// The elements in row-major order, copied out of the tensor.
impl<D: StaticDType, N: Rank, R: Rules> IntoIterator for Tensor<D, N, R> {
    type Item = D::Element;
    type IntoIter = std::vec::IntoIter<D::Element>;

    #[track_caller]
    fn into_iter(self) -> Self::IntoIter {
        self.to_vec().into_iter()
    }
}
