//! Iteration over parts for writing.

use super::DynTensor;
use super::view_mut::DynTensorViewMut;
use crate::array::{ArrayMut, Parts};
use crate::error::Error;
use crate::exec;
use crate::rank::Axis;
use crate::rules::RuleSet;
use crate::tensor::positions::axis_of;

/// The parts of a dynamic tensor at the positions of an axis, for writing; made by [`DynTensor::try_axis_iter_mut`] and
/// [`DynTensor::try_rows_mut`].
pub struct DynAxisIterMut<'a> {
    parts: Parts<'a>,
    weak: bool,
    rules: &'static RuleSet,
}

impl<'a> DynAxisIterMut<'a> {
    fn view(&self, view: ArrayMut<'a>) -> DynTensorViewMut<'a> {
        DynTensorViewMut::new(view, self.weak, self.rules)
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
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`] if it copies.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let mut t = DynTensor::arange(DType::I32, 0.0, 6.0, 1.0)?.try_reshape([2, 3])?;
    /// for mut column in t.try_axis_iter_mut(1)?.skip(1) {
    ///     column.try_fill(7)?;
    /// }
    /// assert_eq!(t.try_reshape([6])?.to_string(), "[0, 7, 7, 3, 7, 7] i32 [6]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_axis_iter_mut(&mut self, axis: impl Axis) -> Result<DynAxisIterMut<'_>, Error> {
        let axis = axis_of("axis_iter_mut", axis, self.ndim())?;
        let (weak, rules) = (self.weak, self.rules);
        let parts = exec::view_mut("axis_iter_mut", &mut self.array)?.parts(axis)?;
        Ok(DynAxisIterMut { parts, weak, rules })
    }

    /// Iterates over the rows, for writing: the parts along the last axis, at every position of the other axes in row-major order.
    /// The elements are copied first if another tensor shares them.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`] of rank 0; [`Error::OutOfMemory`] if it copies.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let mut t = DynTensor::zeros(DType::F32, [2, 2, 3])?;
    /// let row = DynTensor::arange(DType::F32, 0.0, 3.0, 1.0)?;
    /// for mut part in t.try_rows_mut()? {
    ///     part.try_assign(&row)?;
    /// }
    /// assert_eq!(t.try_sum()?.item()?, 12.0.into());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_rows_mut(&mut self) -> Result<DynAxisIterMut<'_>, Error> {
        let last = axis_of("rows_mut", -1, self.ndim())?;
        let (count, size) = (self.shape()[..last].iter().product(), self.shape()[last]);
        let (weak, rules) = (self.weak, self.rules);
        let rows = exec::view_mut("rows_mut", &mut self.array)?
            .narrowed(|view| exec::reshape(view, &[count, size]))?;
        let parts = rows.parts(0)?;
        Ok(DynAxisIterMut { parts, weak, rules })
    }
}
