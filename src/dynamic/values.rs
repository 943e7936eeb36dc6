//! Reading, printing and comparing elements.

use core::fmt;

use super::DynTensor;
use crate::dtype::{StaticDType, dispatch_dtype};
use crate::error::{Error, named};
use crate::exec;
use crate::literals::Scalar;
use crate::tensor::{Tensor, display, equality};

/// # Elements
impl DynTensor {
    /// Returns the element at an index (one number for each dimension) without rounding; `None` outside the shape.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, Scalar};
    /// let t = DynTensor::arange(DType::F16, 0.0, 1.0, 0.25)?;
    /// assert_eq!(t.get(&[3]), Some(Scalar::Float(0.75)));
    /// assert_eq!(t.get(&[4]), None);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has other arguments.
    pub fn get(&self, index: &[usize]) -> Option<Scalar> { // an array: `t.get(&[0, 1])`, whatever `help` says
        Scalar::at(&self.array, index)
    }

    /// Returns the only element without rounding.
    ///
    /// # Errors
    /// [`Error::NotOneElement`] if the tensor has no element or more than one.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn item(&self) -> Result<Scalar, Error> { // an element at an index: `t.get(&[0, 1])`, not as `help` says
        exec::require_concrete("item", &self.array)?;
        let index = vec![0; self.ndim()];
        let only = self.get(&index).filter(|_| self.len() == 1);
        only.ok_or_else(|| Error::NotOneElement {
            shape: self.shape().into(),
        })
    }

    /// Checks the dtype; `D` may be weak or strong.
    pub(super) fn expect<D: StaticDType>(&self, operation: &'static str) -> Result<(), Error> {
        if self.dtype() == D::DTYPE {
            return Ok(());
        }
        Err(Error::DTypeMismatch {
            operation,
            expected: D::DTYPE,
            found: self.dtype(),
        })
    }

    /// Copies the elements in row-major order.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if `D` is not the dtype; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, F32, I32};
    /// let t = DynTensor::ones(DType::I32, [2])?;
    /// assert_eq!(t.to_vec::<I32>()?, [1, 1]);
    /// assert_eq!(t.to_vec::<F32>().unwrap_err().to_string(), "to_vec: expected f32, found i32");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_vec<D: StaticDType>(&self) -> Result<Vec<D::Element>, Error> {
        self.expect::<D>("to_vec")?;
        exec::require_concrete("to_vec", &self.array)?;
        exec::to_vec(&self.array)
    }

    /// [`Self::to_vec`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::to_vec`].
    pub fn try_to_vec<D: StaticDType>(&self) -> Result<Vec<D::Element>, Error> {
        self.to_vec::<D>()
    }

    /// Iterates over the elements in row-major order.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if `D` is not the dtype.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where the dtype is not known.
    pub fn iter<D: StaticDType>( // `d.iter::<F32>()?`, not as `help` says
        &self,
    ) -> Result<impl Iterator<Item = D::Element> + '_, Error> {
        self.expect::<D>("iter")?;
        exec::require_concrete("iter", &self.array)?;
        Ok(exec::iter(&self.array))
    }

    /// Borrows the elements, if they lie in memory in row-major order without gaps.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if `D` is not the dtype.
    pub fn as_slice<D: StaticDType>(&self) -> Result<Option<&[D::Element]>, Error> {
        self.expect::<D>("as_slice")?;
        Ok(self.array.as_slice())
    }

    /// Borrows the elements for writing, in row-major order; copies them first if the storage is shared or not contiguous.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if `D` is not the dtype; [`Error::OutOfMemory`] without memory for the copy. The tensor is unchanged then.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, I32};
    /// let original = DynTensor::zeros(DType::I32, [3])?;
    /// let mut copy = original.clone();
    /// copy.as_mut_slice::<I32>()?[1] = 7;
    /// assert_eq!((original.to_vec::<I32>()?, copy.to_vec::<I32>()?), (vec![0, 0, 0], vec![0, 7, 0]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn as_mut_slice<D: StaticDType>(&mut self) -> Result<&mut [D::Element], Error> {
        self.elements_mut::<D>("as_mut_slice")
    }

    /// [`Self::as_mut_slice`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::as_mut_slice`].
    pub fn try_as_mut_slice<D: StaticDType>(&mut self) -> Result<&mut [D::Element], Error> {
        self.as_mut_slice::<D>()
    }

    /// Iterates over the elements in row-major order, for writing; copies them first as [`Self::as_mut_slice`] does.
    ///
    /// # Errors
    /// The errors of [`Self::as_mut_slice`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, U8};
    /// let mut t = DynTensor::zeros(DType::U8, [2])?;
    /// t.iter_mut::<U8>()?.zip(1..).for_each(|(x, n)| *x = n);
    /// assert_eq!(t.to_string(), "[1, 2] u8 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn iter_mut<D: StaticDType>(
        &mut self,
    ) -> Result<core::slice::IterMut<'_, D::Element>, Error> {
        Ok(self.elements_mut::<D>("iter_mut")?.iter_mut())
    }

    fn elements_mut<D: StaticDType>(
        &mut self,
        operation: &'static str,
    ) -> Result<&mut [D::Element], Error> {
        self.expect::<D>(operation)?;
        exec::require_concrete(operation, &self.array)?;
        named(operation, exec::as_mut_slice(&mut self.array))
    }

    /// Returns whether shapes are equal and elements equal or close; see [`Tensor::approx_eq`](crate::Tensor::approx_eq).
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the dtypes differ.
    pub fn approx_eq(&self, other: &Self, relative: f64, absolute: f64) -> Result<bool, Error> {
        if self.dtype() != other.dtype() {
            return Err(Error::DTypeMismatch {
                operation: "approx_eq",
                expected: self.dtype(),
                found: other.dtype(),
            });
        }
        let (lhs, rhs) = (&self.array, &other.array);
        for array in [lhs, rhs] {
            exec::require_concrete("approx_eq", array)?;
        }
        Ok(
            dispatch_dtype!(self.dtype(), D => equality::are_close::<D>(lhs, rhs, relative, absolute)),
        )
    }
}

/// The right sides that `==` compares with a dynamic tensor: dynamic tensors.
#[diagnostic::on_unimplemented(
    message = "operators compare whole tensors, and `{Self}` is not a `DynTensor`",
    label = "does not compare with `{Self}`",
    note = "for an answer of each element compare by a method: `d.equal(1)`, `d.lt(1)`, `d.gt(&e)`",
    note = "for one answer compare two of a kind: a typed tensor converts by `.into_dyn()`; a tensor of one element has its number as in `d.item()?.as_f64() == Some(1.0)`; any tensor has its elements by `d.to_vec::<F32>()?`; for `?` write `.unwrap()` where the function returns no `Result`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait WholeDynTensor: Equals {}

// By another trait, because rustc would list the impl for `DynTensor` as the only one.
#[diagnostic::do_not_recommend]
impl<T: Equals> WholeDynTensor for T {}

/// The comparison of [`WholeDynTensor`].
#[cfg_attr(doc, doc(hidden))]
pub trait Equals {
    /// Returns whether dtypes, weakness, shapes and all elements are equal.
    fn equals(&self, other: &DynTensor) -> bool;
}

impl Equals for DynTensor {
    fn equals(&self, other: &DynTensor) -> bool {
        let (lhs, rhs) = (&other.array, &self.array);
        (other.dtype(), other.weak) == (self.dtype(), self.weak)
            && dispatch_dtype!(self.dtype(), D => equality::are_equal::<D>(lhs, rhs))
    }
}

/// Compares dtypes, weakness, shapes and all elements (NaN equals nothing). The rules are not compared. For an
/// answer by element use [`DynTensor::try_equal`].
// The right side is generic for the message of its bound. `PartialOrd` has no such impl: its methods of references would hide `d.gt(0)` of
// a `d: &mut DynTensor` or `&&DynTensor`. For `d > 0` rustc quotes the definition of the type, with the comment on its line.
impl<Rhs: WholeDynTensor> PartialEq<Rhs> for DynTensor {
    fn eq(&self, other: &Rhs) -> bool {
        other.equals(self)
    }
}

/// References beside literals and typed tensors: impls that exist for the message of their bound, which never holds.
macro_rules! references {
    ($([$($generics:tt)*] $right:ty,)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> PartialEq<$right> for &DynTensor
        where
            for<'a> $right: WholeDynTensor,
        {
            fn eq(&self, _: &$right) -> bool {
                unreachable!("the bound never holds")
            }
        }
    )*};
}

references! { [] f64, [] i64, [] bool, [D, N, R] Tensor<D, N, R>, }

/// Prints as [`Tensor`](crate::Tensor) does: the aligned elements, then the dtype (with a star if weak) and the shape.
impl fmt::Display for DynTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display::write(f, &self.array, self.weak)
    }
}

/// Prints the same as `Display`.
impl fmt::Debug for DynTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
