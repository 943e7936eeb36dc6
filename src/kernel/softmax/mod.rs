//! `softmax`, `log_softmax` and `log_sum_exp`.
//!
//! Long rows are computed one by one, and short rows side by side ([`columns`]). A long row takes three steps while it is in the cache. The
//! first finds its maximum. The second stores the exponentials of the distances to the maximum, and adds them up. The third divides by the
//! sum. The order of additions depends only on the length of the row: 32 lanes, which start anew for each block of 512 elements and are
//! added up in `f64`. So results do not depend on threads, instruction sets and layouts.
//!
//! Rows of small floats are decoded into scratch memory of `f32` and encoded from there. Long rows that do not lie along the last axis
//! are copied first.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod columns;

use core::marker::PhantomData;
use std::borrow::Cow;

use columns::{SoftmaxColumns, each_column};

use super::cast::{cast, chain_from_compute, chain_to_compute, copied};
use super::reduce::plan::AxisSplit;
use crate::array::{Array, Dims, PerAxis, Uninit};
use crate::dtype::compute::{Functions, exp_or_zero};
use crate::dtype::{DType, Kind, compute_dtype};
use crate::error::Error;
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::simd::{
    Body, Isa, Kernel, LANES, black_box_usize, for_level, lanes, load, store, store_part,
};

/// A function of the exponentials of a row, with the row's maximum subtracted from the exponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SoftmaxOp {
    /// Each exponential divided by their sum.
    Softmax,
    /// The logarithm of [`Self::Softmax`].
    LogSoftmax,
    /// The logarithm of the sum.
    LogSumExp,
}

impl SoftmaxOp {
    #[cfg(test)]
    pub(crate) const ALL: &[Self] = &[Self::Softmax, Self::LogSoftmax, Self::LogSumExp];

    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Softmax => "softmax",
            Self::LogSoftmax => "log_softmax",
            Self::LogSumExp => "log_sum_exp",
        }
    }

    /// Returns whether the result has one element for each row.
    pub(crate) const fn is_reduction(self) -> bool {
        matches!(self, Self::LogSumExp)
    }

    /// Checks that a dtype of results has the function.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`].
    pub(crate) fn check(self, out: DType) -> Result<(), Error> {
        match out.kind() {
            Kind::Float => Ok(()),
            _ => Err(Error::UnsupportedDType {
                operation: self.name(),
                dtype: out,
            }),
        }
    }

    fn kernel<T: SoftmaxFloat>(self) -> Kernel {
        match self {
            Self::Softmax => for_level::<Softmax<T>>(),
            Self::LogSoftmax => for_level::<LogSoftmax<T>>(),
            Self::LogSumExp => for_level::<LogSumExp<T>>(),
        }
    }
}

/// About how long an element takes, in additions.
const COST: usize = 16;

/// Computes the function along axes, which must be sorted, distinct and exist. Elements are cast to `out`, small floats are computed
/// in `f32`, and results are rounded once. The result has the shape of `x`. The result of a reduction lacks the axes, or has them
/// with size one. The logarithm of no exponentials is -inf.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::UnsupportedDType`] if `out` is not a float, [`Error::OutOfMemory`].
pub(crate) fn softmax(
    op: SoftmaxOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    op.check(out)?;
    let axes = PerAxis::new(axes)?;
    let split = AxisSplit::new(op.name(), x.dims(), &axes, keep_dims)?;
    // The order of axes in which each row is contiguous; `None` if it is that of `x`.
    let is_ordered = split.kept_axes.iter().chain(&*axes).is_sorted();
    let order = (!is_ordered).then(|| [&*split.kept_axes, &*axes].concat());
    let depth: usize = split.reduced.iter().product();
    let count: usize = split.kept.iter().product();
    let x = cast(Cow::Borrowed(x), out)?;
    if depth > 0 && count >= LANES {
        let columns = SoftmaxColumns::of(&x, &axes, depth);
        if columns.is_some() || depth < MAX_COPIED_DEPTH {
            return by_columns(op, &x, &axes, split, columns);
        }
    }
    let rows = match &order {
        Some(order) => x.permute(order)?,
        None => x,
    };
    let rows = if rows.is_contiguous() {
        rows
    } else {
        copied(&rows)?
    };
    let results = if op.is_reduction() { 1 } else { depth };
    let mut buffer = Uninit::new(count * results * out.size())?;
    // Rows without results are skipped: a view can have more of them than a loop can visit.
    if count * results > 0 {
        // SAFETY: `rows` has `count` rows of `depth` elements of `out` and is contiguous, and the buffer has room for the results of each.
        unsafe {
            each_row(
                op,
                out,
                [rows.as_ptr(), buffer.as_mut_ptr()],
                [count, depth],
            )?;
        }
    }
    // SAFETY: each of the rows has been computed, and wrote its results; or there are no results.
    let buffer = unsafe { buffer.assume_init() };
    if op.is_reduction() {
        return Ok(Array::from_buffer(buffer, out, split.result));
    }
    let result = Array::from_buffer(buffer, out, *rows.dims());
    match order {
        Some(order) => copied(&result.permute(&inverse(&order)?)?),
        None => Ok(result),
    }
}

/// Rows of fewer elements that do not lie side by side are copied to columns. Longer rows fill most of their packs, so a copy would cost
/// more than it gains.
const MAX_COPIED_DEPTH: usize = 2 * LANES;

/// [`softmax`] of short rows as columns. `in_place` says how the columns lie in `x`; `None` if they must be copied first. `x` has the dtype of
/// the result.
fn by_columns(
    op: SoftmaxOp,
    x: &Array,
    axes: &[usize],
    split: AxisSplit,
    in_place: Option<SoftmaxColumns>,
) -> Result<Array, Error> {
    let (out, depth) = (x.dtype(), split.reduced.iter().product::<usize>());
    let count = x.len() / depth;
    let order = [axes, &*split.kept_axes].concat();
    let (x, columns) = match in_place {
        Some(columns) => (x.clone(), columns),
        None => (
            copied(&x.permute(&order)?)?,
            SoftmaxColumns {
                blocks: 1,
                depth,
                columns: count,
            },
        ),
    };
    let results = if op.is_reduction() { count } else { x.len() };
    let mut buffer = Uninit::new(results * out.size())?;
    // SAFETY: `x` is contiguous, with the axes of `columns`, and the buffer has room for the results.
    let buffer = unsafe {
        each_column(op, out, [x.as_ptr(), buffer.as_mut_ptr()], columns)?;
        buffer.assume_init()
    };
    if op.is_reduction() {
        return Ok(Array::from_buffer(buffer, out, split.result));
    }
    let result = Array::from_buffer(buffer, out, *x.dims());
    match in_place {
        Some(_) => Ok(result),
        None => copied(&result.permute(&inverse(&order)?)?),
    }
}

/// The permutation that undoes another.
fn inverse(order: &[usize]) -> Result<Dims, Error> {
    let mut inverse = Dims::new(order)?;
    for (to, axis) in order.iter().enumerate() {
        inverse[*axis] = to;
    }
    Ok(inverse)
}

/// Computes rows of elements of `dtype`, on several threads if there are enough.
///
/// # Errors
/// If there is no memory for a row of `f32`.
///
/// # Safety
/// `count` rows of `depth` elements can be read at `from`, and their results written at `to`.
unsafe fn each_row(
    op: SoftmaxOp,
    dtype: DType,
    [from, to]: [*const u8; 2],
    [count, depth]: [usize; 2],
) -> Result<(), Error> {
    let compute = compute_dtype(dtype);
    let kernel = match compute {
        DType::F64 => op.kernel::<f64>(),
        _ => op.kernel::<f32>(),
    };
    let results = if op.is_reduction() { 1 } else { depth };
    let (decode, encode) = (chain_to_compute(dtype, compute), chain_from_compute(dtype));
    let (decode, encode) = (decode.first(), encode.first());
    let shared = SendPtr::new((from, to.cast_mut()));
    let min_len = MIN_WORK_PER_THREAD / COST / depth.max(1);
    let run = |rows: core::ops::Range<usize>| {
        let (from, to) = shared.get();
        let mut scratch = Uninit::new(if decode.is_some() {
            depth.max(1) * compute.size()
        } else {
            0
        })?;
        let scratch = scratch.as_mut_ptr();
        for row in rows {
            let from = from.wrapping_add(row * depth * dtype.size());
            let to = to.wrapping_add(row * results * dtype.size());
            // SAFETY: the row is below `count`, so the caller guarantees its elements and room for its results. The scratch
            // memory has room for a row, or one result, in the compute type, and loops may write to their input.
            unsafe {
                match (decode, encode) {
                    (Some(decode), Some(encode)) => {
                        decode([from].as_ptr(), scratch, depth);
                        kernel([scratch.cast_const()].as_ptr(), scratch, depth);
                        encode([scratch.cast_const()].as_ptr(), to, results);
                    }
                    _ => kernel([from].as_ptr(), to, depth),
                }
            }
        }
        Ok(())
    };
    try_split(count, 1, min_len, run)
}

/// Floats with the exponential that rows need.
trait SoftmaxFloat: Copy + PartialOrd + 'static {
    const LOWEST: Self;
    const ZERO: Self;
    /// Returns the exponential of the distance to the maximum, which is not positive. NaN stays.
    fn power<I: Isa>(self, maximum: Self) -> Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn wide(self) -> f64;
    fn of(wide: f64) -> Self;
}

impl SoftmaxFloat for f32 {
    const LOWEST: Self = Self::NEG_INFINITY;
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn power<I: Isa>(self, maximum: Self) -> Self {
        exp_or_zero::<I>(self - maximum)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    #[expect(clippy::as_conversions, reason = "rounding to `f32`")]
    fn of(wide: f64) -> Self {
        wide as Self
    }
}

impl SoftmaxFloat for f64 {
    const LOWEST: Self = Self::NEG_INFINITY;
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn power<I: Isa>(self, maximum: Self) -> Self {
        Functions::exp::<I>(self - maximum)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn of(wide: f64) -> Self {
        wide
    }
}

/// Runs code with the position, the elements and the length of each pack of a part of a row, of which all elements can be read. Positions
/// past its end hold -inf, whose exponential is zero.
///
/// The last pack stands outside the loop: its length would make a call of a library of each store. (A macro, because LLVM does not inline
/// closures with an exponential, and compiles them for the baseline.)
macro_rules! each_pack {
    ($row:ident, $part:expr, |$at:ident, $pack:ident, $len:ident| $body:expr) => {{
        let part: core::ops::Range<usize> = $part;
        let mut $at = part.start;
        while part.end - $at >= LANES {
            let ($pack, $len) = (load::<_, LANES>($row.add($at)), LANES);
            $body;
            $at = black_box_usize($at + LANES);
        }
        let $len = part.end - $at;
        if $len > 0 {
            let mut $pack = [T::LOWEST; LANES];
            $row.add($at)
                .copy_to_nonoverlapping($pack.as_mut_ptr(), $len);
            $body;
        }
    }};
}

/// Stores the first `len` lanes of a pack, or all.
///
/// # Safety
/// `len` elements can be written.
#[inline(always)]
unsafe fn store_at<T: SoftmaxFloat>(to: *mut T, pack: [T; LANES], len: usize) {
    // SAFETY: the caller guarantees room for `len` elements.
    unsafe {
        if len == LANES {
            store(to, pack);
        } else {
            store_part(to, &pack, len);
        }
    }
}

/// The greatest of a row's elements that are not NaN; -inf if there is none.
///
/// # Safety
/// `len` elements can be read.
#[inline(always)]
unsafe fn maximum<T: SoftmaxFloat>(row: *const T, len: usize) -> T {
    let greater = |a: T, b: T| if b > a { b } else { a };
    let mut greatest = [T::LOWEST; LANES];
    // SAFETY: the caller guarantees `len` elements.
    unsafe {
        each_pack!(row, 0..len, |at, pack, _count| {
            greatest = lanes(|lane| greater(greatest[lane], pack[lane]));
        });
    }
    tree(greatest, greater)
}

/// Calls a function with the exponentials of each pack's distances to the maximum, and returns the sum of all exponentials.
///
/// # Safety
/// `len` elements can be read, also after calls of the function.
#[inline(always)]
unsafe fn powers<I: Isa, T: SoftmaxFloat>(
    row: *const T,
    len: usize,
    maximum: T,
    mut each: impl FnMut(usize, [T; LANES], usize),
) -> f64 {
    let mut total = 0.0;
    let mut done = 0;
    while done < len {
        let end = (done + BLOCK).min(len);
        let mut sums = [T::ZERO; LANES];
        // SAFETY: the caller guarantees `len` elements, also after calls of the function.
        unsafe {
            each_pack!(row, done..end, |at, pack, count| {
                let powers: [T; LANES] = lanes(|lane| pack[lane].power::<I>(maximum));
                sums = lanes(|lane| sums[lane].add(powers[lane]));
                each(at, powers, count);
            });
        }
        total += tree(sums.map(T::wide), |a, b| a + b);
        done = end;
    }
    total
}

/// Combines the lanes in pairs.
#[inline(always)]
fn tree<T: Copy>(mut pack: [T; LANES], combine: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            pack[lane] = combine(pack[lane], pack[lane + half]);
        }
        half /= 2;
    }
    pack[0]
}

/// Replaces each pack of a row.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`, which may be the same.
#[inline(always)]
unsafe fn map<T: SoftmaxFloat>(from: *const T, to: *mut T, len: usize, f: impl Fn(T) -> T + Copy) {
    // SAFETY: the caller guarantees `len` elements on both sides. A pack is stored after it was read.
    unsafe {
        each_pack!(from, 0..len, |at, pack, count| {
            store_at(to.add(at), lanes(|lane| f(pack[lane])), count);
        });
    }
}

/// The logarithm of the sum of a row's exponentials if its maximum is not finite: they are all zero, or one is infinite. An element that
/// is NaN is the only one that matters.
#[inline(always)]
fn not_finite<T: SoftmaxFloat>(maximum: T, row: impl Iterator<Item = T>) -> f64 {
    row.map(T::wide)
        .find(|x| x.is_nan())
        .unwrap_or(maximum.wide())
}

struct Softmax<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for Softmax<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of type `T` of the input and of the output. A pack is stored after it was
        // read.
        unsafe {
            let (row, to) = ((*inputs).cast::<T>(), output.cast::<T>());
            let maximum = maximum(row, len);
            let sum = powers::<I, _>(row, len, maximum, |at, powers, len| {
                store_at(to.add(at), powers, len);
            });
            let scale = T::of(1.0 / sum);
            map(to, to, len, |power| power.mul(scale));
        }
    }
}

struct LogSoftmax<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for LogSoftmax<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of type `T` of the input and of the output. A pack is stored after it was
        // read.
        unsafe {
            let (row, to) = ((*inputs).cast::<T>(), output.cast::<T>());
            let maximum = maximum(row, len);
            let sum = powers::<I, _>(row, len, maximum, |_, _, _| {});
            let (maximum, log) = (maximum.wide(), Functions::ln(sum));
            map(row, to, len, |x| T::of((x.wide() - maximum) - log));
        }
    }
}

struct LogSumExp<T>(PhantomData<T>);

impl<T: SoftmaxFloat> Body for LogSumExp<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of type `T` of the input, and room for one result.
        unsafe {
            let row = (*inputs).cast::<T>();
            let maximum = maximum(row, len);
            let result = if maximum.wide().is_finite() {
                maximum.wide() + Functions::ln(powers::<I, _>(row, len, maximum, |_, _, _| {}))
            } else {
                not_finite(maximum, (0..len).map(|at| row.add(at).read()))
            };
            output.cast::<T>().write(T::of(result));
        }
    }
}
