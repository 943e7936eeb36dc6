//! Transposed convolutions as matrix products, whose rows are added at their places (*col2im*).
//!
//! A product gives, for each position of the operand, the window over which that position spreads: a row of filters for each element of the
//! window. Each row is added to the position of the result that it falls on. The products are made and added part by part, so that they
//! take a bounded amount of memory. A convolution of the operand with zeros between its elements would also multiply these zeros: with a
//! stride of 2 along two axes, they are in three of four products.
//! (`f32`, `[8, 64, 32, 32]` to 32 channels by 4 x 4, stride 2: 3.9 ms instead of 54; to 3 channels from 16 of 56 x 56: 0.9 instead of 86;
//! stride 1, 32 channels of 28 x 28 by 3 x 3: 0.74 instead of 1.1. Two cores with AVX-512, feature `parallel`.)

use core::ops::Range;
use std::borrow::Cow;

use super::cast::cast;
use super::conv_direct::conv_transpose_direct;
use super::conv_shapes::TransposedShapes;
use super::matmul::matmul;
use super::scatter::{ScatterOp, scatter_to};
use super::windows::SPATIAL;
use crate::array::{Array, ScalarBits};
use crate::dtype::{DType, compute_dtype};
use crate::error::Error;

/// The size that a part of the products, with the targets of their rows, should not exceed, in bytes. A single window may exceed it.
const PART_BYTES: usize = if cfg!(test) { 1 << 10 } else { 8 << 20 };

/// Convolves an operand with filters, transposed. Both are cast to `out`; then products are those of [`matmul`], and their sums are rounded
/// to `out` once.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn conv_transpose(
    x: &Array,
    filters: &Array,
    shapes: &TransposedShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    if x.is_empty() || filters.is_empty() {
        // No sum has a term.
        return ScalarBits::of(out, false).full(&shapes.result);
    }
    if let Some(result) = conv_transpose_direct(x, filters, shapes, out)? {
        return Ok(result);
    }
    let groups = shapes.groups;
    let (examples, channels) = (x.shape()[0], x.shape()[1] / groups);
    let (axes, sizes) = (&x.shape()[SPATIAL..], shapes.windows.sizes);
    let filter_count = filters.shape()[1];
    let count = |sizes: &[usize]| sizes.iter().product::<usize>();
    let (positions, window) = (count(axes), count(sizes));
    let spatial = axes.len();

    let x = cast(Cow::Borrowed(x), out)?;
    let columns = x
        .reshape(&[examples, groups, channels, positions])?
        .permute(&[0, 1, 3, 2])?;
    let grouped = [&[groups, channels, filter_count], sizes].concat();
    let order: Vec<usize> = [0, 1]
        .into_iter()
        .chain(3..3 + spatial)
        .chain([2])
        .collect();
    let filters = cast(Cow::Borrowed(filters), out)?
        .reshape(&grouped)?
        .permute(&order)?
        .reshape(&[groups, channels, window.saturating_mul(filter_count)])?;
    let sum = compute_dtype(out);
    let places = count(&shapes.result[SPATIAL..]);
    // The last row takes what falls beside the result.
    let ends = [examples, groups, places.saturating_add(1), filter_count];
    let mut sums = ScalarBits::of(sum, false).full(&ends)?;
    let all_targets = Targets::new(axes, shapes)?;
    let row_bytes = (examples * groups * filter_count)
        .saturating_mul(sum.size())
        .saturating_add(size_of::<i64>());
    let part = (PART_BYTES / row_bytes.saturating_mul(window)).max(1);
    for start in (0..positions).step_by(part) {
        let end = positions.min(start + part);
        let columns = columns.slice(2, start.cast_signed(), end.cast_signed(), 1)?;
        let rows = (end - start).saturating_mul(window);
        let products =
            matmul(&columns, &filters, sum)?.reshape(&[examples, groups, rows, filter_count])?;
        let targets = all_targets.of(start..end)?;
        sums = scatter_to(ScatterOp::Add, sums, &targets, &products, 2)?;
    }
    let sums = sums
        .slice(2, 0, places.cast_signed(), 1)?
        .permute(&[0, 1, 3, 2])?;
    cast(Cow::Owned(sums), out)?.reshape(&shapes.result)
}

/// The positions of the result on which elements of windows fall. A single spatial axis is the second of two, of which the first has a
/// single position.
struct Targets {
    /// For each axis, its size in the result, and the number of elements of the window.
    sizes: [i64; 2],
    windows: [usize; 2],
    /// For each axis, the position of each element of the window of each of the operand's positions; -1 for those beside the result.
    tables: [Array; 2],
}

impl Targets {
    fn new(axes: &[usize], shapes: &TransposedShapes<'_>) -> Result<Self, Error> {
        let windows = &shapes.windows;
        let last = axes.len() - 1;
        let [first, last] = [last.checked_sub(1), Some(last)];
        let size = |axis: Option<usize>| match axis {
            Some(axis) => to_i64(shapes.result[SPATIAL + axis]),
            None => 1,
        };
        let window = |axis: Option<usize>| axis.map_or(1, |axis| windows.sizes[axis]);
        let table = |axis: Option<usize>| {
            let Some(axis) = axis else {
                return Array::from_positions(&[1], |_| 0_i64);
            };
            let window = windows.sizes[axis];
            let [stride, dilation] = [windows.strides[axis], windows.dilation[axis]].map(to_i64);
            let before = shapes.removed[axis][0];
            Array::from_positions(&[axes[axis], window], |at| {
                let start = to_i64(at / window).saturating_mul(stride);
                let end = start.saturating_add(to_i64(at % window).saturating_mul(dilation));
                let end = end.saturating_sub(i64::try_from(before).unwrap_or(i64::MAX));
                match (0..size(Some(axis))).contains(&end) {
                    true => end,
                    false => -1,
                }
            })
        };
        Ok(Self {
            sizes: [size(first), size(last)],
            windows: [window(first), window(last)],
            tables: [table(first)?, table(last)?],
        })
    }

    /// Returns, for some of the operand's positions and each element of their windows, the position of the result on which it falls, in
    /// row-major order. It is one past the last position for those that fall outside the result.
    fn of(&self, positions: Range<usize>) -> Result<Array, Error> {
        let [rows, columns] = [&self.tables[0], &self.tables[1]]
            .map(|table| table.as_slice::<i64>().unwrap_or_default());
        let [height, width] = self.windows;
        let length = columns.len() / width;
        let [_, row] = self.sizes;
        let beside = self.sizes[0] * row;
        let len = positions.len().saturating_mul(height).saturating_mul(width);
        let mut targets = ScalarBits::new(beside).full(&[1, 1, len, 1])?;
        let mut slots = targets.as_mut_slice::<i64>()?.iter_mut();
        for position in positions {
            let (y, x) = (position / length, position % length);
            let columns = &columns[x * width..][..width];
            for y in &rows[y * height..][..height] {
                for (x, slot) in columns.iter().zip(&mut slots) {
                    if *y >= 0 && *x >= 0 {
                        *slot = y * row + x;
                    }
                }
            }
        }
        Ok(targets)
    }
}

fn to_i64(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
