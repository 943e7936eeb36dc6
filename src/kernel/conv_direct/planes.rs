//! Copies of the operand, in which all terms of a sum lie at a constant distance.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::copies::{copy, zero};
use super::plan::Job;
use crate::kernel::matmul::multiply_add::MultiplyAdd;

/// Fills the planes of an example and group, `stack` of all of them, with what a tile needs.
///
/// # Safety
/// The operand has the shape for which the plan was made, and the planes have room.
#[inline(always)]
pub(super) unsafe fn fill<T: MultiplyAdd>(
    job: &Job<'_, T>,
    stack: usize,
    [(top, height), (left, width)]: [(usize, usize); 2],
) {
    let plan = job.plan;
    let [rows, columns] = plan.axes;
    let (example, group) = (stack / plan.groups, stack % plan.groups);
    let (height, width) = (height + rows.reach, width + columns.reach);
    let offset = |axis: usize, index: usize| index.cast_signed() * job.strides[axis];
    // The planes are zero at first. If there is a single tile in each, all have the same padding, which stays zero. (7 x 7 elements by
    // 3 x 3: 0.6 of the time.)
    let keeps_zeros = rows.tiles * columns.tiles == 1;
    let mut plane = job.planes;
    for channel in 0..plan.channels {
        let from = group * plan.channels + channel;
        let x = job
            .x
            .wrapping_offset(offset(0, example) + offset(1, from >> (plan.parts - 1)))
            .wrapping_add(from & (plan.parts - 1));
        for row_phase in 0..rows.planes {
            let row_start = rows.start(top, row_phase);
            for column_phase in 0..columns.planes {
                let column_start = columns.start(left, column_phase);
                // The number of elements of a plane's row that lie before a position of the padded axis.
                let until = |position: usize| {
                    let distance = position.saturating_sub(column_start);
                    // Small tiles notice a division.
                    let steps = match columns.stride {
                        1 => distance,
                        stride => distance.div_ceil(stride),
                    };
                    steps.min(width)
                };
                let (start, end) = (until(columns.before), until(columns.before + columns.size));
                for row in 0..height {
                    let to = plane.wrapping_add(row * plan.pitch);
                    let position = row_start + row * rows.stride;
                    let within = position.wrapping_sub(rows.before);
                    // SAFETY: the plane has `height` rows of `width` numbers. Those from `start` to `end` have positions within the
                    // operand's columns, and `within` is one of its rows.
                    // The planes are other memory than the operand, whose buffer has the numbers between those of a row.
                    unsafe {
                        if within >= rows.size || start >= end {
                            if !keeps_zeros {
                                zero(to, width);
                            }
                            continue;
                        }
                        if !keeps_zeros {
                            zero(to, start);
                            zero(to.add(end), width - end);
                        }
                        let first = column_start + start * columns.stride - columns.before;
                        let from = x.offset(offset(2, within) + offset(3, first));
                        // It wraps only beyond the operand, so that there is a single number to copy.
                        let step = job.strides[3].wrapping_mul(columns.stride.cast_signed());
                        copy(from, step, to.add(start), 1, end - start);
                    }
                }
                plane = plane.wrapping_add(plan.plane);
            }
        }
    }
}
