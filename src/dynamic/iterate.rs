//! Iteration over parts, for reading and for writing.

use super::DynTensor;
use super::view_mut::DynTensorViewMut;
use crate::array::{Array, Dims};
use crate::error::{Error, check_axes};
use crate::exec::{PartMut, PartsMut};
use crate::rank::Axis;
use crate::rules::RuleSet;
use crate::tensor::iterate::Views;
use crate::tensor::or_panic;
use crate::tensor::positions::axis_of;

/// The parts of a dynamic tensor at the positions of an axis, as tensors; made by [`DynTensor::axis_iter`] and [`DynTensor::rows`].
pub struct DynAxisIter {
    views: Views,
    weak: bool,
    rules: &'static RuleSet,
}

impl DynAxisIter {
    fn new(views: Views, of: &DynTensor) -> Self {
        Self {
            views,
            weak: of.weak,
            rules: of.rules,
        }
    }

    fn tensor(&self, part: Array) -> DynTensor {
        DynTensor::from_array(part, self.weak, self.rules)
    }
}

impl Iterator for DynAxisIter {
    type Item = DynTensor;

    fn next(&mut self) -> Option<DynTensor> {
        let part = self.views.next()?;
        Some(self.tensor(part))
    }

    fn nth(&mut self, skipped: usize) -> Option<DynTensor> {
        let part = self.views.nth(skipped)?;
        Some(self.tensor(part))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.views.size_hint()
    }
}

impl DoubleEndedIterator for DynAxisIter {
    fn next_back(&mut self) -> Option<DynTensor> {
        let part = self.views.next_back()?;
        Some(self.tensor(part))
    }
}

impl ExactSizeIterator for DynAxisIter {}
impl core::iter::FusedIterator for DynAxisIter {}

/// # Iteration over parts
impl DynTensor {
    /// Iterates over the parts at the positions of an axis, without that axis. They are views. The axis counts from the end if it is
    /// negative.
    ///
    /// # Panics
    /// With the text of [`Self::try_axis_iter`]'s error.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let t = DynTensor::arange(DType::I32, 0, 6, 1)?.reshape([2, 3]);
    /// let sums: Vec<_> = t.axis_iter(1).map(|column| column.sum().item()).collect();
    /// assert_eq!(sums, [Ok(3.into()), Ok(5.into()), Ok(7.into())]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn axis_iter(&self, axis: impl Axis) -> DynAxisIter {
        or_panic(self.try_axis_iter(axis))
    }

    /// [`Self::axis_iter`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub fn try_axis_iter(&self, axis: impl Axis) -> Result<DynAxisIter, Error> {
        Views::along(&self.array, axis).map(|views| DynAxisIter::new(views, self))
    }

    /// Iterates over the rows: the views along the last axis, at every position of the other axes in row-major order.
    ///
    /// # Panics
    /// With the text of [`Self::try_rows`]'s error.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let t = DynTensor::arange(DType::I32, 0, 6, 1)?.reshape([2, 1, 3]);
    /// let last = t.rows().next_back().expect("two rows");
    /// assert_eq!(last.to_string(), "[3, 4, 5] i32 [3]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn rows(&self) -> DynAxisIter { // along an axis `axis_iter(1)`, a row `index_axis(0, 1)`, not as `help` says
        or_panic(self.try_rows())
    }

    /// [`Self::rows`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] for rank 0; [`Error::OutOfMemory`] if the elements must be copied because the other axes do not
    /// merge into one.
    pub fn try_rows(&self) -> Result<DynAxisIter, Error> {
        Views::rows(&self.array).map(|views| DynAxisIter::new(views, self))
    }
}

/// The parts of a dynamic tensor at the positions of an axis, for writing; made by [`DynTensor::axis_iter_mut`] and
/// [`DynTensor::rows_mut`].
pub struct DynAxisIterMut<'a> {
    parts: PartsMut<'a>,
    weak: bool,
    rules: &'static RuleSet,
}

impl<'a> DynAxisIterMut<'a> {
    fn view(&self, part: PartMut<'a>) -> DynTensorViewMut<'a> {
        DynTensorViewMut::new(part, self.weak, self.rules)
    }
}

impl<'a> Iterator for DynAxisIterMut<'a> {
    type Item = DynTensorViewMut<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let view = self.parts.next()?;
        Some(self.view(view))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl DoubleEndedIterator for DynAxisIterMut<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let view = self.parts.next_back()?;
        Some(self.view(view))
    }
}

impl ExactSizeIterator for DynAxisIterMut<'_> {}

/// # Iteration over parts for writing
impl DynTensor {
    /// Iterates over the parts at the positions of an axis, without that axis, for writing. The axis counts from the end if it is
    /// negative. The elements are copied first if another tensor shares them.
    ///
    /// # Panics
    /// With the text of [`Self::try_axis_iter_mut`]'s error.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let mut t = DynTensor::arange(DType::I32, 0, 6, 1)?.reshape([2, 3]);
    /// for mut column in t.axis_iter_mut(1).skip(1) {
    ///     column.fill(7);
    /// }
    /// assert_eq!(t.flatten().to_string(), "[0, 7, 7, 3, 7, 7] i32 [6]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn axis_iter_mut(&mut self, axis: impl Axis) -> DynAxisIterMut<'_> {
        or_panic(self.try_axis_iter_mut(axis))
    }

    /// [`Self::axis_iter_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`] if it copies.
    pub fn try_axis_iter_mut(&mut self, axis: impl Axis) -> Result<DynAxisIterMut<'_>, Error> {
        let axis = axis_of("axis_iter_mut", axis, self.ndim())?;
        let (weak, rules) = (self.weak, self.rules);
        let parts = PartMut::new("axis_iter_mut", &mut self.array)?.parts(axis)?;
        Ok(DynAxisIterMut { parts, weak, rules })
    }

    /// Iterates over the rows, for writing: the parts along the last axis, at every position of the other axes in row-major order.
    /// The elements are copied first if another tensor shares them.
    ///
    /// # Panics
    /// With the text of [`Self::try_rows_mut`]'s error.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let mut t = DynTensor::zeros(DType::F32, [2, 2, 3])?;
    /// let row = DynTensor::arange(DType::F32, 0.0, 3.0, 1.0)?;
    /// for mut part in t.rows_mut() {
    ///     part.assign(&row);
    /// }
    /// assert_eq!(t.sum().item()?, 12.0.into());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn rows_mut(&mut self) -> DynAxisIterMut<'_> {
        or_panic(self.try_rows_mut())
    }

    /// [`Self::rows_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] for rank 0; [`Error::OutOfMemory`] if it copies.
    pub fn try_rows_mut(&mut self) -> Result<DynAxisIterMut<'_>, Error> {
        check_axes("rows_mut", 1, self.shape())?;
        let last = self.ndim() - 1;
        let (count, size) = (self.shape()[..last].iter().product(), self.shape()[last]);
        let (weak, rules) = (self.weak, self.rules);
        let shape = Dims::new(&[count, size])?;
        let parts = PartMut::reshaped("rows_mut", &mut self.array, shape)?.parts(0)?;
        Ok(DynAxisIterMut { parts, weak, rules })
    }
}
