//! Indices along an axis, as numbers of type `isize`, which loops read.
//!
//! Indices of the dtype `i64` are such numbers already. Those of other dtypes are converted, [`BLOCK`] at a time, so that the numbers
//! stay in the L1 cache. An index is compared with the size of its axis when it is used, and not in a pass of its own.
#![allow(unsafe_code, reason = "scratch that is not initialised")]

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::array::Array;
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::simd::for_types;

/// The number of indices that are converted at a time.
pub(in crate::kernel) const BLOCK: usize = 1024;

/// Memory for the numbers of a block. Writing zeros to it first would take as long as a small gather.
pub(in crate::kernel) type Scratch = [MaybeUninit<isize>; BLOCK];

/// Some or all indices, in row-major order.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum Indices<'a> {
    All(&'a [isize]),
    /// A contiguous array of an integer dtype, of which blocks are converted.
    Blocks(&'a Array),
}

impl<'a> Indices<'a> {
    /// Makes the indices of a contiguous array of an integer dtype.
    pub(in crate::kernel) fn new(indices: &'a Array) -> Self {
        match indices.dtype() {
            DType::I64 if size_of::<isize>() == size_of::<i64>() => {
                Self::All(bytemuck::cast_slice(slice::<i64>(indices)))
            }
            _ => Self::Blocks(indices),
        }
    }

    /// Returns the indices of a range, of at most [`BLOCK`] if they are converted.
    #[inline]
    pub(in crate::kernel) fn range(
        self,
        range: Range<usize>,
        scratch: &'a mut Scratch,
    ) -> &'a [isize] {
        match self {
            Self::All(indices) => &indices[range],
            Self::Blocks(indices) => convert(indices, range.clone(), &mut scratch[..range.len()]),
        }
    }
}

/// Returns the position of an index on an axis of this size, counted from the start; `None` if it is out of range.
#[inline(always)]
pub(in crate::kernel) fn position_of(index: isize, size: usize) -> Option<usize> {
    let position = from_start(index, size);
    (position < size).then_some(position)
}

/// Returns the position of an index on an axis of this size, counted from the start. It is less than the size only if the index is in
/// range.
#[inline(always)]
pub(super) fn from_start(index: isize, size: usize) -> usize {
    let from_start = match index < 0 {
        true => index.wrapping_add_unsigned(size),
        false => index,
    };
    // A number that is still negative is greater than any size.
    from_start.cast_unsigned()
}

/// Returns the error for the first index that is out of range.
pub(in crate::kernel) fn out_of_range(
    operation: &'static str,
    indices: &Array,
    [axis, size]: [usize; 2],
) -> Option<Error> {
    let mut scratch = [MaybeUninit::uninit(); BLOCK];
    let starts = (0..indices.len()).step_by(BLOCK);
    starts
        .map(|start| start..indices.len().min(start + BLOCK))
        .find_map(|range| {
            let block = Indices::new(indices).range(range.clone(), &mut scratch);
            let mut numbers = block.iter();
            let found = numbers.position(|index| position_of(*index, size).is_none());
            found.map(|at| range.start + at)
        })
        .map(|at| Error::IndexOutOfRange {
            operation,
            index: value_of(indices, at),
            axis: axis.cast_signed(),
            size,
        })
}

/// Returns the index at a position of a contiguous array of an integer dtype, as it is.
pub(in crate::kernel) fn value_of(indices: &Array, at: usize) -> i128 {
    for_types!(indices.dtype(), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
    ] => slice::<T>(indices)[at].into(), _ => slice::<i64>(indices)[at].into())
}

/// Converts some indices of a contiguous array to as many numbers, and returns these. An index that no `isize` has becomes the largest
/// one, which is out of range on every axis.
///
/// # Panics
/// If there are not as many numbers as indices.
pub(super) fn convert<'a>(
    indices: &Array,
    range: Range<usize>,
    to: &'a mut [MaybeUninit<isize>],
) -> &'a [isize] {
    fn write<T: Element + TryInto<isize>>(from: &[T], to: &mut [MaybeUninit<isize>]) {
        for (to, index) in to.iter_mut().zip(from) {
            to.write((*index).try_into().unwrap_or(isize::MAX));
        }
    }
    assert_eq!(to.len(), range.len());
    for_types!(indices.dtype(), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
    ] => write(&slice::<T>(indices)[range], to), _ => write(&slice::<i64>(indices)[range], to));
    // SAFETY: `write` has written each number: there are as many as indices in the range (asserted).
    unsafe { to.assume_init_ref() }
}

fn slice<T: Element>(indices: &Array) -> &[T] {
    indices
        .as_slice()
        .expect("contiguous, of this integer dtype")
}
