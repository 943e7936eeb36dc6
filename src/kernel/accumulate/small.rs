//! Combines groups of few elements in place. For few elements, the preparations of the general algorithm (coalesced
//! axes, the order of traversal) take longer than the reduction itself.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::Accumulator;
use crate::array::{Dims, MAX_RANK};
use crate::simd::LANES;

/// The largest number of elements that are reduced this way.
pub(in crate::kernel) const SMALL_LEN: usize = 64;

/// Room for [`SMALL_LEN`] elements of any dtype.
#[repr(C, align(64))]
pub(in crate::kernel) struct SmallBuffer(MaybeUninit<[u8; SMALL_LEN * 16]>);

impl SmallBuffer {
    pub(in crate::kernel) const UNINIT: Self = Self(MaybeUninit::uninit());

    pub(in crate::kernel) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// The groups of a reduction along some axes: one for each element of the result.
pub(in crate::kernel) struct SmallGroups {
    /// The number of elements in a group.
    pub(in crate::kernel) depth: usize,
    /// The number of groups.
    pub(in crate::kernel) count: usize,
    /// `true` if the elements of each group follow one another in row-major order.
    pub(in crate::kernel) are_rows: bool,
    /// `true` if the elements with one position in their groups follow one another.
    pub(in crate::kernel) are_columns: bool,
    /// The shape of the result.
    pub(in crate::kernel) result: Dims,
    /// A bit for each reduced axis.
    reduced: u8,
}

impl SmallGroups {
    /// Splits a shape along axes, which exist; along all if none are given.
    pub(in crate::kernel) fn new(shape: &Dims, axes: Option<&[usize]>, keep_dims: bool) -> Self {
        let reduced = axes.map_or(u8::MAX, |axes| {
            axes.iter().fold(0, |reduced, axis| reduced | 1 << axis)
        });
        let mut groups = Self {
            depth: 1,
            count: 1,
            are_rows: true,
            are_columns: true,
            result: Dims::single(shape.len()),
            reduced,
        };
        let mut rank = 0;
        for (axis, size) in shape.iter().enumerate() {
            let is_kept = reduced >> axis & 1 == 0;
            if is_kept {
                groups.are_rows &= groups.depth == 1 || *size == 1;
                groups.count *= size;
                groups.result[rank] = *size;
            } else {
                groups.are_columns &= groups.count == 1 || *size == 1;
                groups.depth *= size;
            }
            rank += usize::from(is_kept || keep_dims);
        }
        groups.result.truncate(rank);
        groups
    }

    /// Returns the sizes of the axes and the strides along them, from the last one on, with the kept axes before the reduced ones: in
    /// this order the elements of each group follow one another. There are at least two axes, if need be of size one.
    pub(in crate::kernel) fn in_groups(
        &self,
        shape: &Dims,
        strides: &[isize],
    ) -> ([usize; MAX_RANK], [isize; MAX_RANK]) {
        let (mut sizes, mut in_order) = ([1; MAX_RANK], [0; MAX_RANK]);
        let mut next = [0, 0];
        for axis in 0..shape.len() {
            next[0] += usize::from(self.reduced >> axis & 1 == 1);
        }
        for (axis, size) in shape.iter().enumerate().rev() {
            let next = &mut next[usize::from(self.reduced >> axis & 1 == 1)];
            (sizes[*next], in_order[*next]) = (*size, strides[axis]);
            *next += 1;
        }
        (sizes, in_order)
    }
}

impl Accumulator {
    /// Combines the elements of each group, which follow one another. Afterwards they begin with a result for each group.
    ///
    /// # Safety
    /// The elements of all groups have the accumulator's dtype, and can be read and written.
    pub(in crate::kernel) unsafe fn fold_groups(&self, elements: *mut u8, groups: &SmallGroups) {
        let (depth, size) = (groups.depth, self.size);
        for group in 0..groups.count {
            // SAFETY: the caller guarantees `depth` elements of each group. The results before lie before them.
            unsafe {
                let first = elements.add(group * depth * size);
                let to = elements.add(group * size);
                if depth <= LANES {
                    self.join_lanes(first, depth, to);
                } else {
                    self.fold(first, size, depth, to);
                }
            }
        }
    }
}
