//! The positions of extremes.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::kept_order::in_memory_order;
use super::op::ReduceOp;
use super::plan::{AxisSplit, MANY_GROUPS, ReductionPlan, SHORT_GROUP};
use super::reduce;
use super::source::Source;
use crate::array::{Array, Datum, Dims, PerAxis, ScalarBits, Uninit};
use crate::dtype::{DType, compute_dtype};
use crate::error::{Error, named};
use crate::kernel::accumulate::{self, ArgOp};
use crate::kernel::cast::cast;
use crate::kernel::compare::{CompareOp, compare};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, is_split, split, try_split};
use crate::kernel::select::select;
use crate::simd::{Kernel, LANES};

/// The work of a row beside that of its elements, in bytes that are searched in the same time.
const ROW_WORK: usize = 256;

/// The number of groups of a piece that are worth a thread: of fewer that lie side by side, rows are too short. (With 32 columns of `i8` a
/// piece, two threads take 1.6 times as long as one.)
const MIN_COLUMNS: usize = 256;

/// Returns the position of the first extreme along an axis, or among all elements in row-major order. A NaN is more
/// extreme than any number, or skipped if the operation says so: if there is nothing else, the position is -1.
///
/// # Errors
/// [`Error::EmptyReduction`], [`Error::AxisOutOfRange`], [`Error::OutOfMemory`]; if NaN is skipped, [`Error::UnsupportedDType`] of
/// complex numbers.
pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    if skips_nan(op, x.dtype()) {
        return named(op.name(), arg_of_numbers(op, x, axis, keep_dims, out));
    }
    if let Some(positions) = arg_of_contiguous(op, x, axis, keep_dims) {
        return cast(Cow::Owned(positions), out);
    }
    if let Some(axis) = axis
        && let Some(positions) = in_memory_order(x, &[axis], keep_dims, |x, axes| {
            arg_reduce_source(op, Cow::Borrowed(x), axes.first().copied(), false, out)
        })
    {
        return positions;
    }
    arg_reduce_source(op, Cow::Borrowed(x), axis, keep_dims, out)
}

/// Returns whether the operation skips elements that the dtype has.
pub(in crate::kernel) fn skips_nan(op: ArgOp, dtype: DType) -> bool {
    op.skips_nan() && dtype.kind().is_inexact()
}

/// [`arg_reduce`] of the elements that are not NaN: the position of the first one that equals their extreme. No NaN equals it, so the
/// search is one of booleans.
fn arg_of_numbers(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let dtype = x.dtype();
    let extreme = match op.is_greatest() {
        false => ReduceOp::NanMin,
        true => ReduceOp::NanMax,
    };
    let axes = axis.as_ref().map(core::slice::from_ref);
    let extremes = reduce(extreme, x, axes, true, dtype).array()?;
    let compare =
        |op, x, to| compare(op, [dtype; 2], Datum::borrowed(x), Datum::borrowed(to)).array();
    let equal = compare(CompareOp::Eq, x, &extremes)?;
    let positions = arg_reduce(ArgOp::Max, &equal, axis, keep_dims, DType::I64)?;
    // Only a NaN differs from itself.
    let is_missing = compare(CompareOp::Ne, &extremes, &extremes)?.reshape(positions.shape())?;
    let missing = Datum::ScalarBits(ScalarBits::new(-1_i64));
    let positions = Datum::owned(positions);
    select(Cow::Owned(is_missing), DType::I64, out, missing, positions).array()
}

/// The number of elements that are searched at a time, so that the search finds them in the L1 cache.
const SEARCHED: usize = 1 << 12;
/// The number of elements of the parts of a long row, of which each is searched as a row of its own.
const PART: usize = 1 << 18;

/// Finds the positions in groups that follow one another in memory: for small arrays the general preparation
/// takes longer than the search. `None` if it does not apply, or without memory.
fn arg_of_contiguous(op: ArgOp, x: &Array, axis: Option<usize>, keep_dims: bool) -> Option<Array> {
    let dtype = x.dtype();
    if x.is_empty() || !x.is_contiguous() {
        return None;
    }
    let depth = match axis {
        None => x.len(),
        Some(axis) if axis + 1 == x.rank() => x.shape()[axis],
        Some(_) => return None,
    };
    let count = x.len() / depth;
    let by_rows = match depth {
        ..LANES => None,
        _ => accumulate::arg_rows(op, dtype),
    };
    let is_short = depth < SHORT_GROUP && count >= MANY_GROUPS;
    if by_rows.is_none() && (is_short || compute_dtype(dtype) != dtype) {
        return None;
    }
    let shape = match axis {
        None if !keep_dims => Dims::default(),
        None => Dims::single(x.rank()),
        Some(axis) => AxisSplit::of_existing(x.dims(), &[axis], keep_dims).result,
    };
    let mut buffer = Uninit::new(count * size_of::<i64>()).ok()?;
    let positions = buffer.as_mut_ptr().cast::<i64>();
    let Some(by_rows) = by_rows else {
        let mut search = accumulate::ArgReducer::new(op, dtype);
        for number in 0..count {
            search.restart();
            for done in (0..depth).step_by(SEARCHED) {
                let first = x
                    .as_ptr()
                    .wrapping_add((number * depth + done) * dtype.size());
                // SAFETY: the array is contiguous, and has `count` groups of `depth` elements, of which `depth - done` are left in this one.
                unsafe { search.add(first, SEARCHED.min(depth - done)) };
            }
            // SAFETY: `number < count`, and the buffer has room for `count` positions.
            unsafe { positions.add(number).write(search.position()) };
        }
        // SAFETY: a position of each group was written.
        let buffer = unsafe { buffer.assume_init() };
        return Some(Array::from_buffer(buffer, DType::I64, shape));
    };
    let rows = RowSearch {
        by_rows,
        size: dtype.size(),
    };
    if depth >= 2 * PART {
        for number in 0..count {
            let first = x.as_ptr().wrapping_add(number * depth * dtype.size());
            // SAFETY: the array is contiguous, and has `count` rows of `depth` elements.
            let position = unsafe { rows.position_in_long_row(first, depth) };
            // SAFETY: `number < count`, and the buffer has room for `count` positions.
            unsafe { positions.add(number).write(position) };
        }
    } else {
        // SAFETY: the array is contiguous, and has `count` rows of `depth` elements, at least a pack; the buffer has room for `count`
        // positions.
        unsafe { rows.positions(x.as_ptr(), [count, depth], positions) };
    }
    // SAFETY: a position of each row was written.
    let buffer = unsafe { buffer.assume_init() };
    Some(Array::from_buffer(buffer, DType::I64, shape))
}

/// The search in contiguous rows.
#[derive(Clone, Copy)]
struct RowSearch {
    by_rows: Kernel,
    /// The size of an element in bytes.
    size: usize,
}

impl RowSearch {
    /// Finds the positions in rows of `depth` elements, on several threads if there are many.
    ///
    /// # Safety
    /// `count` rows of `depth` elements can be read at `x`, and `depth` is at least [`LANES`]. There is room for `count` positions.
    unsafe fn positions(self, x: *const u8, [count, depth]: [usize; 2], positions: *mut i64) {
        let shared = SendPtr::new((x, positions));
        let min_len = MIN_WORK_PER_THREAD / (depth * self.size + ROW_WORK);
        split(count, 1, min_len, |piece| {
            let (x, positions) = shared.get();
            let inputs = [
                x.wrapping_add(piece.start * depth * self.size),
                (&raw const depth).cast(),
            ];
            let to = positions.wrapping_add(piece.start).cast();
            // SAFETY: the caller guarantees these rows and room for their positions, which no other piece has.
            unsafe { (self.by_rows)(inputs.as_ptr(), to, piece.len()) };
        });
    }

    /// Returns the position in a row of at least two parts: that of the first extreme among those of its parts.
    ///
    /// # Safety
    /// `depth` elements can be read at `x`, at least `2 * PART`.
    unsafe fn position_in_long_row(self, x: *const u8, depth: usize) -> i64 {
        let parts = depth / PART;
        // The last part has the rest too, which is less than a part.
        let start = |part: usize| part * PART;
        let len = |part: usize| match part + 1 == parts {
            true => depth - start(part),
            false => PART,
        };
        let mut positions = vec![0_i64; parts];
        let shared = SendPtr::new((x, positions.as_mut_ptr()));
        let min_len = MIN_WORK_PER_THREAD / (PART * self.size);
        split(parts, 1, min_len, |piece| {
            let (x, positions) = shared.get();
            for part in piece {
                let (first, len) = (start(part), len(part));
                let inputs = [x.wrapping_add(first * self.size), (&raw const len).cast()];
                // SAFETY: the caller guarantees `depth` elements, of which part `part` has `len` from `first` on, more than `LANES`. There
                // is a position for each part, which no other piece has.
                unsafe { (self.by_rows)(inputs.as_ptr(), positions.add(part).cast(), 1) };
            }
        });
        // The extremes of all parts are a row, which the last one fills up to a pack: a later equal does not count.
        let candidates = parts.max(LANES);
        let mut extremes = vec![0_u128; (candidates * self.size).div_ceil(size_of::<u128>())];
        let to: *mut u8 = extremes.as_mut_ptr().cast();
        let place = |candidate: usize| {
            let part = candidate.min(parts - 1);
            let in_part = usize::try_from(positions[part]).unwrap_or_default();
            start(part) + in_part
        };
        for candidate in 0..candidates {
            let from = x.wrapping_add(place(candidate) * self.size);
            // SAFETY: a position that the search found is one of the `depth` elements. There is room for all candidates.
            unsafe {
                to.add(candidate * self.size)
                    .copy_from_nonoverlapping(from, self.size);
            }
        }
        let inputs = [to.cast_const(), (&raw const candidates).cast()];
        let mut found = 0_i64;
        // SAFETY: there are `candidates` elements, at least a pack, aligned to 16, and room for one position.
        unsafe { (self.by_rows)(inputs.as_ptr(), (&raw mut found).cast(), 1) };
        let found = usize::try_from(found).unwrap_or_default();
        i64::try_from(place(found)).unwrap_or(i64::MAX)
    }
}

/// [`arg_reduce`] of any source.
pub(in crate::kernel) fn arg_reduce_source<S: Source>(
    op: ArgOp,
    mut source: S,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes = match axis {
        Some(axis) => &PerAxis::new(&[axis])?,
        None => &PerAxis::numbers(source.dims().len())?,
    };
    let split = AxisSplit::new(op.name(), source.dims(), axes, keep_dims)?;
    if split.reduces_nothing() {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let count: usize = split.kept.iter().product();
    let mut buffer = Uninit::new(count * size_of::<i64>())?;
    let positions = buffer.as_mut_ptr().cast::<i64>();
    let search = Search { op, axes };
    // SAFETY: all groups have elements, because the reduced axes do. The buffer has room for the position of each of `count` groups.
    unsafe {
        match source.array() {
            Some(array) => search.in_pieces(array, &split, positions)?,
            None => search.all(source, &split, positions)?,
        }
    }
    // SAFETY: the search wrote the position of each group.
    let buffer = unsafe { buffer.assume_init() };
    let positions = Array::from_buffer(buffer, DType::I64, split.result);
    cast(Cow::Owned(positions), out)
}

/// The search along some axes.
#[derive(Clone, Copy)]
struct Search<'a> {
    op: ArgOp,
    axes: &'a [usize],
}

impl Search<'_> {
    /// [`Self::all`] in an array. If it has many elements, several threads search in parts of the first kept axis with more than one
    /// position.
    ///
    /// # Safety
    /// The contract of [`Self::all`].
    unsafe fn in_pieces(
        self,
        x: &Array,
        split: &AxisSplit,
        positions: *mut i64,
    ) -> Result<(), Error> {
        let depth: usize = split.reduced.iter().product();
        let kept = split.kept.iter().position(|size| *size > 1).unwrap_or(0);
        let count = split.kept.get(kept).copied().unwrap_or(1);
        let groups: usize = split.kept.iter().skip(kept + 1).product();
        let min_len = accumulate::MIN_PER_THREAD.div_ceil((groups * depth).max(1));
        let min_len = min_len.max(MIN_COLUMNS.div_ceil(groups.max(1)));
        if !is_split(count, min_len) {
            // SAFETY: the contract is that of this function.
            return unsafe { self.all(Cow::Borrowed(x), split, positions) };
        }
        let axis = split.kept_axes[kept];
        let shared = SendPtr::new(positions);
        try_split(count, LANES, min_len, |piece| {
            let (start, end) = (piece.start.cast_signed(), piece.end.cast_signed());
            let part = x.slice(axis, start, end, 1)?;
            let split = AxisSplit::of_existing(part.dims(), self.axes, false);
            let positions = shared.get().wrapping_add(piece.start * groups);
            // SAFETY: kept axes before this one have a single position, so each position of it has `groups` groups, which follow those of
            // the position before. The caller guarantees that they have elements, and room for their positions, which no other piece has.
            unsafe { self.all(Cow::Owned(part), &split, positions) }
        })
    }

    /// Finds the position in each group.
    ///
    /// # Safety
    /// Each group has an element. There is room for a position of each.
    unsafe fn all<S: Source>(
        self,
        source: S,
        split: &AxisSplit,
        positions: *mut i64,
    ) -> Result<(), Error> {
        let dtype = compute_dtype(source.dtype());
        let mut plan = ReductionPlan {
            operation: self.op.name(),
            strides: source.strides(),
            source,
            split,
            axes: self.axes,
            dtype,
        };
        if plan.columnwise(SHORT_GROUP) {
            let mut search = accumulate::ColumnArgReducer::new(self.op, dtype);
            let widest = search.widest();
            return plan.each_strip(widest, &mut |first, rows| {
                // SAFETY: there is a row for each element of a group, of which the caller guarantees one. `rows` returns elements of
                // `dtype`, for no more groups than are wanted, and there is room for the positions of all groups.
                unsafe { search.search(rows, positions.wrapping_add(first)) };
            });
        }
        let mut search = accumulate::ArgReducer::new(self.op, dtype);
        plan.each(&mut |number, is_last, block, len| {
            // SAFETY: `each` passes blocks of `len` elements of `dtype`, which the reducer was made for.
            unsafe { search.add(block, len) };
            if is_last {
                // SAFETY: `number` is a group's, for each of which the caller guarantees room.
                unsafe { positions.add(number).write(search.position()) };
                search.restart();
            }
        })
    }
}
