//! Operations that depend on the order of elements, scatters and counts.

use super::require_concrete;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::{self, ScatterOp, SearchSide, SortOrder};

/// Sorts the elements along an axis. Equal elements keep their order.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn sort(x: &Array, axis: usize, order: SortOrder) -> Result<Array, Error> {
    record_if_traced!([x] => sort(x, axis, order));
    kernel::sort(x, axis, order)
}

/// Returns the positions along an axis of the first `count` elements in sorted order.
///
/// # Errors
/// The errors of [`sort`]; [`Error::CountOutOfRange`] if the axis has fewer.
#[inline]
pub(crate) fn argsort(
    operation: &'static str,
    x: &Array,
    axis: usize,
    order: SortOrder,
    count: usize,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x] => argsort(operation, x, axis, order, count, out));
    kernel::argsort(operation, x, axis, order, count, out)
}

/// Sorts along an axis in ascending order, and returns the elements at some positions, in the order of the positions. The axis is removed.
/// All elements of a row are NaN if any element of it is. The positions are in ascending order, each once, at least one of
/// them, and below the size of the axis.
///
/// # Errors
/// The errors of [`sort`].
#[inline]
pub(crate) fn order_statistics(
    operation: &'static str,
    x: &Array,
    axis: usize,
    positions: &[usize],
) -> Result<Vec<Array>, Error> {
    record_if_traced!([x] => order_statistics(operation, x, axis, positions));
    kernel::order_statistics(operation, x, axis, positions)
}

/// Returns where an element equals one of the values, which have its dtype, by a table. `None` of tracers, and of dtypes of more than 16
/// bits.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[inline]
pub(crate) fn is_in_table(x: &Array, values: &Array) -> Result<Option<Array>, Error> {
    #[cfg(feature = "stablehlo")]
    if super::IsTraced::is_traced(&x) || super::IsTraced::is_traced(&values) {
        return Ok(None);
    }
    kernel::is_in_table(x, values)
}

/// Returns, for each value, the number of sorted elements that are smaller, or of the right side not greater.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::DTypeMismatch`]; [`Error::RankMismatch`] if the sorted elements are
/// no vector; [`Error::OutOfMemory`].
#[inline]
pub(crate) fn searchsorted(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([sorted, values] => searchsorted(sorted, values, side, out));
    kernel::searchsorted(sorted, values, side, out)
}

/// Returns, for each value, the number of elements in the sorted row of the same position that are smaller, or of the right side not greater.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::DTypeMismatch`]; [`Error::RankMismatch`] of rank 0,
/// [`Error::ShapeMismatch`] if the sizes before the last axis differ; [`Error::OutOfMemory`].
#[inline]
pub(crate) fn searchsorted_rows(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([sorted, values] => searchsorted_rows(sorted, values, side, out));
    kernel::searchsorted_rows(sorted, values, side, out)
}

/// Returns the distinct elements in ascending order. Their number depends on the elements, so it refuses tracers.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_values(x: &Array) -> Result<Array, Error> {
    require_concrete("unique", x)?;
    kernel::unique_values(x)
}

/// Returns the distinct elements and how often each one occurs. It refuses tracers, as [`unique_values`] does.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_counts(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    require_concrete("unique_counts", x)?;
    kernel::unique_counts(x, out)
}

/// Returns the distinct elements and the position at which each one occurs first. It refuses tracers, as [`unique_values`] does.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_index(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    require_concrete("unique_index", x)?;
    kernel::unique_index(x, out)
}

/// Returns the distinct elements and the position of each element among them. It refuses tracers, as [`unique_values`] does.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_inverse(x: &Array, out: DType) -> Result<[Array; 2], Error> {
    require_concrete("unique_inverse", x)?;
    kernel::unique_inverse(x, out)
}

/// Counts how often each integer occurs in a vector. The size of the result depends on the elements, so tracers are
/// refused.
///
/// # Errors
/// [`Error::NotIndices`], [`Error::RankMismatch`], [`Error::NegativeNumber`]; [`Error::ShapeTooLarge`],
/// [`Error::OutOfMemory`].
pub(crate) fn bincount(
    operation: &'static str,
    x: &Array,
    min_len: usize,
    out: DType,
) -> Result<Array, Error> {
    require_concrete(operation, x)?;
    kernel::bincount(operation, x, min_len, out)
}

/// Counts the elements in bins of equal width between two bounds.
///
/// # Errors
/// [`Error::Histogram`], [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
#[inline]
pub(crate) fn histogram(
    x: &Array,
    bins: usize,
    bounds: [f64; 2],
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x] => histogram(x, bins, bounds, out));
    kernel::histogram(x, bins, bounds, out)
}

/// Checks that edges of `f64` ascend. Of traced ones nothing is known.
///
/// # Errors
/// [`Error::EdgesNotAscending`].
pub(crate) fn check_edges(operation: &'static str, edges: &Array) -> Result<(), Error> {
    match edges.has_handle() {
        true => Ok(()),
        false => kernel::check_edges(operation, edges),
    }
}

/// Returns a vector for each element: a one at the position of the element's number, and zeros elsewhere.
///
/// # Errors
/// [`Error::NotIndices`], [`Error::IndexOutOfRange`], [`Error::RankTooLarge`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn one_hot(x: &Array, classes: usize, to: DType) -> Result<Array, Error> {
    record_if_traced!([x] => one_hot(x, classes, to));
    kernel::one_hot(x, classes, to)
}

/// Writes updates to a copy of `x`, or adds them, at the positions whose index along an axis is the one in `indices` there.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::DTypeMismatch`], [`Error::ShapeMismatch`],
/// [`Error::IndexOutOfRange`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Array, Error> {
    record_if_traced!([x, indices, updates] => scatter(op, x, indices, updates, axis));
    kernel::scatter(op, x, indices, updates, axis)
}
