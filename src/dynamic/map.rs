//! Functions of the user, applied to each element.

use super::{DynTensor, DynTensorViewMut};
use crate::dtype::Element;
use crate::error::Error;
use crate::exec;
use crate::tensor::map::{mapped, replace_each, zip_mut_with, zip_part_with};

/// # Functions of your own
///
/// The type of the function's argument states the dtype: `|x: f32|`. For code that runs for every dtype use
/// [`dispatch!`](crate::dispatch).
impl DynTensor {
    /// Applies a function to each element, in row-major order. The function's result determines the dtype; the result is strong.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the function takes elements of another dtype; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{Error, F32, tensor};
    /// let t = tensor![F32; 0.25, 4.0].into_dyn();
    /// assert_eq!(t.map(f32::sqrt)?.to_string(), "[0.5, 2.0] f32 [2]");
    /// assert_eq!(t.map(|x: f32| x > 1.0)?.to_string(), "[false,  true] bool [2]");
    /// assert_eq!(t.map(|x: i32| x).unwrap_err().to_string(), "map: expected i32, found f32");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map<E: Element, Out: Element>(&self, f: impl FnMut(E) -> Out) -> Result<Self, Error> {
        self.expect::<E::Marker>("map")?;
        exec::require_concrete("map", self.array())?;
        mapped(self.array(), f).map(|array| Self::from_array(array, false, self.rules))
    }

    /// Replaces each element by a function of it, in row-major order. The elements are copied first if another tensor shares them.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the function takes elements of another dtype; [`Error::OutOfMemory`]. The tensor is unchanged then.
    ///
    /// ```
    /// use supremum::{Error, I32, tensor};
    /// let mut t = tensor![I32; 1, -2].into_dyn();
    /// t.map_inplace(|x: i32| x.pow(2))?;
    /// assert_eq!(t.to_string(), "[1, 4] i32 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map_inplace<E: Element>(&mut self, mut f: impl FnMut(E) -> E) -> Result<(), Error> {
        self.expect::<E::Marker>("map_inplace")?;
        exec::require_concrete("map_inplace", self.array())?;
        for x in exec::as_mut_slice(&mut self.array)? {
            *x = f(*x);
        }
        Ok(())
    }

    /// Calls a function with each element, for writing, and the element of another tensor at the same index. The other tensor
    /// broadcasts to the shape of this one.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the function takes elements of other dtypes; [`Error::ShapeMismatch`] if the other tensor does not
    /// broadcast to the shape of this one; [`Error::OutOfMemory`]. The tensor is unchanged then.
    ///
    /// ```
    /// use supremum::{Bool, Error, I32, tensor};
    /// let mut t = tensor![I32; [1, 2], [3, 4]].into_dyn();
    /// let negate = tensor![Bool; false, true].into_dyn();
    /// t.zip_mut_with(&negate, |x: &mut i32, negate: bool| if negate { *x = -*x })?;
    /// assert_eq!(t.to_vec::<I32>()?, [1, -2, 3, -4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zip_mut_with<A: Element, B: Element>(
        &mut self,
        other: &Self,
        f: impl FnMut(&mut A, B),
    ) -> Result<(), Error> {
        self.expect::<A::Marker>("zip_mut_with")?;
        other.expect::<B::Marker>("zip_mut_with")?;
        zip_mut_with(&mut self.array, &other.array, f)
    }

    /// [`Self::zip_mut_with`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::zip_mut_with`].
    pub fn try_zip_mut_with<A: Element, B: Element>(
        &mut self,
        other: &Self,
        f: impl FnMut(&mut A, B),
    ) -> Result<(), Error> {
        self.zip_mut_with(other, f)
    }
}

/// # Functions of your own
impl DynTensorViewMut<'_> {
    /// Replaces each element of the part by a function of it, in row-major order.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the function takes elements of another dtype; [`Error::OutOfMemory`] if the part is not contiguous
    /// and there is no memory for a copy of it. The part is unchanged then.
    ///
    /// ```
    /// use supremum::{Error, I32, s, tensor};
    /// let mut t = tensor![I32; [1, 2, 3], [4, 5, 6]].into_dyn();
    /// t.slice_axes_mut(s![.., ..;2]).map_inplace(|x: i32| -x)?;
    /// assert_eq!(t.to_vec::<I32>()?, [-1, 2, -3, -4, 5, -6]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map_inplace<E: Element>(&mut self, f: impl FnMut(E) -> E) -> Result<(), Error> {
        self.expect::<E>("map_inplace")?;
        replace_each(&mut self.part, f)
    }

    /// Calls a function with each element of the part, for writing, and the element of another tensor at the same index. The other
    /// tensor broadcasts to the shape of the part.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the function takes elements of other dtypes; [`Error::ShapeMismatch`] if the other tensor does not
    /// broadcast to the shape of the part; [`Error::OutOfMemory`] if the part is not contiguous and there is no memory for a copy of it.
    /// The part is unchanged then.
    ///
    /// ```
    /// use supremum::{Bool, Error, I32, tensor};
    /// let mut t = tensor![I32; [1, 2], [3, 4]].into_dyn();
    /// let negate = tensor![Bool; false, true].into_dyn();
    /// t.index_axis_mut(1, 0).zip_mut_with(&negate, |x: &mut i32, negate: bool| if negate { *x = -*x })?;
    /// assert_eq!(t.to_vec::<I32>()?, [1, 2, -3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn zip_mut_with<A: Element, B: Element>(
        &mut self,
        other: &DynTensor,
        f: impl FnMut(&mut A, B),
    ) -> Result<(), Error> {
        self.expect::<A>("zip_mut_with")?;
        other.expect::<B::Marker>("zip_mut_with")?;
        zip_part_with(&mut self.part, other.array(), f)
    }

    /// [`Self::zip_mut_with`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::zip_mut_with`].
    pub fn try_zip_mut_with<A: Element, B: Element>(
        &mut self,
        other: &DynTensor,
        f: impl FnMut(&mut A, B),
    ) -> Result<(), Error> {
        self.zip_mut_with(other, f)
    }

    /// Checks that the elements have a type.
    fn expect<E: Element>(&self, operation: &'static str) -> Result<(), Error> {
        match self.dtype() == E::DTYPE {
            true => Ok(()),
            false => Err(Error::DTypeMismatch {
                operation,
                expected: E::DTYPE,
                found: self.dtype(),
            }),
        }
    }
}
