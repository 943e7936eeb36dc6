//! Reductions of few elements: all elements are computed first, then each group is combined in place. For few elements,
//! the preparations of the general algorithm (coalesced axes, the order of traversal) take longer than the reduction
//! itself.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::{ReduceLoop, divide, each};
use crate::array::{Array, Dims, Uninit, row_major};
use crate::dtype::DType;
use crate::kernel::accumulate::{SMALL_LEN, SmallBuffer, SmallGroups};
use crate::kernel::drive::gather::{AxesFromRight, gather};
use crate::kernel::fused::LoopRows;
use crate::kernel::fused::call_site::Code;
use crate::kernel::fused::strided::SmallInputs;
use crate::simd::{LANES, for_types};

impl ReduceLoop<'_> {
    /// Returns the loop that computes `total` elements, if there are few enough.
    pub(super) fn small_code(&self, total: usize) -> Option<Code> {
        match self.values.columns {
            Some(code) if total <= SMALL_LEN && self.of.can_gather(total) => Some(code),
            None if total <= LANES => Some(self.values.lanes),
            _ => None,
        }
    }

    /// Reduces at most [`SMALL_LEN`] elements along axes, as [`Self::reduce`]. `None` if there are more or without memory, or if
    /// there is no loop to compute them.
    pub(super) fn reduce_small(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<Array> {
        let total: usize = shape.iter().product();
        let code = self.small_code(total)?;
        let accumulator = self.accumulator()?;
        let groups = SmallGroups::new(shape, axes, keep_dims);
        let (count, depth) = (groups.count, groups.depth);
        let dtype = self.of.dtype;
        let size = dtype.size();
        let (mut values, mut ordered) = (SmallBuffer::UNINIT, SmallBuffer::UNINIT);
        let (mut values, ordered) = (values.pointer(), ordered.pointer());
        let (mut room, mut inputs) = (MaybeUninit::<SmallInputs>::uninit(), MaybeUninit::uninit());
        let mut buffer = Uninit::new(count * out.size()).ok()?;
        // SAFETY: the arrays broadcast to the shape (`Self::with_shape`), which can be gathered (`Self::small_code`; a pack always can).
        // The code is for the SIMD level in use, and computes as many elements as it reads, at least a pack; the buffers have room for
        // them. The strides are those of the values along the axes. Groups are `count` times `depth` of these elements, and `buffer` has room for an element
        // of `out` for each. So has `means` of the accumulated dtype.
        let buffer = unsafe {
            let inputs = self.of.gathered(shape, total, &mut room, &mut inputs);
            let rows = LoopRows {
                group: 0,
                existing: total.min(LANES),
                ..LoopRows::single(inputs, values, total.max(LANES))
            };
            code(self.values.expression.get(), &rows);
            if !groups.are_rows {
                if groups.are_columns {
                    let axes: AxesFromRight<'_> = (&[depth, count], &[count.cast_signed(), 1]);
                    gather(size, values, axes, total, ordered);
                } else {
                    let (sizes, strides) = groups.in_groups(shape, &row_major(shape));
                    let axes = (&sizes[..shape.len()], &strides[..shape.len()]);
                    gather(size, values, axes, total, ordered);
                }
                values = ordered;
            }
            let mut deviations = SmallBuffer::UNINIT;
            let deviations = deviations.pointer();
            if self.deviations.is_some() {
                deviations.copy_from_nonoverlapping(values, total * size);
            }
            accumulator.fold_groups(values, &groups);
            if self.deviations.is_some() {
                divide(dtype, values, count, depth);
                if let Some(means) = self.means {
                    means.get().copy_from_nonoverlapping(values, count * size);
                }
                deviate(dtype, deviations, values.cast_const(), (count, depth));
                values = deviations;
                accumulator.fold_groups(values, &groups);
            }
            self.combination()
                .finish(values, count, depth, out, buffer.as_mut_ptr());
            buffer.assume_init()
        };
        Some(Array::from_buffer(buffer, out, groups.result))
    }
}

/// Replaces the elements of `count` groups, which follow one another, each of `depth` elements, by their squared deviations from the
/// mean of their group. (A call of a kernel for each group takes as long as eight elements.)
///
/// # Safety
/// The elements and the means, one for each group, are of this dtype, one that sums of floats have. The elements can be read and
/// written, the means read.
pub(super) unsafe fn deviate(
    dtype: DType,
    elements: *mut u8,
    means: *const u8,
    (count, depth): (usize, usize),
) {
    for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64] => {
        let (elements, means) = (elements.cast::<T>(), means.cast::<T>());
        for group in 0..count {
            // SAFETY: the caller guarantees elements of this dtype, `depth` for each group, and a mean for each.
            unsafe {
                let mean = means.add(group).read();
                let elements = elements.add(group * depth);
                each(elements, depth, |x| (x - mean) * (x - mean));
            }
        }
    }, _ => unreachable!("a dtype of sums of floats"));
}
