//! Reductions of few elements: all elements are computed first, then each group is combined in place. The preparations of the general
//! way (coalesced axes, the order of the walk) take longer than the reduction of few elements.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::{ReduceLoop, divide, each};
use crate::array::{Array, Dims, MAX_RANK, Uninit};
use crate::dtype::DType;
use crate::kernel::accumulate::Accumulator;
use crate::kernel::drive::gather::{AxesFromRight, gather};
use crate::kernel::fused::LoopRows;
use crate::kernel::fused::call_site::Code;
use crate::kernel::fused::strided::SmallInputs;
use crate::simd::{LANES, for_types};

/// The largest number of elements that are computed before they are combined.
const SMALL_LEN: usize = 64;

/// Room for [`SMALL_LEN`] elements of any dtype.
#[repr(C, align(64))]
struct SmallBuffer(MaybeUninit<[u8; SMALL_LEN * 16]>);

impl SmallBuffer {
    const UNINIT: Self = Self(MaybeUninit::uninit());

    fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

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
        let reduced = axes.map_or(u8::MAX, |axes| {
            axes.iter().fold(0, |reduced, axis| reduced | 1 << axis)
        });
        // The numbers of elements in a group and of groups; whether the elements of each group follow one another, and whether the
        // elements with one position in their groups do.
        let (mut depth, mut count, mut are_rows, mut are_columns) = (1, 1, true, true);
        let mut result = Dims::single(shape.len());
        let mut rank = 0;
        for (axis, size) in shape.iter().enumerate() {
            let is_kept = reduced >> axis & 1 == 0;
            if is_kept {
                are_rows &= depth == 1 || *size == 1;
                count *= size;
                result[rank] = *size;
            } else {
                are_columns &= count == 1 || *size == 1;
                depth *= size;
            }
            rank += usize::from(is_kept || keep_dims);
        }
        result.truncate(rank);
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
            if !are_rows {
                if are_columns {
                    let axes: AxesFromRight<'_> = (&[depth, count], &[count.cast_signed(), 1]);
                    gather(size, values, axes, total, ordered);
                } else {
                    let (sizes, strides) = order(shape, reduced);
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
            combine(accumulator, values, (count, depth), size);
            if self.deviations.is_some() {
                divide(dtype, values, count, depth);
                if let Some(means) = self.means {
                    means.get().copy_from_nonoverlapping(values, count * size);
                }
                deviate(dtype, deviations, values.cast_const(), (count, depth));
                values = deviations;
                combine(accumulator, values, (count, depth), size);
            }
            self.finish(values, count, depth, out, buffer.as_mut_ptr());
            buffer.assume_init()
        };
        Some(Array::from_buffer(buffer, out, result))
    }
}

/// Replaces the elements of `count` groups, which follow one another, each of `depth` elements, by their squared deviations from the
/// mean of their group. (A call of a kernel for each group takes as long as eight elements.)
///
/// # Safety
/// The elements and the means, one for each group, are of this dtype, one that sums of floats have. The elements can be read and
/// written, the means read.
unsafe fn deviate(
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

/// Combines the elements of `count` groups, which follow one another, each of `depth` elements. Afterwards they begin with a result
/// for each.
///
/// # Safety
/// The elements have `size` bytes and the accumulator's dtype, and can be read and written.
unsafe fn combine(
    accumulator: &Accumulator,
    elements: *mut u8,
    (count, depth): (usize, usize),
    size: usize,
) {
    for group in 0..count {
        // SAFETY: the caller guarantees `depth` elements of each group. The results before lie before them.
        unsafe {
            let first = elements.add(group * depth * size);
            let to = elements.add(group * size);
            if depth <= LANES {
                accumulator.join_lanes(first, depth, to);
            } else {
                accumulator.fold(first, size, depth, to);
            }
        }
    }
}

/// Returns the sizes of axes and the strides of a row-major array along them, from the last one on: the kept axes before the
/// reduced ones.
fn order(shape: &Dims, reduced: u8) -> ([usize; MAX_RANK], [isize; MAX_RANK]) {
    let (mut sizes, mut strides) = ([1; MAX_RANK], [0; MAX_RANK]);
    let (mut stride, mut next) = (1, [0, 0]);
    for axis in 0..shape.len() {
        next[0] += usize::from(reduced >> axis & 1 == 1);
    }
    for (axis, size) in shape.iter().enumerate().rev() {
        let next = &mut next[usize::from(reduced >> axis & 1 == 1)];
        (sizes[*next], strides[*next]) = (*size, stride);
        (*next, stride) = (*next + 1, stride * size.cast_signed());
    }
    (sizes, strides)
}
