//! Softmax and its like along short axes: neighbouring columns are the lanes of packs.
//!
//! A short row would fill a small part of a pack. Here a pack has the elements of 32 columns at one position, so all lanes compute, and
//! columns along the first axes of a tensor are read where they are. (`f32`, one thread, AVX-512, ms: `[8, 3, 256, 256]` along axis 1 takes
//! 0.7, and 65 row by row; `[500000, 2]` along axis 1 takes 1.0, and 60.)
//!
//! The results have the bits of the rows' loop. That loop adds up each lane of a row's packs, and then adds the lanes in pairs at half
//! distance. Here the packs of positions that would be in one lane are added up, and then in these pairs.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::{COST, SoftmaxFloat, SoftmaxOp, not_finite};
use crate::array::{Array, Uninit};
use crate::dtype::compute::Functions;
use crate::dtype::{DType, compute_dtype};
use crate::error::Error;
use crate::kernel::cast::{chain_from_compute, chain_to_compute};
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::simd::{Body, Isa, Kernel, LANES, for_level, lanes, load, store, store_part};

/// The largest number of elements of a column: a block of the rows' loop, in which lanes are added up.
pub(super) const MAX_DEPTH: usize = BLOCK;

/// The most columns that are computed at a time.
const TILE: usize = 512;
/// The most elements of these columns, unless one pack of columns has more. They stay in the L2 cache.
const TILE_ELEMENTS: usize = 1 << 16;

/// The columns of this depth that are computed at a time: whole packs.
fn tile(depth: usize) -> usize {
    (TILE_ELEMENTS / depth / LANES * LANES).clamp(LANES, TILE)
}

/// An array of shape `[blocks, depth, columns]`, of which columns are taken along the second axis.
#[derive(Clone, Copy)]
pub(super) struct SoftmaxColumns {
    pub(super) blocks: usize,
    /// At most [`MAX_DEPTH`], and not zero.
    pub(super) depth: usize,
    /// Not zero.
    pub(super) columns: usize,
}

impl SoftmaxColumns {
    /// Returns the columns along axes of `depth` elements, not zero, if they lie side by side in memory and are short.
    pub(super) fn of(x: &Array, axes: &[usize], depth: usize) -> Option<Self> {
        let (first, last) = (axes.first()?, axes.last()?);
        let columns = x.shape()[last + 1..].iter().product();
        let is_one_axis = last - first + 1 == axes.len() && x.is_contiguous();
        (is_one_axis && columns >= LANES && depth <= MAX_DEPTH).then(|| Self {
            blocks: x.len() / depth / columns,
            depth,
            columns,
        })
    }
}

/// Computes all columns of elements of `dtype`, on several threads if there are enough.
///
/// # Errors
/// If there is no memory for a pack of exponentials for each position, or for the elements of a tile in the compute type.
///
/// # Safety
/// The elements can be read at `from`. At `to` as many can be written, or one for each column if the function is a reduction.
pub(super) unsafe fn each_column(
    op: SoftmaxOp,
    dtype: DType,
    [from, to]: [*const u8; 2],
    array: SoftmaxColumns,
) -> Result<(), Error> {
    let SoftmaxColumns {
        blocks,
        depth,
        columns,
    } = array;
    let compute = compute_dtype(dtype);
    let kernel = match compute {
        DType::F64 => kernel::<f64>(op),
        _ => kernel::<f32>(op),
    };
    let results = if op.is_reduction() { 1 } else { depth };
    let (decode, encode) = (chain_to_compute(dtype, compute), chain_from_compute(dtype));
    let (decode, encode) = (decode.first(), encode.first());
    let shared = SendPtr::new((from, to.cast_mut()));
    let tile_columns = tile(depth);
    let tiles = columns.div_ceil(tile_columns);
    let min_len = MIN_WORK_PER_THREAD / COST / depth / tile_columns.min(columns);
    let run = |range: Range<usize>| {
        let (from, to) = shared.get();
        // The scratch memory has a pack for each position, then the elements of a tile.
        let powers = depth * LANES * compute.size();
        let decoded = match decode {
            Some(_) => depth * tile_columns * compute.size(),
            None => 0,
        };
        let mut scratch = Uninit::new(powers + decoded)?;
        let scratch = scratch.as_mut_ptr();
        let (powers, scratch) = (scratch, scratch.wrapping_add(powers));
        for tile in range {
            let (block, start) = (tile / tiles, tile % tiles * tile_columns);
            let len = tile_columns.min(columns - start);
            let at =
                |rows: usize, row: usize| ((block * rows + row) * columns + start) * dtype.size();
            let decoded = |row: usize| scratch.wrapping_add(row * tile_columns * compute.size());
            // SAFETY: the tile lies within the array, so the caller guarantees its elements and room for its results. The scratch
            // memory has room for the elements of a tile in the compute type, and loops may write to their input.
            unsafe {
                let run = |from: *const u8, to: *mut u8, pitch: usize| {
                    let pitches = Pitches {
                        depth,
                        pitch,
                        powers,
                    };
                    kernel([from, (&raw const pitches).cast()].as_ptr(), to, len);
                };
                match (decode, encode) {
                    (Some(decode), Some(encode)) => {
                        for row in 0..depth {
                            decode(
                                [from.wrapping_add(at(depth, row))].as_ptr(),
                                decoded(row),
                                len,
                            );
                        }
                        run(scratch, scratch, tile_columns);
                        for row in 0..results {
                            let to = to.wrapping_add(at(results, row));
                            encode([decoded(row).cast_const()].as_ptr(), to, len);
                        }
                    }
                    _ => run(
                        from.wrapping_add(at(depth, 0)),
                        to.wrapping_add(at(results, 0)),
                        columns,
                    ),
                }
            }
        }
        Ok(())
    };
    try_split(blocks * tiles, 1, min_len, run)
}

fn kernel<T: SoftmaxFloat>(op: SoftmaxOp) -> Kernel {
    match op {
        SoftmaxOp::Softmax => for_level::<SoftmaxOfColumns<T>>(),
        SoftmaxOp::LogSoftmax => for_level::<LogSoftmaxOfColumns<T>>(),
        SoftmaxOp::LogSumExp => for_level::<LogSumExpOfColumns<T>>(),
    }
}

/// The layout of the columns in memory. The loops take it as their second input; their length is the number of columns.
#[derive(Clone, Copy)]
struct Pitches {
    /// The number of elements of a column.
    depth: usize,
    /// The distance from an element of a column to its next one, in elements, of the input and of the output.
    pitch: usize,
    /// Room for a pack of each element of a column, in the compute type.
    powers: *mut u8,
}

/// Some neighbouring columns, at most [`LANES`].
struct NeighbouringColumns<T> {
    from: *const T,
    to: *mut T,
    shape: Pitches,
    /// The number of columns.
    len: usize,
}

impl<T: SoftmaxFloat> NeighbouringColumns<T> {
    /// Returns a position of all columns. Lanes without a column hold -inf.
    ///
    /// # Safety
    /// The position is below the depth, and its elements can be read.
    #[inline(always)]
    unsafe fn read(&self, position: usize) -> [T; LANES] {
        // SAFETY: the caller guarantees `len` elements.
        unsafe {
            let from = self.from.add(position * self.shape.pitch);
            if self.len == LANES {
                return load(from);
            }
            let mut pack = [T::LOWEST; LANES];
            from.copy_to_nonoverlapping(pack.as_mut_ptr(), self.len);
            pack
        }
    }

    /// Writes a position of all columns.
    ///
    /// # Safety
    /// The position's elements can be written.
    #[inline(always)]
    unsafe fn write(&self, position: usize, pack: [T; LANES]) {
        // SAFETY: the caller guarantees room for `len` elements.
        unsafe {
            let to = self.to.add(position * self.shape.pitch);
            if self.len == LANES {
                store(to, pack);
            } else {
                store_part(to, &pack, self.len);
            }
        }
    }

    /// Returns the greatest element of each column. NaN does not count; a column of nothing else has -inf.
    ///
    /// # Safety
    /// All elements can be read.
    #[inline(always)]
    unsafe fn maxima(&self) -> [T; LANES] {
        let mut greatest = [T::LOWEST; LANES];
        let mut position = 0;
        while position < self.shape.depth {
            // SAFETY: the caller guarantees the elements.
            let pack = unsafe { self.read(position) };
            greatest = lanes(|lane| match pack[lane] > greatest[lane] {
                true => pack[lane],
                false => greatest[lane],
            });
            position += 1;
        }
        greatest
    }

    /// Writes the exponentials of the distances to the maxima to the room for them, and returns their sum for each column.
    ///
    /// # Safety
    /// All elements can be read, and there is room for a pack of each.
    #[inline(always)]
    unsafe fn powers<I: Isa>(&self, maxima: &[T; LANES]) -> [f64; LANES] {
        let powers = self.shape.powers.cast::<[T; LANES]>();
        let mut sums = MaybeUninit::<[[f64; LANES]; LANES]>::uninit();
        let sums = sums.as_mut_ptr().cast::<[f64; LANES]>();
        let (depth, mut position) = (self.shape.depth, 0);
        while position < depth {
            // SAFETY: the caller guarantees the elements. There is room for the exponentials of each position, and for the sum of each lane.
            unsafe {
                let pack = self.read(position);
                let power: [T; LANES] = lanes(|lane| pack[lane].power::<I>(maxima[lane]));
                powers.add(position).write(power);
                // In a short column each lane has one position.
                sums.add(position % LANES)
                    .write(lanes(|lane| power[lane].wide()));
            }
            position += 1;
        }
        if depth > LANES {
            for lane in 0..LANES {
                // SAFETY: exponentials were written up to the depth, at least those of each lane's first position.
                unsafe {
                    let mut sum = powers.add(lane).read();
                    let mut position = lane + LANES;
                    while position < depth {
                        let power = powers.add(position).read();
                        sum = lanes(|column| sum[column].add(power[column]));
                        position += LANES;
                    }
                    sums.add(lane).write(lanes(|column| sum[column].wide()));
                }
            }
        }
        let mut count = depth.min(LANES);
        let mut half = LANES / 2;
        while half > 0 {
            let mut left = 0;
            while left + half < count {
                // SAFETY: both are below the number of sums that were written.
                unsafe {
                    let (a, b) = (sums.add(left).read(), sums.add(left + half).read());
                    sums.add(left).write(lanes(|lane| a[lane] + b[lane]));
                }
                left += 1;
            }
            count = count.min(half);
            half /= 2;
        }
        // SAFETY: there is at least one position, and so a first sum.
        unsafe { sums.read() }
    }
}

/// Runs code for all columns, up to [`LANES`] at a time. (A macro, as `each_pack!` is.)
macro_rules! each_lanes {
    ($inputs:ident, $output:ident, $len:ident, |$columns:ident| $body:expr) => {{
        let shape = *(*$inputs.add(1)).cast::<Pitches>();
        let (from, to) = ((*$inputs).cast::<T>(), $output.cast::<T>());
        let mut at = 0;
        while at < $len {
            let $columns = NeighbouringColumns {
                from: from.add(at),
                to: to.add(at),
                shape,
                len: LANES.min($len - at),
            };
            $body;
            at += LANES;
        }
    }};
}

struct SoftmaxOfColumns<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for SoftmaxOfColumns<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `Pitches` with room for packs, and that the columns can be read and their results written. All
        // elements of columns are read before their results are written, and `powers` wrote a pack for each position.
        unsafe {
            each_lanes!(inputs, output, len, |columns| {
                let maxima = columns.maxima();
                let sums = columns.powers::<I>(&maxima);
                let scale: [T; LANES] = lanes(|lane| T::of(1.0 / sums[lane]));
                let powers = columns.shape.powers.cast::<[T; LANES]>();
                let mut position = 0;
                while position < columns.shape.depth {
                    let power = powers.add(position).read();
                    columns.write(position, lanes(|lane| power[lane].mul(scale[lane])));
                    position += 1;
                }
            });
        }
    }
}

struct LogSoftmaxOfColumns<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for LogSoftmaxOfColumns<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `Pitches` with room for packs, and that the columns can be read and their results written. A pack
        // is written after it was read for the last time.
        unsafe {
            each_lanes!(inputs, output, len, |columns| {
                let maxima = columns.maxima();
                let sums = columns.powers::<I>(&maxima);
                let logs: [f64; LANES] = lanes(|lane| Functions::ln(sums[lane]));
                let mut position = 0;
                while position < columns.shape.depth {
                    let x = columns.read(position);
                    let result =
                        lanes(|lane| T::of((x[lane].wide() - maxima[lane].wide()) - logs[lane]));
                    columns.write(position, result);
                    position += 1;
                }
            });
        }
    }
}

struct LogSumExpOfColumns<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for LogSumExpOfColumns<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `Pitches` with room for packs, that the columns can be read, and room for a result of each. The
        // results of columns are written after their elements were read.
        unsafe {
            each_lanes!(inputs, output, len, |columns| {
                let maxima = columns.maxima();
                let sums = columns.powers::<I>(&maxima);
                let mut results: [T; LANES] =
                    lanes(|lane| T::of(maxima[lane].wide() + Functions::ln(sums[lane])));
                let mut lane = 0;
                while lane < columns.len {
                    if !maxima[lane].wide().is_finite() {
                        let column = columns.from.add(lane);
                        let pitch = columns.shape.pitch;
                        let elements =
                            (0..columns.shape.depth).map(|at| column.add(at * pitch).read());
                        results[lane] = T::of(not_finite(maxima[lane], elements));
                    }
                    lane += 1;
                }
                columns.write(0, results);
            });
        }
    }
}
