//! Reductions of rows whose elements are computed before they are combined.
//!
//! The loop along rows is called once for each row that is shorter than a pack or ends with a part of one. That takes about 8 ns for a row
//! shorter than a pack, as long as 70 elements of a sum of squares, and 36 ns for the others. So the loop across rows computes the expression
//! for many rows at a time. It takes their elements as one row, which it combines with no other. Then the library combines the elements of each
//! row (`accumulate/`). (Sums of squares of 512 rows of 8 `f32` on an Intel Xeon with AVX-512: 1.36 us, 4.24 before.)
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::reader::{AT_MOST, OperandReader, TOGETHER};
use super::small::deviate;
use super::traversal::Operands;
use super::{ALL_AXES, ReduceLoop, divide};
use crate::array::{AllocError, Array, Dims, Uninit};
use crate::dtype::DType;
use crate::kernel::accumulate::{Accumulator, Element as AnyElement};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::kernel::fused::LoopRows;
use crate::kernel::fused::call_site::Code;
use crate::kernel::fused::inputs::Pointers;
use crate::simd::LANES;

/// The longest rows that are computed before they are combined, if they end with a part of a pack.
const LONGEST_WITH_PART: usize = 96;

/// Room for elements of any dtype that are computed at a time.
#[repr(C, align(64))]
struct Room([MaybeUninit<AnyElement>; AT_MOST]);

impl Room {
    const UNINIT: Self = Self([const { MaybeUninit::uninit() }; AT_MOST]);

    fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Rows of the same number of elements, which are computed before they are combined.
pub(super) struct ComputedRows<'a> {
    reduction: &'a ReduceLoop<'a>,
    accumulator: &'a Accumulator,
    /// Computes elements.
    code: Code,
    count: usize,
    depth: usize,
}

impl ComputedRows<'_> {
    /// Combines the elements of each row of a range. Calls `inputs` with the position of elements and their number, for addresses of the
    /// operands, and `results` with the number of a row, the number of rows from there on, and a combined element of each.
    ///
    /// # Safety
    /// The elements can be read at the addresses, up to the next call. They are at most [`AT_MOST`]. `ReduceLoop::means` has room for an
    /// element of each row.
    pub(super) unsafe fn fold(
        &self,
        range: Range<usize>,
        inputs: &mut dyn FnMut(usize, usize) -> Pointers,
        results: &mut dyn FnMut(usize, usize, *mut u8),
    ) {
        let (reduction, depth) = (self.reduction, self.depth);
        let dtype = reduction.of.dtype;
        let size = dtype.size();
        let [mut elements, mut folded] = [Room::UNINIT; 2];
        let (elements, folded) = (elements.pointer(), folded.pointer());
        // The loop computes at least a pack: of rows that are too few, together with others.
        let at_least = LANES.div_ceil(depth);
        let mut row = range.start;
        while row < range.end {
            let rows = (TOGETHER / depth).min(range.end - row);
            let first = row.min(self.count - at_least);
            let computed = (row + rows - first).max(at_least);
            let inputs = inputs(first * depth, computed * depth);
            let loop_rows = LoopRows::single(&inputs, elements, computed * depth);
            // SAFETY: the code is for the SIMD level in use. There are `count` rows, and those from `first` on, of at least a pack of elements,
            // are among them: at most `TOGETHER` elements, or fewer than a row more than a pack. The caller guarantees that they can be read.
            // `elements` has room for them, and `folded` for an element of each row.
            unsafe {
                (self.code)(reduction.values.expression.get(), &loop_rows);
                self.combine(elements, computed, folded);
                let own = folded.add((row - first) * size);
                if reduction.deviations.is_some() {
                    divide(dtype, folded, computed, depth);
                    if let Some(means) = reduction.means {
                        let to = means.get().add(row * size);
                        to.copy_from_nonoverlapping(own, rows * size);
                    }
                    deviate(dtype, elements, folded, (computed, depth));
                    self.combine(elements, computed, folded);
                }
                results(row, rows, own);
            }
            row += rows;
        }
    }

    /// Combines the elements of each of `count` rows that follow one another.
    ///
    /// # Safety
    /// The elements can be read, and one of each row can be written to `to`.
    unsafe fn combine(&self, elements: *const u8, count: usize, to: *mut u8) {
        let (accumulator, depth) = (self.accumulator, self.depth);
        let size = self.reduction.of.dtype.size();
        // SAFETY: the caller guarantees the rows, and room for their results.
        unsafe {
            if accumulator.has_short_rows(depth) {
                return accumulator.fold_short_rows(elements, depth, count, to);
            }
            for row in 0..count {
                let elements = elements.add(row * depth * size);
                accumulator.fold(elements, size, depth, to.add(row * size));
            }
        }
    }

    /// Calls a function with parts of the rows, on several threads if they are long enough.
    pub(super) fn split(
        &self,
        run: impl Fn(Range<usize>) -> Result<(), AllocError> + Sync,
    ) -> Result<(), AllocError> {
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost / self.depth;
        try_split(self.count, 1, min_len, run)
    }
}

impl ReduceLoop<'_> {
    /// Returns the rows, if their elements can be computed before they are combined.
    pub(super) fn computed_rows(&self, count: usize, depth: usize) -> Option<ComputedRows<'_>> {
        let fit = depth <= TOGETHER && count * depth >= LANES;
        Some(ComputedRows {
            reduction: self,
            accumulator: self.accumulator()?,
            code: self.values.columns.filter(|_| fit)?,
            count,
            depth,
        })
    }

    /// Returns whether rows of `depth` elements, which the loop along rows can read, take less time if they are computed before they are combined.
    pub(super) fn prefers_computed_rows(&self, depth: usize) -> bool {
        depth < LANES || depth < LONGEST_WITH_PART && !depth.is_multiple_of(LANES)
    }

    /// Reduces along the last axes, as [`Self::reduce`]. `None` if the elements should not be computed before they are combined, if other
    /// axes are reduced, or without memory.
    #[inline(never)]
    pub(super) fn reduce_computed_rows(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<Array> {
        let (kept, rows) = self.last_axes_as_computed_rows(shape, axes)?;
        let (count, depth) = (rows.count, rows.depth);
        let mut buffer = Uninit::new(count * out.size()).ok()?;
        let to = SendPtr::new(buffer.as_mut_ptr());
        let run = |range: Range<usize>, inputs: &mut dyn FnMut(usize, usize) -> Pointers| {
            let mut finish = |row: usize, rows: usize, folded: *mut u8| {
                // SAFETY: `folded` are combined elements of as many rows, and `buffer` has room for a result of each row.
                unsafe {
                    let to = to.get().add(row * out.size());
                    self.combination().finish(folded, rows, depth, out, to);
                }
            };
            // SAFETY: the inputs are those of `count` rows of `depth` elements. `ReduceLoop::means` has room for an element of each.
            unsafe { rows.fold(range, inputs, &mut finish) };
        };
        match self.of.like() {
            Some(_) => rows.split(|range| {
                let mut inputs = |position: usize, _| {
                    let mut inputs = *self.of.sources.addresses();
                    for (input, dtype) in inputs.iter_mut().zip(self.of.sources.dtypes()) {
                        let offset = position * dtype.map_or(0, DType::size);
                        *input = input.wrapping_add(offset);
                    }
                    inputs
                };
                run(range, &mut inputs);
                Ok(())
            }),
            None => {
                let operands = Operands::in_order_of(self.of.sources, shape);
                rows.split(|range| {
                    let mut reader = OperandReader::new(&operands)?;
                    // SAFETY: the operands broadcast to the shape, whose elements are those of the rows. `ComputedRows::fold` reads at most
                    // `AT_MOST` at a time.
                    run(range, &mut |position, len| unsafe {
                        reader.read(position, len)
                    });
                    Ok(())
                })
            }
        }
        .ok()?;
        // SAFETY: every row has a result.
        let buffer = unsafe { buffer.assume_init() };
        Some(Array::from_buffer(
            buffer,
            out,
            rows_shape(shape, kept, keep_dims),
        ))
    }

    /// Returns the number of kept axes, and the rows, if [`Self::reduce_computed_rows`] reduces them.
    pub(super) fn last_axes_as_computed_rows(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
    ) -> Option<(usize, ComputedRows<'_>)> {
        self.values.columns?;
        let (kept, count, depth) = rows_of(shape, axes)?;
        let reduced = axes.unwrap_or(&ALL_AXES[..shape.len()]);
        if !self.prefers_computed_rows(depth) || self.copies(shape, reduced) {
            return None;
        }
        Some((kept, self.computed_rows(count, depth)?))
    }
}

/// Returns the number of kept axes, of rows, and of elements in each, if the last axes of a shape are reduced, which has elements.
pub(super) fn rows_of(shape: &Dims, axes: Option<&[usize]>) -> Option<(usize, usize, usize)> {
    let kept = shape.len() - axes.map_or(shape.len(), <[usize]>::len);
    let are_last = axes.is_none_or(|axes| axes.iter().copied().eq(kept..shape.len()));
    let sizes = |axes: Range<usize>| shape[axes].iter().product();
    are_last.then(|| (kept, sizes(0..kept), sizes(kept..shape.len())))
}

/// The shape of a reduction along the last axes, of which the first `kept` are not reduced.
pub(super) fn rows_shape(shape: &Dims, kept: usize, keep_dims: bool) -> Dims {
    let mut result = Dims::single(if keep_dims { shape.len() } else { kept });
    result[..kept].copy_from_slice(&shape[..kept]);
    result
}
