//! Convolutions with few filters in each group, such as depthwise ones, as loops along the result.
//!
//! A matrix of windows (`conv.rs`) has as many copies of an element as a window has elements. Few filters do not pay for these
//! copies. Here each filter reads the operand from a small copy, a *plane*, in which all terms lie at a constant distance:
//!
//! ```text
//! for each example, group and tile of the result:
//!     copy what the tile needs, with padding, into planes of scratch memory
//!     for each block of up to 4 filters, for each pack of positions:  (their sums stay in registers)
//!         for each term: sums += weight * pack of a plane, from the term's offset on
//!     copy the rows of sums to the result
//! ```
//!
//! - **Phases.** With a stride `s`, element `k` of the window at position `i` is element `i * s + k * dilation` of the padded axis. Its
//!   *phase* is `k * dilation % s`. A plane holds the elements of one phase, so that neighbouring positions read neighbouring elements.
//! - **One loop for all rows.** The rows of a plane lie at one distance, the *pitch*. Position `(y, x)` of the tile is number
//!   `y * pitch + x`, and a term reads that number plus the term's offset. The loop also computes the numbers between two rows,
//!   which nothing reads.
//! - **Complex numbers** are two channels and two filters of reals: `re = re * re - im * im`, `im = re * im + im * re`.
//!
//! Terms are added one after another: channel by channel (real parts before imaginary ones), in each the window row by row. There are
//! fused multiply-adds where the processor has them.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::ops::{Neg, Range};

use num_complex::Complex;

use super::cast::copied;
use super::conv_plan::{MAX_PACK, Plan};
use super::conv_shapes::ConvShapes;
use super::drive::parallel::{SendPtr, try_split};
use super::matmul::multiply_add::MultiplyAdd;
use super::matmul::{MIN_PRODUCTS_PER_THREAD, multiplied, result};
use super::pad::pad_shape;
use super::windows::SPATIAL;
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array, Buffer, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::{Body, Isa, black_box_usize, for_level, for_types, lanes, load, store};

/// The largest number of filters in a group for which this loop is faster than products of matrices.
const MAX_FILTERS: usize = 16;

/// The number of filters whose sums are computed together, at most.
const BLOCK_FILTERS: usize = 4;

/// Returns whether [`conv_direct`] computes a convolution.
pub(super) fn applies(x: &Array, shapes: &ConvShapes<'_>) -> bool {
    let filters = shapes.result[1] / shapes.groups;
    // Windows of one element are the operand itself, which a product reads in place.
    let copies = count(shapes.windows.sizes) > 1;
    !x.is_empty() && !shapes.result.contains(&0) && copies && filters <= MAX_FILTERS
}

/// Convolves as [`conv`](super::conv()) does, an operand and filters to which this [`applies`].
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(super) fn conv_direct(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    if let Some(padding) = shapes.windows.padding_of_axes() {
        // A padded operand that is too large to exist has no positions to count.
        pad_shape(x, &padding)?;
    }
    let (x, mut filters) = (multiplied(x, out)?, multiplied(filters, out)?);
    if !filters.is_contiguous() {
        filters = copied(&filters)?;
    }
    let [channels, window] = [x.shape()[1] / shapes.groups, count(shapes.windows.sizes)];
    let dtype = x.dtype();
    let sums = for_types!(dtype, T in [
        DType::F32 => f32,
        DType::F64 => f64,
        DType::U32 => u32,
        DType::U64 => u64,
    ] => {
        convolved::<T>(&x, filters.as_slice().expect(CONTIGUOUS), shapes, 1)
    }, _ => if dtype == DType::C64 {
        let weights = of_parts::<f32>(filters.as_slice().expect(CONTIGUOUS), channels, window)?;
        convolved(&x, &weights, shapes, 2)
    } else {
        let weights = of_parts::<f64>(filters.as_slice().expect(CONTIGUOUS), channels, window)?;
        convolved(&x, &weights, shapes, 2)
    })?;
    result(Array::from_buffer(sums, dtype, shapes.result), out)
}

const CONTIGUOUS: &str = "contiguous filters of the dtype of products";

/// Returns the weights of real filters that compute what complex filters do. Of each pair, the first filter gives the real parts of the
/// results and the second one the imaginary parts. Each has a window for the real parts of a channel, and then one for its imaginary
/// parts.
fn of_parts<T: Copy + Neg<Output = T>>(
    filters: &[Complex<T>],
    channels: usize,
    window: usize,
) -> Result<Vec<T>, AllocError> {
    let mut weights = vec_with_capacity(filters.len().saturating_mul(4))?;
    for filter in filters.chunks_exact(channels * window) {
        for channel in filter.chunks_exact(window) {
            weights.extend(channel.iter().map(|weight| weight.re));
            weights.extend(channel.iter().map(|weight| -weight.im));
        }
        for channel in filter.chunks_exact(window) {
            weights.extend(channel.iter().map(|weight| weight.im));
            weights.extend(channel.iter().map(|weight| weight.re));
        }
    }
    Ok(weights)
}

fn count(sizes: &[usize]) -> usize {
    sizes.iter().product()
}

/// Convolves in the dtype of the operand, whose elements are `parts` numbers of this type.
fn convolved<T: MultiplyAdd>(
    x: &Array,
    weights: &[T],
    shapes: &ConvShapes<'_>,
    parts: usize,
) -> Result<Buffer, AllocError> {
    let size = size_of::<T>();
    let plan = Plan::new(x, shapes, size, parts)?;
    let [rows, columns] = plan.axes;
    let tiles = x.shape()[0] * plan.groups * rows.tiles * columns.tiles;
    let mut buffer = Uninit::new(count(&shapes.result) * parts * size)?;
    let strides = |axis: usize| x.strides()[axis] * parts.cast_signed();
    let down = if x.rank() > SPATIAL + 1 {
        strides(SPATIAL)
    } else {
        0
    };
    let strides = [strides(0), strides(1), down, strides(x.rank() - 1)];
    let first = SendPtr::new((x.as_ptr().cast::<T>(), buffer.as_mut_ptr()));
    let kernel = for_level::<Tiles<T>>();
    // They saturate: the planes of a large padding may exceed all memory, which is an error only when they are allocated.
    let products = [plan.pitch, plan.offsets.len(), plan.filters]
        .into_iter()
        .fold(rows.tile, usize::saturating_mul);
    let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(products.max(1));
    try_split(tiles, 1, min_len, |tiles| {
        let mut planes = Buffer::zeroed(plan.planes_len().saturating_mul(size))?;
        let block = plan.filters.min(BLOCK_FILTERS);
        let mut sums = Uninit::new(plan.sums_len().saturating_mul(block * size))?;
        let (x, output) = first.get();
        let job = Job {
            plan: &plan,
            x,
            strides,
            weights,
            planes: planes
                .unique_mut_ptr()
                .expect("a fresh buffer has a single owner")
                .cast(),
            sums: sums.as_mut_ptr().cast(),
            tiles,
        };
        // SAFETY: the array has the shape for which the plan was made, and elements of `parts` numbers `T`. `planes` has `planes_len`
        // numbers, `sums` has `sums_len` for each filter of a block, and the buffer has the numbers of the result. `try_split` hands each
        // tile to one thread.
        unsafe { kernel(&(&raw const job).cast(), output, 0) };
        Ok::<_, AllocError>(())
    })?;
    // SAFETY: the tiles cover all positions of the result, for all examples and filters, and each was written in full.
    Ok(unsafe { buffer.assume_init() })
}

/// Tiles of a convolution, with the scratch memory of one thread.
struct Job<'a, T> {
    plan: &'a Plan,
    x: *const T,
    /// The operand's strides along examples, channels, rows and columns, in numbers.
    strides: [isize; 4],
    /// `[groups, filters, terms]`.
    weights: &'a [T],
    planes: *mut T,
    sums: *mut T,
    /// Numbers of tiles, of the shape `[examples, groups, tiles of rows, tiles of columns]`.
    tiles: Range<usize>,
}

/// The loop over tiles. Its only input is a pointer to a [`Job`], the output is the first number of the result; it ignores the length.
struct Tiles<T>(PhantomData<T>);

impl<T: MultiplyAdd> Body for Tiles<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees a live job, whose operand has the shape of its plan, with room for planes, sums and the result.
        unsafe {
            let job = &*(*inputs).cast::<Job<'_, T>>();
            let [rows, columns] = job.plan.axes;
            for tile in job.tiles.clone() {
                let (tile, column) = (tile / columns.tiles, tile % columns.tiles);
                let (stack, row) = (tile / rows.tiles, tile % rows.tiles);
                let tile = [rows.tile(row), columns.tile(column)];
                fill(job, stack, tile);
                filters::<I, T>(job, stack, tile, output.cast());
            }
        }
    }
}

/// Fills the planes of an example and group, `stack` of all of them, with what a tile needs.
///
/// # Safety
/// The operand has the shape for which the plan was made, and the planes have room.
#[inline(always)]
unsafe fn fill<T: MultiplyAdd>(
    job: &Job<'_, T>,
    stack: usize,
    [(top, height), (left, width)]: [(usize, usize); 2],
) {
    let plan = job.plan;
    let [rows, columns] = plan.axes;
    let (example, group) = (stack / plan.groups, stack % plan.groups);
    let (height, width) = (height + rows.reach, width + columns.reach);
    let offset = |axis: usize, index: usize| index.cast_signed() * job.strides[axis];
    // The planes are zero at first, and one tile leaves the padding as it is. (7 x 7 elements by 3 x 3: 0.6 of the time.)
    let keeps_zeros = rows.tiles * columns.tiles == 1;
    let mut plane = job.planes;
    for channel in 0..plan.channels {
        let from = group * plan.channels + channel;
        let x = job
            .x
            .wrapping_offset(offset(0, example) + offset(1, from / plan.parts))
            .wrapping_add(from % plan.parts);
        for row_phase in 0..rows.phases {
            let row_start = rows.start(top, row_phase);
            for column_phase in 0..columns.phases {
                let column_start = columns.start(left, column_phase);
                // The first elements of a plane's row, and of those behind them, that are not padding before the axis.
                let until = |position: usize| {
                    position
                        .saturating_sub(column_start)
                        .div_ceil(columns.stride)
                        .min(width)
                };
                let (start, end) = (until(columns.before), until(columns.before + columns.size));
                for row in 0..height {
                    let to = plane.wrapping_add(row * plan.pitch);
                    let position = row_start + row * rows.stride;
                    let within = position.wrapping_sub(rows.before);
                    // SAFETY: the plane has `height` rows of `width` numbers. Those from `start` to `end` have positions within the
                    // operand's columns, and `within` is one of its rows.
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

/// Writes zeros.
///
/// # Safety
/// `count` numbers can be written.
#[inline(always)]
unsafe fn zero<T: MultiplyAdd>(to: *mut T, count: usize) {
    for index in 0..count {
        // SAFETY: the caller guarantees `count` numbers.
        unsafe { to.add(index).write(T::ZERO) };
    }
}

/// Copies numbers from and to places at these distances.
///
/// # Safety
/// `count` numbers can be read and written there, and do not overlap.
#[inline(always)]
unsafe fn copy<T: Copy>(from: *const T, step: isize, to: *mut T, to_step: usize, count: usize) {
    // SAFETY: the caller guarantees the places of `count` numbers.
    unsafe {
        match (step, to_step) {
            (1, 1) => copy_row(from, to, count),
            // A constant step, which the compiler reads by vectors.
            (2, 1) => {
                for index in 0..count {
                    to.add(index).write(from.add(2 * index).read());
                }
            }
            _ => {
                for index in 0..count {
                    let from = from.offset(index.cast_signed() * step);
                    to.add(index * to_step).write(from.read());
                }
            }
        }
    }
}

/// Copies numbers that follow one another, without the call of a library that short rows do not pay for.
///
/// # Safety
/// `count` numbers can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_row<T: Copy>(from: *const T, to: *mut T, count: usize) {
    /// Copies the first and the last `N` of numbers, which may overlap.
    #[inline(always)]
    unsafe fn ends<T: Copy, const N: usize>(from: *const T, to: *mut T, count: usize) {
        // SAFETY: the caller guarantees `count` numbers, at least `N`.
        unsafe {
            let [first, last]: [[T; N]; 2] = [load(from), load(from.add(count - N))];
            store(to, first);
            store(to.add(count - N), last);
        }
    }
    // SAFETY: the caller guarantees `count` numbers; each step takes no more than are left.
    unsafe {
        let mut done = 0;
        while count - done > 16 {
            store(to.add(done), load::<T, 8>(from.add(done)));
            done = black_box_usize(done + 8);
        }
        let (from, to, count) = (from.add(done), to.add(done), count - done);
        match count {
            8.. => ends::<T, 8>(from, to, count),
            4.. => ends::<T, 4>(from, to, count),
            2.. => ends::<T, 2>(from, to, count),
            1 => to.write(from.read()),
            _ => {}
        }
    }
}

/// Computes a tile of all filters of a group from the planes.
///
/// # Safety
/// The planes are those of the tile; there is room for sums and the result.
#[inline(always)]
unsafe fn filters<I: Isa, T: MultiplyAdd>(
    job: &Job<'_, T>,
    stack: usize,
    [(top, height), (left, width)]: [(usize, usize); 2],
    output: *mut T,
) {
    let plan = job.plan;
    let [rows, columns] = plan.axes;
    let group = stack % plan.groups;
    // Numbers behind the last row are not needed.
    let len = (height - 1) * plan.pitch + width;
    let mut filter = 0;
    while filter < plan.filters {
        let left_over = plan.filters - filter;
        let first = (group * plan.filters + filter) * plan.offsets.len();
        let weights = &job.weights[first..];
        // SAFETY: the caller guarantees planes and room for the sums of so many filters.
        let done = unsafe {
            // As many sums as half of the registers hold; a quarter if these are long, for small tiles.
            match const { I::REGISTER_BYTES / size_of::<T>() } {
                512.. => sums_of::<I, T, 128, 64, 32>(job, weights, len, left_over),
                128.. => sums_of::<I, T, 64, 32, 16>(job, weights, len, left_over),
                64.. => sums_of::<I, T, 32, 16, 8>(job, weights, len, left_over),
                _ => sums_of::<I, T, 16, 8, 4>(job, weights, len, left_over),
            }
        };
        for number in 0..done {
            let (at, part) = (
                (filter + number) / plan.parts,
                (filter + number) % plan.parts,
            );
            let plane = stack * (plan.filters / plan.parts) + at;
            for row in 0..height {
                let position = (plane * rows.positions + top + row) * columns.positions + left;
                let from = number * plan.sums_len() + row * plan.pitch;
                // SAFETY: the filter has sums for `height` rows of `width` positions, and the result has these positions, each of
                // `parts` numbers.
                unsafe {
                    let to = output.add(position * plan.parts + part);
                    copy(job.sums.add(from), 1, to, plan.parts, width);
                }
            }
        }
        filter += done;
    }
}

/// Computes the first `len` sums of the next one, two or four filters, of which `left` are left, and returns how many filters it took.
/// `ONE`, `TWO` and `FOUR` are the numbers of elements of a pack for so many filters.
///
/// # Safety
/// There are planes of the tile, weights of `left` filters, and room for `sums_len` sums of each filter.
#[inline(always)]
unsafe fn sums_of<I: Isa, T: MultiplyAdd, const ONE: usize, const TWO: usize, const FOUR: usize>(
    job: &Job<'_, T>,
    weights: &[T],
    len: usize,
    left: usize,
) -> usize {
    const { assert!(ONE <= MAX_PACK) };
    // SAFETY: the caller guarantees planes, weights of `left` filters and room for their sums; no call takes more filters.
    unsafe {
        match left {
            4.. => {
                packs::<I, T, 4, FOUR>(job, weights, 0, len);
                4
            }
            2.. => {
                packs::<I, T, 2, TWO>(job, weights, 0, len);
                2
            }
            _ => {
                let whole = len - len % ONE;
                packs::<I, T, 1, ONE>(job, weights, 0, whole);
                // One pack for the rest, no larger than it has to be: two packs would wait for two chains of additions.
                match len - whole {
                    0 => {}
                    rest if rest <= FOUR => packs::<I, T, 1, FOUR>(job, weights, whole, len),
                    rest if rest <= TWO => packs::<I, T, 1, TWO>(job, weights, whole, len),
                    _ => packs::<I, T, 1, ONE>(job, weights, whole, len),
                }
                1
            }
        }
    }
}

/// Computes the sums from `start` to `len` of `FILTERS` filters, a pack at a time.
///
/// # Safety
/// There are planes of the tile, weights of `FILTERS` filters, and room for `sums_len` sums of each.
#[inline(always)]
unsafe fn packs<I: Isa, T: MultiplyAdd, const FILTERS: usize, const N: usize>(
    job: &Job<'_, T>,
    weights: &[T],
    start: usize,
    len: usize,
) {
    let (offsets, sums_len) = (&job.plan.offsets, job.plan.sums_len());
    let mut at = start;
    while at < len {
        let mut sums = [[T::ZERO; N]; FILTERS];
        for (term, offset) in offsets.iter().enumerate() {
            // SAFETY: a term of the last position lies within the planes, behind which `MAX_PACK >= N` more numbers can be read. The caller
            // guarantees weights of each filter: one for each term.
            unsafe {
                let x: [T; N] = load(job.planes.add(offset + at).cast_const());
                sums = lanes(|filter| {
                    let weight = *weights.get_unchecked(filter * offsets.len() + term);
                    let sums = sums[filter];
                    lanes(|lane| T::multiply_add::<I>(weight, x[lane], sums[lane]))
                });
            }
        }
        for (filter, sums) in sums.into_iter().enumerate() {
            // SAFETY: `at < len`, and the caller guarantees room for `sums_len` sums of each filter: `MAX_PACK >= N` more than `len`.
            unsafe { store(job.sums.add(filter * sums_len + at), sums) };
        }
        at += N;
    }
}
