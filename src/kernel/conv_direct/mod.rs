//! Convolutions as loops along the result.
//!
//! A matrix of windows (`conv.rs`) has as many copies of an element as a window has elements, and `gemm` copies the matrix again. Here each
//! filter reads the operand from a small copy, a *plane*, in which all terms lie at a constant distance:
//!
//! ```text
//! for each example, group and tile of the result:
//!     copy what the tile needs, with padding, into planes of scratch memory
//!     for each block of up to 8 filters, for each phase of the result, for each pack of positions:  (their sums stay in registers)
//!         for each term: sums += weight * pack of a plane, from the term's offset on
//!     copy the rows of sums to the result
//! ```
//!
//! - **Phases.** With a stride `s`, element `k` of the window at position `i` is element `i * s + k * dilation` of the padded axis. Its
//!   *phase* is `k * dilation % s`. A plane holds the elements of one phase, so that neighbouring positions read neighbouring elements.
//! - **Transposed convolutions** have the phases in the result: element `i` of the operand and element `k` of the window fall on position
//!   `i * s + k * dilation`. The positions of one phase are a convolution of stride one, with those elements of the window that fall on
//!   them, from the last one to the first. So no zeros between elements are multiplied.
//! - **One loop for all rows.** The rows of a plane lie at one distance, the *pitch*. Position `(y, x)` of the tile is number
//!   `y * pitch + x`, and a term reads that number plus the term's offset. The loop also computes the numbers between two rows,
//!   which nothing reads.
//! - **Complex numbers** are two channels and two filters of reals: `re = re * re - im * im`, `im = re * im + im * re`.
//!
//! Terms are added one after another: channel by channel (real parts before imaginary ones), in each the window row by row. There are
//! fused multiply-adds where the processor has them.
//!
//! This file decides which convolutions the loop is for, and divides the tiles between threads. `plan` has what all tiles share: axes,
//! phases, and the offset of each term. For a tile, `planes` fills the planes, and `sums` adds the products and stores the sums; `copies`
//! has the copies of rows of both.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod copies;
mod plan;
mod planes;
mod sums;

use core::marker::PhantomData;
use core::ops::Neg;

use num_complex::Complex;

pub(in crate::kernel) use self::plan::Shapes;
use self::plan::{ConvPlan, Job};
use self::planes::fill;
use self::sums::{MAX_BLOCK, filters};
use super::cast::copied;
use super::conv_shapes::{ConvShapes, TransposedShapes};
use super::drive::parallel::{SendPtr, try_split};
use super::integer_product;
use super::matmul::multiply_add::MultiplyAdd;
use super::matmul::{MIN_PRODUCTS_PER_THREAD, multiplied, result};
use super::pad::pad_shape;
use super::windows::SPATIAL;
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array, Buffer, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::{Baseline, Body, Isa, for_level, for_types};

/// The largest number of filters in a group for which this loop is faster than products of matrices in any case.
const MAX_FILTERS: usize = 16;

/// If there are more filters: the largest reach of a window along a row, in rows of positions of the result. With a larger one, the loop
/// computes more than two numbers between two rows, which nothing reads, for each position.
const MAX_SPANS: usize = 2;

/// The least number of units of work, if there are filters enough: threads share the filters of a few tiles.
const MIN_UNITS: usize = 16;

/// The least number of filters that a unit of work has, unless a group has fewer.
const MIN_CHUNK: usize = 2 * MAX_BLOCK;

/// The largest number of channels in a group for which a transposed convolution with a single filter is faster by this loop; with several
/// filters there may be twice as many. A product of matrices sums over the channels of a group before it is added to the result, so with
/// many channels the additions cost less for each.
/// (`[4, C, 24, 24]` to 1, 2, 16 and 64 filters of 4 x 4, stride 2: 0.87, 0.51, 0.78 and 0.77 of the time for 32 channels, 1.56, 0.75, 0.92
/// and 0.87 for 64.)
const MAX_TRANSPOSED_CHANNELS: usize = 32;

/// The largest stride of a transposed convolution for which this loop is faster. With a larger one, few elements of a window fall on each
/// phase.
const MAX_SPREAD: usize = 16;

/// The largest number of elements of the operand over which a window of a transposed convolution may reach: rows times columns. Planes have
/// padding of this size around the operand. Windows that reach further, by dilation, would read more padding than elements.
const MAX_REACH: usize = 1 << 12;

/// Convolves an operand with filters, as [`conv`](super::conv()) does. `None` if products of matrices are faster.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(super) fn conv_direct(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Option<Array>, Error> {
    let shapes = Shapes::Forward(shapes);
    let filter_count = shapes.result()[1] / shapes.groups();
    let terms = filters.shape()[1..]
        .iter()
        .copied()
        .fold(1, usize::saturating_mul);
    let last = shapes.windows().sizes.len() - 1;
    let positions = &shapes.result()[SPATIAL..];
    let row = positions[last].saturating_mul(MAX_SPANS);
    // For a single position, the filters are a matrix that is read once.
    let is_better = count(positions) > 1
        && shapes.windows().reach(last) <= row
        && !integer_product::applies(out, out, out, terms);
    if !applies(x, shapes) || filter_count > MAX_FILTERS && !is_better {
        return Ok(None);
    }
    if let Some(padding) = shapes.windows().padding_of_axes() {
        // A padded operand that is too large to exist has no positions to count.
        pad_shape(x, &padding)?;
    }
    convolved_in(x, filters, shapes, out)
}

/// Convolves an operand with filters, as [`conv_transpose`](super::conv_transpose()) does. `None` if products of matrices are faster, or if
/// a filter has an infinity or NaN, which must not reach the ends of the result: the loop multiplies the padding too.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(super) fn conv_transpose_direct(
    x: &Array,
    filters: &Array,
    shapes: &TransposedShapes<'_>,
    out: DType,
) -> Result<Option<Array>, Error> {
    let (windows, groups) = (&shapes.windows, shapes.groups);
    let shapes = Shapes::Transposed(shapes);
    let reaches = (0..windows.sizes.len()).map(|axis| windows.reach(axis) + 1);
    let [channels, filter_count] = [x.shape()[1] / groups, filters.shape()[1]];
    let is_dense = windows.strides.iter().all(|stride| *stride <= MAX_SPREAD)
        && reaches.fold(1, usize::saturating_mul) <= MAX_REACH;
    let most_channels = MAX_TRANSPOSED_CHANNELS * filter_count.min(2);
    if !applies(x, shapes) || !is_dense || channels > most_channels {
        return Ok(None);
    }
    // `[filters, channels / groups, ..]`, as for `conv`.
    let grouped = [&[groups, channels, filter_count], windows.sizes].concat();
    let order: Vec<usize> = [0, 2, 1].into_iter().chain(3..grouped.len()).collect();
    let filters = filters.reshape(&grouped)?.permute(&order)?;
    convolved_in(x, &filters, shapes, out)
}

/// Returns whether there are sums to compute, of more than one element of each channel. If windows have one element, their matrix is the
/// operand itself, which a product reads in place.
fn applies(x: &Array, shapes: Shapes<'_>) -> bool {
    !x.is_empty() && !shapes.result().contains(&0) && count(shapes.windows().sizes) > 1
}

/// Convolves in the dtype in which products of `out` are computed. `None` as for [`convolved`].
fn convolved_in(
    x: &Array,
    filters: &Array,
    shapes: Shapes<'_>,
    out: DType,
) -> Result<Option<Array>, Error> {
    let (x, mut filters) = (multiplied(x, out)?, multiplied(filters, out)?);
    if !filters.is_contiguous() {
        filters = copied(&filters)?;
    }
    let [channels, window] = [
        x.shape()[1] / shapes.groups(),
        count(shapes.windows().sizes),
    ];
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
    match sums {
        Some(sums) => result(Array::from_buffer(sums, dtype, *shapes.result()), out).map(Some),
        None => Ok(None),
    }
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

/// Convolves in the dtype of the operand, whose elements are `parts` numbers of this type. `None` if the convolution is transposed and a
/// weight is infinite or NaN.
fn convolved<T: MultiplyAdd>(
    x: &Array,
    weights: &[T],
    shapes: Shapes<'_>,
    parts: usize,
) -> Result<Option<Buffer>, AllocError> {
    // Zero times an infinity or NaN is NaN.
    let is_finite = |weight: &T| T::multiply_add::<Baseline>(*weight, T::ZERO, T::ZERO) == T::ZERO;
    if matches!(shapes, Shapes::Transposed(_)) && !weights.iter().all(is_finite) {
        return Ok(None);
    }
    let size = size_of::<T>();
    let plan = ConvPlan::new(x, shapes, size, parts)?;
    let weights = &*plan.ordered(weights)?;
    let [rows, columns] = plan.axes;
    let tiles = x.shape()[0] * plan.groups * rows.tiles * columns.tiles;
    let bytes = count(shapes.result()) * parts * size;
    let mut buffer = Uninit::new(bytes)?;
    if !plan.covers_result() {
        // SAFETY: the buffer has room for `bytes` bytes.
        unsafe { buffer.as_mut_ptr().write_bytes(0, bytes) };
    }
    let strides = strides(x, parts);
    let first = SendPtr::new((x.as_ptr().cast::<T>(), buffer.as_mut_ptr()));
    let kernel = for_level::<Tiles<T>>();
    let chunk = chunk_len(plan.filters, tiles);
    let chunks = plan.filters.div_ceil(chunk);
    // Sizes saturate: the planes of a large padding may exceed all memory, which is an error only when they are allocated.
    let products = [plan.pitch, plan.offsets.len(), chunk]
        .into_iter()
        .fold(rows.tile, usize::saturating_mul);
    let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(products.max(1));
    try_split(tiles * chunks, 1, min_len, |units| {
        let mut planes = Buffer::zeroed(plan.planes_len().saturating_mul(size))?;
        let sums = plan.filters.min(MAX_BLOCK) * columns.phases;
        let mut sums = Uninit::new(plan.sums_len().saturating_mul(sums * size))?;
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
            units,
            chunk,
            chunks,
        };
        // SAFETY: the array has the shape for which the plan was made, and elements of `parts` numbers `T`. `planes` has `planes_len`
        // numbers, `sums` has `sums_len` for each filter of a block in each phase of columns, and the buffer has the numbers of the result.
        // `try_split` hands each unit to one thread, and units write different numbers. `for_level` chose a kernel that the processor has.
        unsafe { kernel(&(&raw const job).cast(), output, 0) };
        Ok::<_, AllocError>(())
    })?;
    // SAFETY: the tiles cover all positions of the result that have a phase, for all examples and filters, and each was written in full.
    // The others are zero, if there are any.
    Ok(Some(unsafe { buffer.assume_init() }))
}

/// Returns the number of filters of a chunk; the last chunk may have fewer. It is a multiple of [`MAX_BLOCK`] or all filters, so that the
/// two filters of a complex one are in one chunk.
fn chunk_len(filters: usize, tiles: usize) -> usize {
    let chunks = MIN_UNITS.div_ceil(tiles).min(filters / MIN_CHUNK).max(1);
    let chunk = filters.div_ceil(chunks).next_multiple_of(MAX_BLOCK);
    chunk.min(filters)
}

/// The operand's strides along examples, channels, rows and columns, in numbers, of which an element has `parts`.
fn strides(x: &Array, parts: usize) -> [isize; 4] {
    let stride = |axis: usize| x.strides()[axis] * parts.cast_signed();
    let rows = match x.rank() > SPATIAL + 1 {
        true => stride(SPATIAL),
        false => 0,
    };
    [stride(0), stride(1), rows, stride(x.rank() - 1)]
}

/// The loop over units of work. Its only input is a pointer to a [`Job`], the output is the first number of the result; it ignores the
/// length.
struct Tiles<T>(PhantomData<T>);

impl<T: MultiplyAdd> Body for Tiles<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees a live job, whose operand has the shape of its plan, with room for planes, sums and the result.
        // The planes are filled for the first unit and whenever the tile changes.
        unsafe {
            let job = &*(*inputs).cast::<Job<'_, T>>();
            let [rows, columns] = job.plan.axes;
            let (tile, mut chunk) = (job.units.start / job.chunks, job.units.start % job.chunks);
            let (tile, mut column) = (tile / columns.tiles, tile % columns.tiles);
            let (mut stack, mut row) = (tile / rows.tiles, tile % rows.tiles);
            let mut is_filled = false;
            for _ in job.units.clone() {
                let tile = [rows.tile(row), columns.tile(column)];
                if !is_filled {
                    fill(job, stack, tile);
                }
                let start = chunk * job.chunk;
                let end = job.plan.filters.min(start + job.chunk);
                filters::<I, T>(job, stack, tile, start..end, output.cast());
                chunk += 1;
                is_filled = chunk < job.chunks;
                // The next one, without divisions, which small tiles notice.
                if chunk == job.chunks {
                    (chunk, column) = (0, column + 1);
                }
                if column == columns.tiles {
                    (column, row) = (0, row + 1);
                }
                if row == rows.tiles {
                    (row, stack) = (0, stack + 1);
                }
            }
        }
    }
}
