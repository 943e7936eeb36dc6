//! Reductions of views whose kept axes lie in memory in another order than in the shape, such as permuted ones.
//!
//! The loops reduce groups that lie side by side in memory. If the axes are permuted, groups that follow one another in the result lie
//! far apart, and their elements are gathered one by one. So the groups are reduced in the order of memory, and their results, which
//! are fewer than the elements, are copied to their places.

use super::plan::{AxisSplit, is_columnwise};
use crate::array::{Array, sort_by_stride};
use crate::error::Error;
use crate::kernel::cast::copied;

/// Arrays of fewer elements are reduced as they are: to reorder their axes takes longer.
const MIN_LEN: usize = 1 << 10;

/// Reduces an array along axes by a function that gets it with the kept axes in the order of memory, then the reduced ones, and the
/// numbers of the latter. It must reduce without keeping these. Each group has the same elements in the same order as before, so the
/// results are the same. `None` if the kept axes are in order, if the elements of a group lie closer together than the groups, or
/// if an axis does not exist.
pub(in crate::kernel) fn in_memory_order(
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    reduce: impl FnOnce(&Array, &[usize]) -> Result<Array, Error>,
) -> Option<Result<Array, Error>> {
    let rank = x.rank();
    if x.len() < MIN_LEN || axes.len() + 2 > rank || axes.iter().any(|axis| *axis >= rank) {
        return None;
    }
    let split = AxisSplit::of_existing(x.dims(), axes, keep_dims);
    // Nothing is read along an axis of size one, so its stride says nothing of the order.
    let (mut order, walked): (Vec<_>, Vec<_>) = split
        .kept_axes
        .iter()
        .partition(|axis| x.shape()[**axis] == 1);
    let mut sorted = walked.clone();
    sort_by_stride(&mut sorted, x.strides());
    if sorted == walked || !is_columnwise(x.dims(), x.strides(), &split, axes, 0) {
        return None;
    }
    order.extend(sorted);
    Some(reduced_in(&order, x, axes, &split, reduce))
}

/// Reduces an array with its kept axes in this order, and copies the results to row-major order.
///
/// # Errors
/// Those of the function; [`Error::OutOfMemory`].
fn reduced_in(
    order: &[usize],
    x: &Array,
    axes: &[usize],
    split: &AxisSplit,
    reduce: impl FnOnce(&Array, &[usize]) -> Result<Array, Error>,
) -> Result<Array, Error> {
    let last: Vec<usize> = (order.len()..x.rank()).collect();
    let results = reduce(&x.permute(&[order, axes].concat())?, &last)?;
    let mut back = vec![0; order.len()];
    for (to, axis) in back.iter_mut().zip(split.kept_axes.iter()) {
        *to = order
            .iter()
            .position(|kept| kept == axis)
            .unwrap_or_default();
    }
    copied(&results.permute(&back)?)?.reshape(&split.result)
}
