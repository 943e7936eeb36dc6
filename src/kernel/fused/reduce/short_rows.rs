//! Reductions of rows that are shorter than a pack.
//!
//! The loop along rows is called once for each of them, which takes about 8 ns: as long as 70 elements of a sum of squares. So the loop across
//! rows computes the expression for many rows at a time. It takes their elements as one row, which it combines with no other. Then the library
//! combines the elements of each row (`accumulate/short_rows.rs`). (Sums of squares of 512 rows of 8 `f32` on an Intel Xeon with AVX-512: 1.36 us,
//! 4.24 before.) Operands that broadcast are reduced row by row.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::small::deviate;
use super::{ReduceLoop, divide};
use crate::array::{Array, Dims, Uninit};
use crate::dtype::DType;
use crate::kernel::accumulate::{Accumulator, Element as AnyElement};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::kernel::fused::LoopRows;
use crate::simd::LANES;

/// The number of elements that are computed at a time, so that they stay in the L1 cache.
const TOGETHER: usize = 1 << 10;

/// Room for that many elements of any dtype.
#[repr(C, align(64))]
struct Room([MaybeUninit<AnyElement>; TOGETHER]);

impl Room {
    const UNINIT: Self = Self([const { MaybeUninit::uninit() }; TOGETHER]);

    fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl ReduceLoop<'_> {
    /// Reduces contiguous arrays of one shape along their last axes, as [`Self::reduce`]. `None` if there are other operands or other axes,
    /// without memory, or if the library has no loop for rows of this length.
    #[inline(never)]
    pub(super) fn reduce_short_rows(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<Array> {
        let (kept, count, depth) = self.short_rows(shape, axes)?;
        let (accumulator, code) = (self.accumulator()?, self.values.columns?);
        let mut buffer = Uninit::new(count * out.size()).ok()?;
        let to = SendPtr::new(buffer.as_mut_ptr());
        let (size, at_least) = (self.of.dtype.size(), LANES.div_ceil(depth));
        let run = |range: Range<usize>| {
            let [mut elements, mut folded] = [Room::UNINIT; 2];
            let (elements, folded) = (elements.pointer(), folded.pointer());
            let mut row = range.start;
            while row < range.end {
                let rows = (TOGETHER / depth).min(range.end - row);
                // The loop computes at least a pack: of rows that are too few, together with others.
                let first = row.min(count - at_least);
                let computed = (row + rows - first).max(at_least);
                let mut inputs = *self.of.sources.addresses();
                for (input, dtype) in inputs.iter_mut().zip(self.of.sources.dtypes()) {
                    let offset = first * depth * dtype.map_or(0, DType::size);
                    *input = input.wrapping_add(offset);
                }
                let loop_rows = LoopRows::single(&inputs, elements, computed * depth);
                // SAFETY: the code is for the SIMD level in use. The arrays have `count` rows, and those from `first` on, of at least a pack
                // of elements, are among them. `elements` has room for them, and `folded` for an element of each; `buffer` has room for a
                // result of each row, and so has `ReduceLoop::means`.
                unsafe {
                    code(self.values.expression.get(), &loop_rows);
                    accumulator.fold_short_rows(elements, depth, computed, folded);
                    if self.deviations.is_some() {
                        divide(self.of.dtype, folded, computed, depth);
                        if let Some(means) = self.means {
                            let own = folded.add((row - first) * size);
                            let to = means.get().add(row * size);
                            to.copy_from_nonoverlapping(own, rows * size);
                        }
                        deviate(self.of.dtype, elements, folded, (computed, depth));
                        accumulator.fold_short_rows(elements, depth, computed, folded);
                    }
                    let own = folded.add((row - first) * size);
                    let to = to.get().add(row * out.size());
                    self.combination().finish(own, rows, depth, out, to);
                }
                row += rows;
            }
        };
        split(count, 1, MIN_WORK_PER_THREAD / self.of.cost / depth, run);
        // SAFETY: every row has a result.
        let buffer = unsafe { buffer.assume_init() };
        Some(Array::from_buffer(
            buffer,
            out,
            rows_shape(shape, kept, keep_dims),
        ))
    }

    /// [`Self::rows_of_arrays`] if [`Self::reduce_short_rows`] reduces them.
    pub(super) fn short_rows(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
    ) -> Option<(usize, usize, usize)> {
        self.values.columns?;
        let rows = self.rows_of_arrays(shape, axes);
        rows.filter(|(_, count, depth)| {
            let has_loop = |accumulator: &Accumulator| accumulator.has_short_rows(*depth);
            count * depth >= LANES && self.accumulator().is_some_and(has_loop)
        })
    }

    /// Returns the number of kept axes, of rows, and of elements in each, if contiguous arrays of one shape are reduced along their last
    /// axes.
    pub(super) fn rows_of_arrays(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
    ) -> Option<(usize, usize, usize)> {
        let len = self.of.like()?.len();
        let kept = shape.len() - axes.map_or(shape.len(), <[usize]>::len);
        let are_last = axes.is_none_or(|axes| axes.iter().copied().eq(kept..shape.len()));
        let depth: usize = shape[kept..].iter().product();
        are_last.then(|| (kept, len / depth, depth))
    }
}

/// The shape of a reduction along the last axes, of which the first `kept` are not reduced.
pub(super) fn rows_shape(shape: &Dims, kept: usize, keep_dims: bool) -> Dims {
    let mut result = Dims::single(if keep_dims { shape.len() } else { kept });
    result[..kept].copy_from_slice(&shape[..kept]);
    result
}
