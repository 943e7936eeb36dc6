//! Functions that give elements to the user. They refuse tracers, which have none.

use std::borrow::Cow;

use crate::array::{Array, Elements};
use crate::dtype::Element;
use crate::error::Error;

/// Checks that an array has elements, for an operation that reads them.
///
/// # Errors
/// `Error::Untraceable` if it is a tracer; `Error::OutsideTrace` if it is a tracer of another trace.
#[inline]
pub(crate) fn require_concrete(operation: &'static str, array: &Array) -> Result<(), Error> {
    #[cfg(feature = "stablehlo")]
    return crate::trace::reads(operation, array);
    #[cfg(not(feature = "stablehlo"))]
    {
        let _ = (operation, array);
        Ok(())
    }
}

/// [`require_concrete`] for operations that return no `Result`: a tracer ends the traced function.
#[inline]
#[track_caller]
pub(crate) fn expect_concrete(operation: &'static str, array: &Array) {
    super::or_panic(require_concrete(operation, array));
}

/// [`Array::get`].
pub(crate) fn get<E: Element>(array: &Array, index: &[usize]) -> Option<E> {
    let element = array.get(index)?;
    expect_concrete("get", array);
    Some(element)
}

/// [`Array::element`], or the error of an index outside the shape.
///
/// # Errors
/// The errors of [`Array::index_error`]; `Error::Untraceable` of a tracer.
#[inline]
pub(crate) fn element<'a, E: Element>(
    operation: &'static str,
    array: &'a Array,
    index: &[usize],
) -> Result<&'a E, Error> {
    if array.has_handle() {
        require_concrete(operation, array)?;
    }
    array
        .element(index)
        .ok_or_else(|| array.index_error(operation, index))
}

/// [`Array::element_mut`].
///
/// # Errors
/// The errors of [`Array::index_error`], [`Error::OutOfMemory`]; `Error::Untraceable` of a tracer. The array is unchanged then.
///
/// # Panics
/// If the dtype is not that of `E`.
#[inline]
pub(crate) fn element_mut<'a, E: Element>(
    operation: &'static str,
    array: &'a mut Array,
    index: &[usize],
) -> Result<&'a mut E, Error> {
    if array.has_handle() {
        require_concrete(operation, array)?;
    }
    array.element_mut(operation, index)
}

/// [`Array::iter`].
///
/// # Panics
/// If the dtype is not that of `E`.
pub(crate) fn iter<E: Element>(array: &Array) -> Elements<'_, E> {
    expect_concrete("iter", array);
    array.iter()
}

/// [`Array::try_to_vec`].
///
/// # Errors
/// [`Error::OutOfMemory`].
///
/// # Panics
/// If the dtype is not that of `E`.
pub(crate) fn to_vec<E: Element>(array: &Array) -> Result<Vec<E>, Error> {
    expect_concrete("to_vec", array);
    array.try_to_vec()
}

/// The bytes of the elements in row-major order.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn to_bytes(array: &Array) -> Result<Vec<u8>, Error> {
    expect_concrete("to_bytes", array);
    let row_major = array.row_major()?;
    Ok(crate::array::alloc::vec_of(
        row_major.as_bytes().unwrap_or_default(),
    )?)
}

/// [`Array::as_mut_slice`].
///
/// # Errors
/// [`Error::OutOfMemory`]; the array is unchanged then.
///
/// # Panics
/// If the dtype is not that of `E`.
pub(crate) fn as_mut_slice<E: Element>(array: &mut Array) -> Result<&mut [E], Error> {
    expect_concrete("as_mut_slice", array);
    array.as_mut_slice()
}

/// `kernel::copied`: the elements in new memory, in row-major order.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[allow(dead_code, reason = "features need it")]
pub(crate) fn copied(array: &Array) -> Result<Array, Error> {
    expect_concrete("copying elements", array);
    crate::kernel::copied(array)
}

/// [`Array::row_major`], to write the elements to a file or to another library.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[allow(dead_code, reason = "features need it")]
pub(crate) fn row_major(array: &Array) -> Result<Cow<'_, Array>, Error> {
    expect_concrete("writing elements", array);
    array.row_major()
}
