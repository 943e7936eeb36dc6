//! Scans: cumulative sums and the like.
//!
//! The axes before the scanned axis count groups of rows, and the axes after it make up a row. Each row of results is
//! the row of results before it, combined with a row of the operand. One pass over the operand converts a block,
//! combines it with the results so far, and converts the results:
//!
//! 1. A block has several groups, several rows of a group, or a part of a row, so that it stays in the L1 cache.
//! 2. Rows of at least [`WIDE`] elements are combined by the loop of the operation on two operands. The results so far are
//!    the last row that it wrote. (A million `f32` in rows of 512, along the first axis: 0.2 of
//!    the time of three passes.)
//! 3. In rows of up to four elements the results so far stay in registers.
//! 4. Parts of rows are prefetched. (4,096 rows of 1,000 `f32`, along the first axis: 0.66 of the time.)
//! 5. Groups and parts of rows are independent of one another, so threads share them.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::cast::chain;
use super::drive::block::{BLOCK, BlockBuffer, CastChain, convert};
use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use super::reduce::op::Accumulate;
use crate::array::{Array, Uninit};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Kind, c128};
use crate::error::Error;
use crate::op::each_scan;
use crate::simd::{Baseline, Kernel, for_types, lanes, prefetch_all};

/// Rows of at least this many elements are combined by a loop with vectors.
const WIDE: usize = 16;
/// The distance at which parts of rows are prefetched, in rows: the hardware prefetcher does not detect their pattern.
const PREFETCHED_ROWS: usize = 2;
/// The work of an element beside its conversions, in additions, in wide rows.
const WORK: usize = 3;
/// [`WORK`] in narrow rows, in which each result waits for the one before. (300,000 `bf16` in rows of 500: 0.66 of the time with two threads.)
const NARROW_WORK: usize = 20;

/// Declares the scans and what their rows say, which `op/scan.rs` explains.
macro_rules! scans {
    ($($name:ident: $Op:ident, $accumulate:ident, $Combine:ident $combine:ident;)*) => {
        /// The operation that a scan repeats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum ScanOp {
            $($Op,)*
        }

        impl ScanOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => stringify!($name),)*
                }
            }

            const fn accumulate(self) -> Accumulate {
                match self {
                    $(Self::$Op => Accumulate::$accumulate,)*
                }
            }

            /// The operation that combines two elements.
            pub(crate) const fn combine(self) -> super::BinaryOp {
                match self {
                    $(Self::$Op => super::BinaryOp::$Combine,)*
                }
            }

            /// Combines rows of elements of the type `T`.
            ///
            /// # Safety
            /// The contract of [`Narrow`].
            unsafe fn combine_rows<T: ComputeType>(
                self,
                source: *const u8,
                results: *mut u8,
                target: *mut u8,
                rows: ScanRows,
            ) {
                let (source, results, target) = (source.cast(), results.cast(), target.cast());
                // SAFETY: the contract is the caller's.
                unsafe {
                    match self {
                        $(Self::$Op => each_width::<T>(source, results, target, rows, <T as ComputeType>::$combine::<Baseline>),)*
                    }
                }
            }
        }
    };
}

each_scan!(kernels scans!);

/// Computes, at each position of an axis, the result for the elements up to it. Accumulates in the dtype of
/// [`reduce`](super::reduce()), but in sequence, and casts each result to `out`.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::UnsupportedDType`], [`Error::OutOfMemory`].
pub(crate) fn scan(op: ScanOp, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
    let [before, dtype] = scan_dtypes(op, x, axis, out)?;
    let x = x.row_major()?;
    let mut buffer = Uninit::new(x.len() * out.size())?;
    if !x.is_empty() {
        let inner = x.shape()[axis + 1..].iter().product();
        let scan = Scan {
            loops: ScanLoops::new(op, dtype),
            from: x.dtype().size(),
            size: dtype.size(),
            to: out.size(),
            before: [chain(x.dtype(), before), chain(before, dtype)],
            after: chain(dtype, out),
            depth: x.shape()[axis],
            inner,
        };
        // SAFETY: the array is contiguous and has as many elements as the new buffer has room for: groups of `depth` rows.
        unsafe { scan.run(x.as_ptr(), buffer.as_mut_ptr(), x.len()) };
    }
    // SAFETY: `run` wrote all elements.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, out, *x.dims()))
}

/// Returns the dtype to which elements are cast first, and the one in which they are combined.
///
/// # Errors
/// [`Error::AxisOutOfRange`]; [`Error::UnsupportedDType`] if the elements have no such operation.
pub(crate) fn scan_dtypes(
    op: ScanOp,
    x: &Array,
    axis: usize,
    out: DType,
) -> Result<[DType; 2], Error> {
    if axis >= x.rank() {
        return Err(Error::AxisOutOfRange {
            operation: op.name(),
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: x.rank(),
        });
    }
    let accumulate = op.accumulate();
    let before = match accumulate.casts_first(x.dtype(), out) {
        true => out,
        false => x.dtype(),
    };
    let dtype = accumulate.dtype(before, out);
    // Complex numbers have sums and products, but no order.
    if accumulate == Accumulate::Element && dtype.kind() == Kind::Complex {
        return Err(Error::UnsupportedDType {
            operation: op.name(),
            dtype,
        });
    }
    Ok([before, dtype])
}

/// Combines rows of a source with the results so far, a row, which it replaces by the last row of results.
///
/// # Safety
/// As many elements can be read at the source and written at the target, which do not overlap. The results have room for a row, and have
/// one if the rows continue others.
type Narrow = unsafe fn(ScanOp, *const u8, *mut u8, *mut u8, ScanRows);

/// The loops that combine rows.
#[derive(Clone, Copy)]
struct ScanLoops {
    op: ScanOp,
    narrow: Narrow,
    wide: Option<Kernel>,
}

impl ScanLoops {
    fn new(op: ScanOp, dtype: DType) -> Self {
        let narrow: Narrow = for_types!(dtype, T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64, DType::I8 => i8,
            DType::I16 => i16, DType::I32 => i32, DType::I64 => i64, DType::F32 => f32, DType::F64 => f64,
            DType::C128 => c128,
        ] => ScanOp::combine_rows::<T>, _ => ScanOp::combine_rows::<BoolByte>);
        Self {
            op,
            narrow,
            wide: super::binary::loops::kernel(op.combine(), dtype),
        }
    }
}

/// A scan of contiguous groups of rows.
#[derive(Clone, Copy)]
struct Scan {
    loops: ScanLoops,
    /// The sizes of an element of the operand, of one that is combined, and of one of the result, in bytes.
    from: usize,
    size: usize,
    to: usize,
    /// The conversions to the dtype in which elements are combined.
    before: [CastChain; 2],
    after: CastChain,
    /// The number of rows of a group.
    depth: usize,
    /// The number of elements of a row.
    inner: usize,
}

/// Scratch memory of a block.
struct ScanBuffers {
    fetched: [BlockBuffer; 2],
    between: [BlockBuffer; 2],
    combined: BlockBuffer,
    /// The results so far: a row, in narrow rows.
    results: BlockBuffer,
    /// The results so far in wide rows, where the loop wrote them. To copy them took most of the time of rows of 512 from memory.
    last: *const u8,
}

/// Rows that are combined by one call.
#[derive(Clone, Copy)]
struct ScanRows {
    /// The first of their elements, counted from the first one of all.
    at: usize,
    groups: usize,
    /// The number of rows in each of the groups.
    rows: usize,
    width: usize,
    /// `true` if they continue the rows before, which then belong to the same group.
    continues: bool,
}

impl Scan {
    /// Scans `len` elements, on several threads if there are many.
    ///
    /// # Safety
    /// `len` elements can be read at `from` and written at `to`, which do not overlap. They are whole groups.
    unsafe fn run(&self, from: *const u8, to: *mut u8, len: usize) {
        let group = self.depth * self.inner;
        let groups = len / group;
        let steps = self.after.len() + self.before.iter().map(|chain| chain.len()).sum::<usize>();
        let work = match self.loops.wide {
            Some(_) if self.inner >= WIDE => WORK,
            _ => NARROW_WORK,
        };
        let min_elements = MIN_WORK_PER_THREAD / (work + steps);
        let shared = SendPtr::new((from, to));
        let scratch = || ScanBuffers {
            fetched: [const { BlockBuffer::empty() }; 2],
            between: [const { BlockBuffer::empty() }; 2],
            combined: BlockBuffer::empty(),
            results: BlockBuffer::empty(),
            last: core::ptr::null(),
        };
        if group <= BLOCK {
            let min_len = min_elements / group;
            split(groups, 1, min_len, |piece| {
                let (from, to) = shared.get();
                let mut scratch = scratch();
                let at_once = BLOCK / group;
                for first in piece.clone().step_by(at_once) {
                    let rows = ScanRows {
                        at: first * group,
                        groups: at_once.min(piece.end - first),
                        rows: self.depth,
                        width: self.inner,
                        continues: false,
                    };
                    // SAFETY: these groups are part of the `len` elements, and no other piece has them. They have at most a block of
                    // elements.
                    unsafe { self.combine(rows, from, to, &mut scratch) };
                }
            });
            return;
        }
        // Long rows are divided into strips of columns. Narrower ones, for more threads, would take longer: each is combined by a call of
        // its own. (A million `f32` along the first axis, in two strips of 250: 1.5 of the time of whole rows, on one thread.)
        let width = self.inner.min(BLOCK);
        let strips = self.inner.div_ceil(width);
        let min_len = min_elements / (self.depth * width);
        split(groups * strips, 1, min_len, |piece| {
            let (from, to) = shared.get();
            let mut scratch = scratch();
            for strip in piece {
                let (number, column) = (strip / strips, strip % strips * width);
                let width = width.min(self.inner - column);
                let at_once = match width == self.inner {
                    true => BLOCK / width,
                    false => 1,
                };
                for row in (0..self.depth).step_by(at_once) {
                    let rows = ScanRows {
                        at: (number * self.depth + row) * self.inner + column,
                        groups: 1,
                        rows: at_once.min(self.depth - row),
                        width,
                        continues: row > 0,
                    };
                    if width < self.inner {
                        let ahead = rows.at + PREFETCHED_ROWS * self.inner;
                        prefetch_all(from.wrapping_add(ahead * self.from), width * self.from);
                        prefetch_all(to.wrapping_add(ahead * self.to), width * self.to);
                    }
                    // SAFETY: these rows, or parts of a row, are part of the `len` elements, and no other piece has them. They have at most a
                    // block of contiguous elements. Those before were combined with the same scratch.
                    unsafe { self.combine(rows, from, to, &mut scratch) };
                }
            }
        });
    }

    /// Converts some rows, combines them with the results so far, and converts these.
    ///
    /// # Safety
    /// The elements of these rows, at most a block, can be read from `from` on and written from `to` on. If they continue others,
    /// `scratch` is as the call for those left it.
    unsafe fn combine(
        &self,
        rows: ScanRows,
        from: *const u8,
        to: *mut u8,
        scratch: &mut ScanBuffers,
    ) {
        let len = rows.groups * rows.rows * rows.width;
        let between = scratch.between.each_mut().map(BlockBuffer::pointer);
        let [first, second] = scratch.fetched.each_mut().map(BlockBuffer::pointer);
        let to = to.wrapping_add(rows.at * self.to);
        let combined = match self.after {
            [] => to,
            _ => scratch.combined.pointer(),
        };
        // SAFETY: the caller guarantees `len <= BLOCK` elements of the operand. Each scratch has room for a block of elements of any
        // type, and they do not overlap.
        let source = unsafe {
            let source = from.add(rows.at * self.from);
            let source = convert(self.before[0], source, len, first, between);
            convert(self.before[1], source, len, second, between)
        };
        // SAFETY: there are as many elements at the source and at `combined`, which do not overlap. If they continue others, `scratch` is as
        // the call for those left it; it has room for a row of results.
        unsafe {
            match self.loops.wide {
                Some(kernel) if rows.width >= WIDE => {
                    scratch.last = self.combine_wide(kernel, rows, source, combined, scratch.last);
                }
                _ => {
                    let results = scratch.results.pointer();
                    (self.loops.narrow)(self.loops.op, source, results, combined, rows);
                }
            }
        }
        if !self.after.is_empty() {
            // SAFETY: `combined` has `len` elements, and there is room for as many at `to`, which the caller guarantees.
            unsafe { convert(self.after, combined, len, to, between) };
        }
    }

    /// Combines rows by the loop of the operation on two operands, which reads the row before and writes the next one. Returns the last
    /// row.
    ///
    /// # Safety
    /// As many elements can be read at the source and written at the target, which do not overlap. If they continue others, `before` is
    /// the row before: in the target, the first row or one after the rows to be written, or in other memory.
    unsafe fn combine_wide(
        &self,
        kernel: Kernel,
        rows: ScanRows,
        source: *const u8,
        target: *mut u8,
        mut before: *const u8,
    ) -> *const u8 {
        let row = rows.width * self.size;
        for number in 0..rows.groups * rows.rows {
            let at = number * row;
            let begins = !rows.continues && number % rows.rows == 0;
            // SAFETY: these are rows at the source and the target, which do not overlap. The row before is the one written last, or the
            // caller's: it is the row to be written now, or does not overlap it.
            unsafe {
                let (source, target) = (source.add(at), target.add(at));
                match begins {
                    true => target.copy_from_nonoverlapping(source, row),
                    false => kernel([before, source].as_ptr(), target, rows.width),
                }
                before = target;
            }
        }
        before
    }
}

/// [`Narrow`] of elements of the type `T`: rows of up to four elements keep their results in registers.
///
/// # Safety
/// The contract of [`Narrow`].
unsafe fn each_width<T: ComputeType>(
    source: *const T,
    results: *mut T,
    target: *mut T,
    rows: ScanRows,
    combine: impl Fn(T, T) -> T + Copy,
) {
    // SAFETY: the contract is the caller's. A row of the width `W` is an array of as many elements.
    unsafe {
        match rows.width {
            1 => rows_of::<T, 1>(source.cast(), results.cast(), target.cast(), rows, combine),
            2 => rows_of::<T, 2>(source.cast(), results.cast(), target.cast(), rows, combine),
            3 => rows_of::<T, 3>(source.cast(), results.cast(), target.cast(), rows, combine),
            4 => rows_of::<T, 4>(source.cast(), results.cast(), target.cast(), rows, combine),
            width => {
                for number in 0..rows.groups * rows.rows {
                    let begins = !rows.continues && number % rows.rows == 0;
                    for column in 0..width {
                        let at = number * width + column;
                        let next = source.add(at).read();
                        let result = results.add(column);
                        let combined = match begins {
                            true => next,
                            false => combine(result.read(), next),
                        };
                        result.write(combined);
                        target.add(at).write(combined);
                    }
                }
            }
        }
    }
}

/// [`each_width`] of rows of `W` elements.
///
/// # Safety
/// The contract of [`Narrow`].
unsafe fn rows_of<T: Copy, const W: usize>(
    source: *const [T; W],
    results: *mut [T; W],
    target: *mut [T; W],
    rows: ScanRows,
    combine: impl Fn(T, T) -> T + Copy,
) {
    let first = usize::from(!rows.continues);
    for group in 0..rows.groups {
        // SAFETY: the caller guarantees `rows.rows` rows of each group at the source and the target, and room for one at the results, which
        // have one if the rows continue others.
        unsafe {
            let at = group * rows.rows;
            let (source, target) = (source.add(at), target.add(at));
            let mut last = match rows.continues {
                true => results.read(),
                false => {
                    let last = source.read();
                    target.write(last);
                    last
                }
            };
            for row in first..rows.rows {
                let next = source.add(row).read();
                last = lanes(|column| combine(last[column], next[column]));
                target.add(row).write(last);
            }
            results.write(last);
        }
    }
}
