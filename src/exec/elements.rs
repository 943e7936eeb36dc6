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

/// `kernel::copied`, for another library that writes the elements.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[cfg(feature = "dlpack")]
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
