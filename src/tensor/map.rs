//! Functions of the user, applied to each element.

use super::{Tensor, or_panic};
use crate::array::Array;
use crate::dtype::{Element, StaticDType};
use crate::error::Error;
use crate::exec::{self, PartMut};
use crate::rank::Rank;
use crate::rules::Rules;

/// # Functions of your own
///
/// [`fuse!`](crate::fuse!) computes formulas faster than these, and in the dtypes that the rules give.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Applies a function to each element, in row-major order. The function's result determines the dtype.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`]; in a trace.
    ///
    /// ```
    /// use supremum::{Bool, F32, Rank1, Tensor, tensor};
    /// let t: Tensor<F32, Rank1> = tensor![0.25, 4.0];
    /// let roots: Tensor<F32, Rank1> = t.map(f32::sqrt);
    /// let is_large: Tensor<Bool, Rank1> = t.map(|x| x > 1.0);
    /// assert_eq!((roots.to_vec(), is_large.to_vec()), (vec![0.5, 2.0], vec![false, true]));
    /// ```
    #[must_use]
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the function is one of other elements.
    pub fn map<E: Element>(&self, f: impl FnMut(D::Element) -> E) // elements by value: `f32::cbrt` of `F32`, whatever `help` says
        -> Tensor<E::Marker, N, R>
    where
        D: StaticDType, // here, so that a call without the bound gets the message of `StaticDType`
    {
        exec::expect_concrete("map", self.array());
        Tensor::from_array(or_panic(mapped(self.array(), f)))
    }

    /// Replaces each element by a function of it, in row-major order. The elements are copied first if another tensor shares them.
    ///
    /// # Panics
    /// As [`Self::as_mut_slice`].
    ///
    /// ```
    /// use supremum::{I32, Rank1, Tensor, tensor};
    /// let mut t: Tensor<I32, Rank1> = tensor![1, -2];
    /// t.map_inplace(|x| x.pow(2));
    /// assert_eq!(t.to_vec(), [1, 4]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn map_inplace(&mut self, mut f: impl FnMut(D::Element) -> D::Element) // `f32::cbrt` of `F32`, whatever `help` says
    where
        D: StaticDType,
    {
        for x in self.as_mut_slice() {
            *x = f(*x);
        }
    }

    /// Calls a function with each element, for writing, and the element of another tensor at the same index. The other tensor
    /// broadcasts to the shape of this one.
    ///
    /// # Panics
    /// With the text of [`Self::try_zip_mut_with`]'s error.
    ///
    /// ```
    /// use supremum::{Bool, I32, Rank1, Rank2, Tensor, tensor};
    /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    /// let negate: Tensor<Bool, Rank1> = tensor![false, true];
    /// t.zip_mut_with(&negate, |x, negate| if negate { *x = -*x });
    /// assert_eq!(t.to_vec(), [1, -2, 3, -4]);
    /// ```
    #[track_caller]
    pub fn zip_mut_with<B: StaticDType, M: Rank, S: Rules>(
        &mut self,
        other: &Tensor<B, M, S>,
        f: impl FnMut(&mut D::Element, B::Element),
    ) where
        D: StaticDType,
    {
        or_panic(self.try_zip_mut_with(other, f));
    }

    /// [`Self::zip_mut_with`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the other tensor does not broadcast to the shape of this one; [`Error::OutOfMemory`]. The tensor
    /// is unchanged then.
    pub fn try_zip_mut_with<B: StaticDType, M: Rank, S: Rules>(
        &mut self,
        other: &Tensor<B, M, S>,
        f: impl FnMut(&mut D::Element, B::Element),
    ) -> Result<(), Error>
    where
        D: StaticDType,
    {
        zip_mut_with(self.array_mut(), other.array(), f)
    }
}

/// Applies a function to each element, in row-major order.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn mapped<A: Element, B: Element>(
    x: &Array,
    mut f: impl FnMut(A) -> B,
) -> Result<Array, Error> {
    // Two loops: that over a slice vectorises.
    match x.as_slice::<A>() {
        Some(elements) => Array::collected(x.shape(), elements.iter().map(|x| f(*x))),
        None => Array::collected(x.shape(), exec::iter(x).map(f)),
    }
}

/// Replaces each element of a part by a function of it, in row-major order.
///
/// # Errors
/// [`Error::OutOfMemory`] if the part is not contiguous and there is no memory for a copy of it; `Error::Untraceable` of a tracer.
pub(crate) fn replace_each<E: Element>(
    part: &mut PartMut<'_>,
    mut f: impl FnMut(E) -> E,
) -> Result<(), Error> {
    let elements = part.elements().and_then(|view| view.as_mut_slice::<E>());
    if let Some(elements) = elements {
        for x in elements {
            *x = f(*x);
        }
        return Ok(());
    }
    exec::require_concrete("map_inplace", part.as_array())?;
    let replaced = mapped(part.as_array(), f)?;
    part.assign("map_inplace", &replaced)
}

/// Calls a function with each element of `x` and the element of `other` at the same index.
///
/// # Errors
/// As [`Tensor::try_zip_mut_with`].
pub(crate) fn zip_mut_with<A: Element, B: Element>(
    x: &mut Array,
    other: &Array,
    f: impl FnMut(&mut A, B),
) -> Result<(), Error> {
    exec::require_concrete("zip_mut_with", x)?;
    let other = zipped(other, x.shape())?;
    zip_slice_with(exec::as_mut_slice(x)?, &other, f);
    Ok(())
}

/// [`zip_mut_with`] of a view.
///
/// # Errors
/// As [`Tensor::try_zip_mut_with`].
pub(crate) fn zip_part_with<A: Element, B: Element>(
    part: &mut PartMut<'_>,
    other: &Array,
    f: impl FnMut(&mut A, B),
) -> Result<(), Error> {
    exec::require_concrete("zip_mut_with", part.as_array())?;
    let other = zipped(other, part.dims())?;
    let elements = part.elements().and_then(|view| view.as_mut_slice::<A>());
    if let Some(elements) = elements {
        zip_slice_with(elements, &other, f);
        return Ok(());
    }
    let mut changed = part.copied()?;
    zip_slice_with(exec::as_mut_slice(&mut changed)?, &other, f);
    part.assign("zip_mut_with", &changed)
}

/// The other operand of [`zip_mut_with`], broadcast to a shape.
fn zipped(other: &Array, shape: &[usize]) -> Result<Array, Error> {
    exec::require_concrete("zip_mut_with", other)?;
    exec::broadcast_to(other, shape).map_err(|_| Error::ShapeMismatch {
        operation: "zip_mut_with",
        lhs: shape.to_vec(),
        rhs: other.shape().to_vec(),
    })
}

/// Calls a function with each element of a slice and each element of an array of as many, in row-major order.
fn zip_slice_with<A: Element, B: Element>(
    elements: &mut [A],
    other: &Array,
    mut f: impl FnMut(&mut A, B),
) {
    // Two loops: that over slices vectorises.
    match other.as_slice::<B>() {
        Some(others) => elements.iter_mut().zip(others).for_each(|(x, y)| f(x, *y)),
        None => exec::iter(other).zip(elements).for_each(|(y, x)| f(x, y)),
    }
}
