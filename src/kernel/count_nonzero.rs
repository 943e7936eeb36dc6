//! Counts of the elements that are not zero, in one pass.
//!
//! An element is zero if all bits but those of signs are. So there is a loop for each size of elements, with a mask of the bits that
//! count. Lanes count in the elements' own width, for at most 255 packs, which a byte can count.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::ops::{Add, BitAnd};
use core::sync::atomic::{AtomicU64, Ordering};
use std::borrow::Cow;

use bytemuck::Pod;

use super::cast::cast;
use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use super::reduce::plan::AxisSplit;
use crate::array::{Array, Dims, Uninit};
use crate::dtype::DType;
use crate::simd::{
    self, Body, Isa, Kernel, LANES, black_box_usize, for_level, lanes, load, load_part,
};

/// Fewer elements are not worth the preparation.
const MIN_LEN: usize = if cfg!(test) { 64 } else { 512 };

/// Groups of fewer elements are not worth a call each.
const MIN_DEPTH: usize = 2 * LANES;

/// The largest number of packs that lanes of bytes can count.
const MAX_PACKS: usize = 255;

/// The distance, in bytes, at which most processors prefetch elements.
const FAR: usize = 1 << 13;

/// Counts the elements that are not zero, along axes, which must be sorted, distinct and exist; along all axes if none are given. `None`
/// if the elements that are counted together are not contiguous, or few; for dtypes without a loop; or without memory.
pub(crate) fn count_nonzero(
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Option<Array> {
    if x.len() < MIN_LEN || !x.is_contiguous() {
        return None;
    }
    let (kernel, mask) = kernel(x.dtype())?;
    let all = Dims::numbers(x.rank()).ok()?;
    let axes = axes.unwrap_or(&all);
    let are_last = axes.iter().copied().eq(x.rank() - axes.len()..x.rank());
    if !are_last {
        return None;
    }
    let split_axes = AxisSplit::of_existing(x.dims(), axes, keep_dims);
    let depth: usize = split_axes.reduced.iter().product();
    let count: usize = split_axes.kept.iter().product();
    if count == 0 || depth < MIN_DEPTH {
        return None;
    }
    let (size, from) = (x.dtype().size(), x.as_ptr());
    let mut buffer = Uninit::new(count * size_of::<u64>()).ok()?;
    let shared = SendPtr::new((from, buffer.as_mut_ptr().cast::<u64>()));
    let counted = |from: *const u8, len: usize| {
        let mut found = 0_u64;
        let inputs = [from, (&raw const mask).cast()];
        // SAFETY: both callers pass the address of `len` elements of the array. The mask has 64 bits, of which the loop reads the lower
        // ones. The loop writes a `u64`.
        unsafe { kernel(inputs.as_ptr(), (&raw mut found).cast(), len) };
        found
    };
    if count == 1 {
        let total = AtomicU64::new(0);
        split(depth, LANES, MIN_WORK_PER_THREAD, |piece| {
            let (from, _) = shared.get();
            let found = counted(from.wrapping_add(piece.start * size), piece.len());
            total.fetch_add(found, Ordering::Relaxed);
        });
        // SAFETY: the buffer has room for one count, and is aligned to 16.
        unsafe { shared.get().1.write(total.into_inner()) };
    } else {
        split(count, 1, MIN_WORK_PER_THREAD / depth, |groups| {
            let (from, to) = shared.get();
            for group in groups {
                let found = counted(from.wrapping_add(group * depth * size), depth);
                // SAFETY: `group < count`: the buffer has room for its count, which this piece alone writes.
                unsafe { to.add(group).write(found) };
            }
        });
    }
    // SAFETY: a count was written for each group.
    let buffer = unsafe { buffer.assume_init() };
    // No count is beyond `i64`, which has the same bits.
    let dtype = if out == DType::I64 { out } else { DType::U64 };
    let counts = Array::from_buffer(buffer, dtype, split_axes.result);
    cast(Cow::Owned(counts), out).ok()
}

/// Returns the loop for a dtype, and the bits of an element, or of two parts of one, by which it is not zero.
fn kernel(dtype: DType) -> Option<(Kernel, u64)> {
    use DType::{BF16, Bool, C64, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    Some(match dtype {
        Bool | U8 | I8 => (for_level::<CountNonzero<u8>>(), u64::MAX),
        U16 | I16 => (for_level::<CountNonzero<u16>>(), u64::MAX),
        U32 | I32 => (for_level::<CountNonzero<u32>>(), u64::MAX),
        U64 | I64 => (for_level::<CountNonzero<u64>>(), u64::MAX),
        F16 | BF16 => (for_level::<CountNonzero<u16>>(), 0x7fff),
        F32 => (for_level::<CountNonzero<u32>>(), 0x7fff_ffff),
        F64 => (for_level::<CountNonzero<u64>>(), 0x7fff_ffff_ffff_ffff),
        C64 => (for_level::<CountNonzero<u64>>(), 0x7fff_ffff_7fff_ffff),
        _ => return None,
    })
}

/// Counts the elements that have a bit of a mask. The inputs are the elements and the mask, a `u64` whose lower bits are used. The output
/// is a `u64`.
struct CountNonzero<T>(PhantomData<T>);

impl<T> Body for CountNonzero<T>
where
    T: Pod + Add<Output = T> + BitAnd<Output = T> + PartialEq + From<bool> + Into<u64>,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements to read, the mask as the second input, and room for a `u64`. Packs are read while
        // `LANES` elements are left from `done` on, and then the rest.
        unsafe {
            let from = (*inputs).cast::<T>();
            let mask = (*inputs.add(1)).cast::<u64>().read();
            let mask = lower::<T>(mask);
            let distance = simd::prefetch_distance(FAR);
            let (mut total, mut done) = (0, 0);
            while len - done >= LANES {
                let packs = ((len - done) / LANES).min(MAX_PACKS);
                let end = done + packs * LANES;
                let mut counts = [T::zeroed(); LANES];
                while done < end {
                    let ahead = from.wrapping_add(done).cast::<u8>();
                    let ahead = ahead.wrapping_add(distance);
                    simd::prefetch_all(ahead, size_of::<[T; LANES]>());
                    counts = added(&counts, &load(from.add(done)), mask);
                    done = black_box_usize(done + LANES);
                }
                total += sum(counts);
            }
            if done < len {
                let last = load_part(from.add(done), len - done);
                total += sum(added(&[T::zeroed(); LANES], &last, mask));
            }
            output.cast::<u64>().write(total);
        }
    }
}

/// The lower bits of a number.
#[inline(always)]
fn lower<T: Pod>(bits: u64) -> T {
    let bytes = bits.to_ne_bytes();
    let start = if cfg!(target_endian = "big") {
        8 - size_of::<T>()
    } else {
        0
    };
    bytemuck::pod_read_unaligned(&bytes[start..start + size_of::<T>()])
}

/// Adds one to the count of each lane that has a bit of the mask.
#[inline(always)]
fn added<T>(counts: &[T; LANES], pack: &[T; LANES], mask: T) -> [T; LANES]
where
    T: Pod + Add<Output = T> + BitAnd<Output = T> + PartialEq + From<bool>,
{
    lanes(|lane| counts[lane] + T::from(pack[lane] & mask != T::zeroed()))
}

#[inline(always)]
fn sum<T: Into<u64>>(counts: [T; LANES]) -> u64 {
    counts.into_iter().map(Into::into).sum()
}
