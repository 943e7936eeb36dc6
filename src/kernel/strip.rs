//! The driver of element-by-element loops.
//!
//! Loops see contiguous memory only. The driver merges dimensions that can be walked as one, and walks
//! the output, which is row-major, in strips of at most [`STRIP`] elements. What an operand has to
//! contribute to a strip is read in place where it lies so; else it is gathered into scratch that
//! stays in the L1 cache, and converted there. What a strip has in common with the one before (a
//! broadcast row or scalar) is not gathered again.
#![allow(unsafe_code, reason = "walks raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::cast::Path;
use super::lanes::{Kernel, for_types};
use super::parallel::{LEAST, Shared, split};
use super::stream::{self, Block, LARGEST_PIECE, Sink};
use crate::array::{Dims, MAX_RANK, Strides};

/// Elements in a strip.
pub(super) const STRIP: usize = 512;
/// Rows shorter than this are not walked one by one, but gathered several to a strip.
pub(super) const LONG_ROW: usize = 128;
/// What the largest elements take in a strip.
pub(super) const STRIP_BYTES: usize = STRIP * 16;
pub(super) const MAX_OPERANDS: usize = 3;

/// Something to read, element by element, along the output.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    /// The element at index zero of the output.
    pub(super) pointer: *const u8,
    /// One per axis of the output.
    pub(super) strides: Strides,
    /// The size of an element, in bytes.
    pub(super) size: usize,
    /// What converts elements into those the loop takes.
    pub(super) path: Path,
}

/// Contiguous elements to read along the output, or one again and again.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) pointer: *const u8,
    /// The size of an element, in bytes.
    pub(super) size: usize,
    /// Whether there is only one.
    pub(super) repeats: bool,
    /// What converts elements into those the loop takes.
    pub(super) path: Path,
}

impl Source {
    pub(super) const NONE: Self = Self {
        pointer: core::ptr::null(),
        size: 0,
        repeats: false,
        path: &[],
    };

    /// Whether the loop can read it where it lies.
    fn in_place(&self) -> bool {
        !self.repeats && self.path.is_empty()
    }

    /// The element that a strip begins with.
    fn at(&self, position: usize) -> *const u8 {
        let passed = if self.repeats { 0 } else { position };
        self.pointer.wrapping_add(passed * self.size)
    }
}

/// A loop, with what follows it.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) pointer: *mut u8,
    pub(super) kernel: Kernel,
    /// What converts the loop's results; they are `f32` if there is such a conversion.
    pub(super) path: Path,
    /// The size of an element after conversion, in bytes.
    pub(super) size: usize,
    /// About how long the loop takes for an element, in additions.
    pub(super) cost: usize,
}

/// Room for a strip of any elements.
#[repr(C, align(64))]
pub(super) struct Strip([MaybeUninit<u8>; STRIP_BYTES]);

/// What the loop reads, by operand; what conversions hand to each other; what the loop writes.
pub(super) struct Conversions {
    pub(super) operands: [Strip; MAX_OPERANDS],
    pub(super) between: [Strip; 2],
    pub(super) result: Strip,
}

/// The same, and what is to be streamed.
pub(super) struct Scratch {
    pub(super) strips: Conversions,
    pub(super) output: Block,
}

impl Strip {
    pub(super) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; STRIP_BYTES])
    }

    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Runs a loop over whole arrays.
///
/// # Safety
/// Along the shape, each operand's elements can be read; the output's, row-major and contiguous,
/// can be written. Paths and loop fit one another and the element types. The output overlaps an
/// operand only if that operand's elements are contiguous, no larger, and start where it does.
pub(super) unsafe fn run(shape: &Dims, operands: &[Operand], output: &Output) {
    assert!(operands.len() <= MAX_OPERANDS, "room in the scratch memory");
    let all_ways = &mut [Way::START; MAX_OPERANDS];
    let ways = &mut all_ways[..operands.len()];
    let walk = Walk::merged(shape, operands, ways);
    let total = walk.total;
    if total == 0 {
        return;
    }
    if all_contiguous(ways) {
        let mut sources = [Source::NONE; MAX_OPERANDS];
        for (source, operand) in sources.iter_mut().zip(operands) {
            *source = Source {
                pointer: operand.pointer,
                size: operand.size,
                repeats: false,
                path: operand.path,
            };
        }
        // SAFETY: the caller's.
        return unsafe { run_contiguous(total, &sources[..operands.len()], output) };
    }
    let read = ways.iter().zip(operands);
    let read = read.map(|(way, operand)| way.period.min(total) * operand.size);
    let in_place = |operand: &Operand| core::ptr::addr_eq(operand.pointer, output.pointer);
    let streams = stream::is_worthwhile(read.sum::<usize>() + total * output.size)
        && !operands.iter().any(in_place);
    match walk.across(ways, operands) {
        Some(axis) => {
            let mut result = Strip::empty();
            let mut write = |inputs: &[*const u8], len, to| {
                // SAFETY: the inputs hold `len` elements such as the loop takes; there is room for as many.
                unsafe { output.write(inputs, len, &mut result, to) }
            };
            let (to, size) = (output.pointer, output.size);
            // SAFETY: the caller's.
            unsafe { walk.run_tiles(axis, ways, operands, (to, size), streams, &mut write) }
        }
        None => {
            let converts = operands.iter().any(|operand| !operand.path.is_empty());
            let (mut longest, ends_with_row) =
                walk.strip_length(ways, converts || !output.path.is_empty());
            if streams {
                longest = longest.min(LARGEST_PIECE / output.size);
            }
            let least = output.least(operands.iter().map(|operand| operand.path));
            let (mut all, count) = ([operands[0]; MAX_OPERANDS], operands.len());
            all[..count].copy_from_slice(operands);
            let (shared, ways) = (Shared::new((all, *output)), *all_ways);
            split(total, longest, least, |piece| {
                let (operands, output) = shared.get();
                let (operands, mut ways) = (&operands[..count], ways);
                let strips = (longest, ends_with_row);
                // SAFETY: the caller's; each piece of the output is written by one thread.
                unsafe { walk.run(piece, strips, &mut ways, operands, &output, streams) }
            });
        }
    }
}

/// Runs a loop over contiguous operands.
///
/// # Safety
/// That of [`run`], for this many elements.
pub(super) unsafe fn run_contiguous(total: usize, sources: &[Source], output: &Output) {
    let moved = sources.iter().filter(|source| !source.repeats);
    let read = moved.map(|source| source.size).sum::<usize>();
    let over = |source: &Source| core::ptr::addr_eq(source.pointer, output.pointer);
    let streams = stream::is_worthwhile((read + output.size).saturating_mul(total))
        && !sources.iter().any(over);
    let least = output.least(sources.iter().map(|source| source.path));
    let mut all = [Source::NONE; MAX_OPERANDS];
    let count = sources.len();
    all[..count].copy_from_slice(sources);
    let shared = Shared::new((all, *output));
    split(total, STRIP, least, |piece| {
        let (sources, output) = shared.get();
        // SAFETY: the caller's; each piece of the output is written by one thread.
        unsafe { run_piece(piece, &sources[..count], &output, streams) }
    });
}

/// Runs a loop over a piece of contiguous operands.
///
/// # Safety
/// That of [`run`], for the elements of the piece. The output is not streamed if it is read.
unsafe fn run_piece(piece: Range<usize>, sources: &[Source], output: &Output, streams: bool) {
    let in_place = sources.iter().all(Source::in_place) && output.path.is_empty();
    let mut scratch = MaybeUninit::<Conversions>::uninit();
    // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
    let scratch = unsafe { scratch.assume_init_mut() };
    let mut lay_out = piece.len().min(STRIP);
    let mut write = |done: usize, len, to| {
        let position = piece.start + done;
        if in_place {
            let mut inputs = [core::ptr::null(); MAX_OPERANDS];
            for (input, source) in inputs.iter_mut().zip(sources) {
                *input = source.at(position);
            }
            // SAFETY: the loop takes the elements as they are.
            unsafe { (output.kernel)(inputs.as_ptr(), to, len) };
        } else {
            let place = (position, len, to);
            // SAFETY: the caller's; the first piece lays out what repeats.
            unsafe {
                run_strips_in(
                    scratch,
                    core::mem::take(&mut lay_out),
                    place,
                    sources,
                    output,
                )
            };
        }
    };
    let to = output.pointer.wrapping_add(piece.start * output.size);
    // SAFETY: the caller's; all elements are written.
    unsafe { stream::in_pieces(to, output.size, piece.len(), streams, &mut write) }
}

/// Runs a loop over few elements of contiguous operands that are to be converted, or whose results are.
///
/// # Safety
/// That of [`run`], for this many elements; no operand repeats an element.
#[inline(never)]
pub(super) unsafe fn run_strips(len: usize, sources: &[Source], output: &Output) {
    debug_assert!(sources.iter().all(|source| !source.repeats));
    let mut scratch = MaybeUninit::<Conversions>::uninit();
    // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
    let scratch = unsafe { scratch.assume_init_mut() };
    // SAFETY: the caller's.
    unsafe { run_strips_in(scratch, 0, (0, len, output.pointer), sources, output) }
}

/// Runs a loop over contiguous operands of which some repeat an element, or are to be converted, or whose results are.
///
/// # Safety
/// That of [`run`], for this many elements from a position on, which are written to `to`. What repeats lies in the
/// scratch, as left by an earlier call for as many or more, or is laid out there so many times.
#[inline]
unsafe fn run_strips_in(
    scratch: &mut Conversions,
    lay_out: usize,
    (position, len, to): (usize, usize, *mut u8),
    sources: &[Source],
    output: &Output,
) {
    assert!(sources.len() <= MAX_OPERANDS, "room in the scratch memory");
    debug_assert!(lay_out <= STRIP);
    let [free, used] = scratch.between.each_mut().map(Strip::pointer);
    let mut inputs = [core::ptr::null(); MAX_OPERANDS];
    for (number, source) in sources.iter().enumerate() {
        if source.repeats {
            let fetched = scratch.operands[number].pointer();
            inputs[number] = fetched.cast_const();
            if lay_out > 0 {
                let room = if source.path.is_empty() {
                    fetched
                } else {
                    used
                };
                // SAFETY: there is an element of this size; a strip fits the scratch.
                unsafe {
                    copy_strided(source.size, source.pointer, 0, lay_out, room);
                    convert(source.path, room, lay_out, fetched, [free, used]);
                }
            }
        }
    }
    for done in (0..len).step_by(STRIP) {
        let strip = (len - done).min(STRIP);
        for (number, source) in sources.iter().enumerate() {
            if !source.repeats {
                let fetched = scratch.operands[number].pointer();
                let from = source.at(position + done);
                // SAFETY: the caller's; a strip fits the scratch.
                inputs[number] =
                    unsafe { convert(source.path, from, strip, fetched, [free, used]) };
            }
        }
        // SAFETY: the inputs are such as the loop takes; the output has as many elements left.
        unsafe {
            let to = to.add(done * output.size);
            output.write(&inputs, strip, &mut scratch.result, to);
        }
    }
}

/// Elements after a path: where they are, or in `fetched` if there are steps.
///
/// # Safety
/// The source holds `len` elements such as the path takes; `fetched` and, with more than one step, `between` have room
/// for as many of any size. The source may be the second of these.
#[inline]
pub(super) unsafe fn convert(
    path: Path,
    mut source: *const u8,
    len: usize,
    fetched: *mut u8,
    [mut free, mut used]: [*mut u8; 2],
) -> *const u8 {
    let Some((last, before)) = path.split_last() else {
        return source;
    };
    for kernel in before {
        // SAFETY: the source holds `len` elements, the scratch has room for as many of any size, and is not what the
        // loop reads.
        unsafe { kernel(&source, free, len) };
        source = free;
        core::mem::swap(&mut free, &mut used);
    }
    // SAFETY: as above.
    unsafe { last(&source, fetched, len) };
    fetched
}

impl Output {
    /// How many elements a thread gets at least, which are converted along these paths.
    fn least(&self, paths: impl Iterator<Item = Path>) -> usize {
        let steps = self.path.len() + paths.map(<[_]>::len).sum::<usize>();
        LEAST / (self.cost + steps)
    }

    /// Writes a strip.
    ///
    /// # Safety
    /// The inputs hold `len` elements such as the loop takes, and there is room for the results. If those are
    /// converted, there are at most [`STRIP`].
    #[inline]
    pub(super) unsafe fn write(
        &self,
        inputs: &[*const u8],
        len: usize,
        result: &mut Strip,
        to: *mut u8,
    ) {
        match self.path.first() {
            // SAFETY: the caller's.
            None => unsafe { (self.kernel)(inputs.as_ptr(), to, len) },
            Some(encode) => {
                let results = result.pointer();
                // SAFETY: the caller's; the results are at most a strip of `f32`.
                unsafe {
                    (self.kernel)(inputs.as_ptr(), results, len);
                    encode(&results.cast_const(), to, len);
                }
            }
        }
    }
}

/// The dimensions of a shape, merged where all operands walk them as one.
pub(super) struct Walk {
    pub(super) rank: usize,
    /// The number of elements.
    pub(super) total: usize,
    pub(super) sizes: [usize; MAX_RANK],
}

/// An operand's way through the merged dimensions.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) strides: [isize; MAX_RANK],
    /// Whether the operand is row-major as a whole.
    contiguous: bool,
    /// After how many elements it repeats itself.
    pub(super) period: usize,
    /// Where the strip that lies in its scratch began, and how long it is.
    cached: Option<(isize, usize)>,
}

impl Way {
    /// Of an operand that [`Walk::merged`] has yet to see.
    pub(super) const START: Self = Self {
        strides: [0; MAX_RANK],
        contiguous: true,
        period: 1,
        cached: None,
    };

    /// Where the element at an index lies, in elements.
    pub(super) fn offset(&self, index: &[usize; MAX_RANK]) -> isize {
        let parts = index.iter().zip(&self.strides);
        parts
            .map(|(index, stride)| index.cast_signed() * stride)
            .sum()
    }
}

fn all_contiguous(ways: &[Way]) -> bool {
    ways.iter().all(|way| way.contiguous)
}

impl Walk {
    /// Writes each operand's way, which was [`Way::START`].
    pub(super) fn merged(shape: &Dims, operands: &[Operand], ways: &mut [Way]) -> Self {
        let mut walk = Self {
            rank: 0,
            total: shape.iter().product(),
            sizes: [1; MAX_RANK],
        };
        for (axis, size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            let extent = size.cast_signed();
            let merges = walk.rank > 0
                && operands.iter().zip(ways.iter()).all(|(operand, way)| {
                    way.strides[walk.rank - 1] == operand.strides[axis].wrapping_mul(extent)
                });
            if merges {
                walk.sizes[walk.rank - 1] *= size;
            } else {
                walk.sizes[walk.rank] = *size;
                walk.rank += 1;
            }
            for (operand, way) in operands.iter().zip(ways.iter_mut()) {
                way.strides[walk.rank - 1] = operand.strides[axis];
            }
        }
        let sizes = &walk.sizes[..walk.rank];
        for way in ways {
            let mut inner = 1_usize;
            for (size, stride) in sizes.iter().zip(&way.strides).rev() {
                way.contiguous &= *stride == inner.cast_signed();
                inner *= size;
                if *stride != 0 {
                    way.period = inner;
                }
            }
        }
        walk
    }

    /// How many elements a strip takes at most, and whether it must end where a row does.
    pub(super) fn strip_length(&self, ways: &[Way], scratch_used: bool) -> (usize, bool) {
        if all_contiguous(ways) {
            return (STRIP, false);
        }
        let row = self.row();
        if row >= LONG_ROW {
            let in_place = ways.iter().all(|way| way.strides[self.rank - 1] == 1);
            let whole_rows = in_place && !scratch_used;
            return (if whole_rows { row } else { STRIP }, true);
        }
        // A whole number of periods makes every strip of a periodic operand the same.
        let periods = ways.iter().map(|way| way.period);
        let common = periods
            .filter(|period| *period < self.total)
            .try_fold(1, |common, period| {
                Some(lcm(common, period)).filter(|common| *common <= STRIP)
            });
        match common {
            Some(common) => (STRIP / common * common, false),
            None => (STRIP, false),
        }
    }

    /// The number of elements in a row: along the last of the merged dimensions.
    pub(super) fn row(&self) -> usize {
        self.sizes[self.rank.saturating_sub(1)]
    }

    /// How many elements of a row are left at an index within it.
    pub(super) fn left_in_row(&self, index: &[usize; MAX_RANK]) -> usize {
        self.row() - index[self.rank.saturating_sub(1)]
    }

    /// Whether strips of an operand may have to be gathered, and whether such a strip can serve again:
    /// then its memory belongs to the operand alone.
    pub(super) fn gathers(&self, way: &Way) -> (bool, bool) {
        let periodic = way.period < self.total && way.period <= STRIP;
        let repeats = way.strides[self.rank.saturating_sub(1)] == 0;
        (!way.contiguous, periodic || repeats)
    }

    pub(super) fn index_at(&self, position: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = position;
        for axis in (0..self.rank).rev() {
            index[axis] = left % self.sizes[axis];
            left /= self.sizes[axis];
        }
        index
    }

    /// The index with this number among those that are zero along an axis and along the last.
    pub(super) fn index_without(&self, number: usize, axis: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = number;
        for at in (0..self.rank - 1).rev().filter(|at| *at != axis) {
            index[at] = left % self.sizes[at];
            left /= self.sizes[at];
        }
        index
    }

    pub(super) fn position_of(&self, index: &[usize; MAX_RANK]) -> usize {
        let axes = index.iter().zip(&self.sizes).take(self.rank);
        axes.fold(0, |position, (index, size)| position * size + index)
    }

    /// Runs over a range of positions, in strips so long at most, or to the end of a row.
    ///
    /// # Safety
    /// That of [`run`], for these positions.
    #[inline(never)]
    unsafe fn run(
        &self,
        range: Range<usize>,
        (longest, ends_with_row): (usize, bool),
        ways: &mut [Way],
        operands: &[Operand],
        output: &Output,
        streams: bool,
    ) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        // SAFETY: `Scratch` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { scratch.assume_init_mut() };
        let to = output.pointer.wrapping_add(range.start * output.size);
        let mut sink = Sink::new(to, streams.then_some(&mut scratch.output));
        let between = scratch.strips.between.each_mut().map(Strip::pointer);
        let mut position = range.start;
        while position < range.end {
            let index = self.index_at(position);
            let mut len = longest.min(range.end - position);
            if ends_with_row {
                len = len.min(self.left_in_row(&index));
            }
            let mut inputs = [core::ptr::null(); MAX_OPERANDS];
            for (number, (operand, way)) in operands.iter().zip(ways.iter_mut()).enumerate() {
                let fetched = scratch.strips.operands[number].pointer();
                // SAFETY: the caller's; the strip lies within the shape.
                inputs[number] =
                    unsafe { self.fetch(way, operand, (position, &index), len, fetched, between) };
            }
            // SAFETY: inputs hold `len` elements such as the loop takes; the output has as many left.
            unsafe { output.write(&inputs, len, &mut scratch.strips.result, sink.next()) };
            // SAFETY: the output has room for the strip, which was written.
            unsafe { sink.wrote(len * output.size) };
            position += len;
        }
        // SAFETY: all strips were written.
        unsafe { sink.finish() }
    }

    /// An operand's part of a strip, as the loop takes it: where it lies in memory, or in `fetched`.
    ///
    /// # Safety
    /// Along the shape, the operand's elements can be read; its path fits them. The way is the
    /// operand's, and what the last strip left in `fetched` is still there. The strip lies within
    /// the shape, begins at this position and index, and is no longer than [`STRIP`] if anything of
    /// it goes through scratch: then `fetched` and, with more than one step, both of `between` have
    /// room for a strip.
    #[inline]
    pub(super) unsafe fn fetch(
        &self,
        way: &mut Way,
        operand: &Operand,
        (position, index): (usize, &[usize; MAX_RANK]),
        len: usize,
        fetched: *mut u8,
        between: [*mut u8; 2],
    ) -> *const u8 {
        let offset = if way.contiguous {
            position.cast_signed()
        } else {
            way.offset(index)
        };
        let first = operand
            .pointer
            .wrapping_offset(offset * operand.size.cast_signed());
        let last_axis = self.rank.saturating_sub(1);
        let within_row = len <= self.sizes[last_axis] - index[last_axis];
        let in_place = way.contiguous || (within_row && way.strides[last_axis] == 1);
        if in_place && operand.path.is_empty() {
            return first;
        }
        // Where a strip of a periodic operand begins within the period, or a repeated element lies,
        // says all about its contents.
        let contents = if way.period < self.total && way.period <= STRIP {
            Some((position % way.period).cast_signed())
        } else if within_row && way.strides[last_axis] == 0 {
            Some(offset)
        } else {
            None
        };
        if let (Some(contents), Some((cached, cached_len))) = (contents, way.cached)
            && contents == cached
            && len <= cached_len
        {
            return fetched;
        }
        // With conversions still to come, gather into the memory that the first of them reads.
        let mut source = first;
        if !in_place {
            let gathered = if operand.path.is_empty() {
                fetched
            } else {
                between[1]
            };
            // SAFETY: the caller's; a strip of elements fits the scratch.
            unsafe { self.gather(way, operand, first, *index, len, gathered) };
            source = gathered;
        }
        // SAFETY: the source holds `len` elements.
        source = unsafe { convert(operand.path, source, len, fetched, between) };
        way.cached = contents.map(|contents| (contents, len));
        source
    }

    /// Copies an operand's part of a strip together, row by row.
    ///
    /// # Safety
    /// That of [`Self::fetch`]; `to` has room for `len` elements.
    unsafe fn gather(
        &self,
        way: &Way,
        operand: &Operand,
        first: *const u8,
        mut index: [usize; MAX_RANK],
        len: usize,
        to: *mut u8,
    ) {
        let strides = &way.strides;
        let last = self.rank - 1;
        let size = operand.size.cast_signed();
        let (mut from, mut done) = (first, 0);
        while done < len {
            let run = (self.sizes[last] - index[last]).min(len - done);
            let to = to.wrapping_add(done * operand.size);
            // SAFETY: `run` elements of the row are left, and there is room for them.
            unsafe { copy_strided(operand.size, from, strides[last], run, to) };
            done += run;
            // On to the next row.
            index[last] += run;
            from = from.wrapping_offset(run.cast_signed() * strides[last] * size);
            for axis in (1..self.rank).rev() {
                if index[axis] < self.sizes[axis] {
                    break;
                }
                let whole = self.sizes[axis].cast_signed() * strides[axis];
                from = from.wrapping_offset((strides[axis - 1] - whole) * size);
                index[axis] = 0;
                index[axis - 1] += 1;
            }
        }
    }
}

/// Copies elements of a size that lie `stride` apart.
///
/// # Safety
/// `len` elements, aligned for their size up to that of `u64`, can be read and written, and do not overlap.
#[inline]
pub(super) unsafe fn copy_strided(
    size: usize,
    from: *const u8,
    stride: isize,
    len: usize,
    to: *mut u8,
) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller's; this has their size and at most their alignment.
        unsafe { copy_row::<T>(from.cast(), stride, len, to.cast()) },
        // SAFETY: as above, elements of 16 bytes.
        _ => unsafe { copy_row::<[u64; 2]>(from.cast(), stride, len, to.cast()) }
    );
}

/// Copies elements that lie `stride` apart.
///
/// # Safety
/// `len` elements can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_row<T: Copy>(from: *const T, stride: isize, len: usize, to: *mut T) {
    // SAFETY: the caller's.
    unsafe {
        match stride {
            1 => to.copy_from_nonoverlapping(from, len),
            0 => core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len)
                .fill(MaybeUninit::new(from.read())),
            _ => {
                for at in 0..len {
                    to.add(at)
                        .write(from.offset(at.cast_signed() * stride).read());
                }
            }
        }
    }
}

/// One operand, read from anywhere: what reductions read.
pub(super) struct Reader {
    walk: Walk,
    way: Way,
    operand: Operand,
    scratch: Box<MaybeUninit<[Strip; 3]>>,
}

impl Reader {
    pub(super) fn new(shape: &Dims, operand: Operand) -> Self {
        let mut way = Way::START;
        Self {
            walk: Walk::merged(shape, &[operand], core::slice::from_mut(&mut way)),
            way,
            operand,
            scratch: Box::new_uninit(),
        }
    }

    /// Converted elements from a position on, which the next call may overwrite.
    ///
    /// # Safety
    /// Along the shape, elements can be read; the path fits them. There are `len` of them, at most
    /// [`STRIP`], from the position on.
    pub(super) unsafe fn strip(&mut self, position: usize, len: usize) -> *const u8 {
        // SAFETY: `Strip` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { self.scratch.assume_init_mut() };
        let [fetched, free, used] = scratch.each_mut().map(Strip::pointer);
        let place = (position, &self.walk.index_at(position));
        let (way, operand) = (&mut self.way, &self.operand);
        // SAFETY: the caller's; the scratch is this operand's alone.
        unsafe { (self.walk).fetch(way, operand, place, len, fetched, [free, used]) }
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
