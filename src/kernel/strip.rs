//! The driver of element-by-element loops.
//!
//! Loops see contiguous memory only. The driver merges dimensions that can be walked as one, and walks
//! the output, which is row-major, in strips of at most [`STRIP`] elements. What an operand has to
//! contribute to a strip is read in place where it lies so; else it is gathered into scratch that
//! stays in the L1 cache, and converted there. What a strip has in common with the one before (a
//! broadcast row or scalar) is not gathered again.
#![allow(unsafe_code, reason = "walks raw memory")]

use core::mem::MaybeUninit;

use super::cast::Path;
use super::lanes::{Kernel, for_types};
use crate::array::{Dims, MAX_RANK, Strides};

/// Elements in a strip.
pub(super) const STRIP: usize = 512;
/// Rows shorter than this are not walked one by one, but gathered several to a strip.
const LONG_ROW: usize = 128;
const LARGEST_ELEMENT: usize = 16;
const MAX_OPERANDS: usize = 3;

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

/// A loop, with what follows it.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) pointer: *mut u8,
    pub(super) kernel: Kernel,
    /// What converts the loop's results; they are `f32` if there is such a conversion.
    pub(super) path: Path,
    /// The size of an element after conversion, in bytes.
    pub(super) size: usize,
}

/// Room for a strip of any elements.
#[repr(C, align(64))]
pub(super) struct Strip([MaybeUninit<u8>; STRIP * LARGEST_ELEMENT]);

/// What the loop reads, by operand; what conversions hand to each other; what the loop writes.
struct Scratch {
    operands: [Strip; MAX_OPERANDS],
    between: [Strip; 2],
    result: Strip,
}

impl Strip {
    pub(super) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; STRIP * LARGEST_ELEMENT])
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
    let mut walk = Walk::merged(shape, operands);
    let total = walk.total;
    if total == 0 {
        return;
    }
    let converts = operands.iter().any(|operand| !operand.path.is_empty());
    if walk.all_contiguous() && !converts && output.path.is_empty() {
        let mut inputs = [core::ptr::null(); MAX_OPERANDS];
        for (input, operand) in inputs.iter_mut().zip(operands) {
            *input = operand.pointer;
        }
        // SAFETY: all operands are contiguous, and the loop takes their elements as they are.
        return unsafe { (output.kernel)(inputs.as_ptr(), output.pointer, total) };
    }
    // SAFETY: the caller's.
    unsafe { walk.run(operands, output, converts) }
}

/// The merged dimensions, and each operand's way through them.
struct Walk {
    rank: usize,
    total: usize,
    sizes: [usize; MAX_RANK],
    ways: [Way; MAX_OPERANDS],
    operands: usize,
}

#[derive(Clone, Copy)]
struct Way {
    strides: [isize; MAX_RANK],
    /// Whether the operand is row-major as a whole.
    contiguous: bool,
    /// After how many elements it repeats itself.
    period: usize,
    /// Where the strip that lies in its scratch began, and how long it is.
    cached: Option<(isize, usize)>,
}

impl Walk {
    fn merged(shape: &Dims, operands: &[Operand]) -> Self {
        let way = Way {
            strides: [0; MAX_RANK],
            contiguous: true,
            period: 1,
            cached: None,
        };
        let mut walk = Self {
            rank: 0,
            total: shape.iter().product(),
            sizes: [1; MAX_RANK],
            ways: [way; MAX_OPERANDS],
            operands: operands.len(),
        };
        for (axis, size) in shape.iter().enumerate().filter(|(_, size)| **size != 1) {
            let extent = size.cast_signed();
            let merges = walk.rank > 0
                && operands.iter().zip(&walk.ways).all(|(operand, way)| {
                    way.strides[walk.rank - 1] == operand.strides[axis].wrapping_mul(extent)
                });
            if merges {
                walk.sizes[walk.rank - 1] *= size;
            } else {
                walk.sizes[walk.rank] = *size;
                walk.rank += 1;
            }
            for (operand, way) in operands.iter().zip(&mut walk.ways) {
                way.strides[walk.rank - 1] = operand.strides[axis];
            }
        }
        let sizes = &walk.sizes[..walk.rank];
        for way in &mut walk.ways[..walk.operands] {
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

    fn all_contiguous(&self) -> bool {
        self.ways[..self.operands].iter().all(|way| way.contiguous)
    }

    /// How many elements a strip takes at most, and whether it must end where a row does.
    fn strip_length(&self, scratch_used: bool) -> (usize, bool) {
        let ways = &self.ways[..self.operands];
        if self.all_contiguous() {
            return (STRIP, false);
        }
        let row = self.sizes[self.rank - 1];
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

    fn index_at(&self, position: usize) -> [usize; MAX_RANK] {
        let mut index = [0; MAX_RANK];
        let mut left = position;
        for axis in (0..self.rank).rev() {
            index[axis] = left % self.sizes[axis];
            left /= self.sizes[axis];
        }
        index
    }

    /// # Safety
    /// That of [`run`].
    #[inline(never)]
    unsafe fn run(&mut self, operands: &[Operand], output: &Output, converts: bool) {
        let mut scratch = MaybeUninit::<Scratch>::uninit();
        // SAFETY: `Scratch` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { scratch.assume_init_mut() };
        let (longest, ends_with_row) = self.strip_length(converts || !output.path.is_empty());
        let row = self.sizes[self.rank.saturating_sub(1)];
        let mut position = 0;
        while position < self.total {
            let index = self.index_at(position);
            let mut len = longest.min(self.total - position);
            if ends_with_row {
                len = len.min(row - index[self.rank - 1]);
            }
            let mut inputs = [core::ptr::null(); MAX_OPERANDS];
            for (number, operand) in operands.iter().enumerate() {
                // SAFETY: the caller's; the strip lies within the shape.
                inputs[number] =
                    unsafe { self.fetch(number, operand, position, &index, len, scratch) };
            }
            let to = output.pointer.wrapping_add(position * output.size);
            match output.path.steps().next() {
                // SAFETY: inputs hold `len` elements such as the loop takes; the output has as many
                // left.
                None => unsafe { (output.kernel)(inputs.as_ptr(), to, len) },
                Some(encode) => {
                    let results = scratch.result.pointer();
                    // SAFETY: as above; the results are at most a strip of `f32`.
                    unsafe {
                        (output.kernel)(inputs.as_ptr(), results, len);
                        (encode.kernel)([results.cast_const()].as_ptr(), to, len);
                    }
                }
            }
            position += len;
        }
    }

    /// An operand's part of a strip, as the loop takes it.
    ///
    /// # Safety
    /// That of [`run`]; the strip lies within the shape, begins at `index`, and is no longer than
    /// [`STRIP`] if anything of it goes through scratch.
    unsafe fn fetch(
        &mut self,
        number: usize,
        operand: &Operand,
        position: usize,
        index: &[usize; MAX_RANK],
        len: usize,
        scratch: &mut Scratch,
    ) -> *const u8 {
        let way = &self.ways[number];
        let offset = if way.contiguous {
            position.cast_signed()
        } else {
            let parts = index.iter().zip(&way.strides);
            parts
                .map(|(index, stride)| index.cast_signed() * stride)
                .sum()
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
        let fetched = scratch.operands[number].pointer();
        if let (Some(contents), Some((cached, cached_len))) = (contents, way.cached)
            && contents == cached
            && len <= cached_len
        {
            return fetched;
        }
        // With conversions still to come, gather into the memory that the first of them reads.
        let [mut free, mut used] = scratch.between.each_mut().map(Strip::pointer);
        let mut source = first;
        if !in_place {
            let gathered = if operand.path.is_empty() {
                fetched
            } else {
                used
            };
            // SAFETY: the caller's; a strip of elements fits the scratch.
            unsafe { self.gather(number, operand, first, *index, len, gathered) };
            source = gathered;
        }
        let mut steps = operand.path.steps().peekable();
        while let Some(step) = steps.next() {
            let to = if steps.peek().is_some() {
                free
            } else {
                fetched
            };
            // SAFETY: the source holds `len` elements, the scratch has room for as many of any
            // size, and is not what the step reads.
            unsafe { (step.kernel)([source].as_ptr(), to, len) };
            source = to;
            core::mem::swap(&mut free, &mut used);
        }
        self.ways[number].cached = contents.map(|contents| (contents, len));
        source
    }

    /// Copies an operand's part of a strip together, row by row.
    ///
    /// # Safety
    /// That of [`Self::fetch`]; `to` has room for `len` elements.
    unsafe fn gather(
        &self,
        number: usize,
        operand: &Operand,
        first: *const u8,
        mut index: [usize; MAX_RANK],
        len: usize,
        to: *mut u8,
    ) {
        let strides = &self.ways[number].strides;
        let last = self.rank - 1;
        let size = operand.size.cast_signed();
        let (mut from, mut done) = (first, 0);
        while done < len {
            let run = (self.sizes[last] - index[last]).min(len - done);
            let to = to.wrapping_add(done * operand.size);
            for_types!(operand.size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
                // SAFETY: `run` elements of the row are left, and there is room for them; this has
                // their size and at most their alignment.
                unsafe { copy_row::<T>(from.cast(), strides[last], run, to.cast()) },
                // SAFETY: as above, elements of 16 bytes.
                _ => unsafe { copy_row::<[u64; 2]>(from.cast(), strides[last], run, to.cast()) }
            );
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

/// The strips of one operand, over and over from different places: what reductions read.
pub(super) struct Strips {
    walk: Walk,
    operand: Operand,
    scratch: Box<MaybeUninit<Scratch>>,
}

impl Strips {
    pub(super) fn new(shape: &Dims, operand: Operand) -> Self {
        Self {
            walk: Walk::merged(shape, &[operand]),
            operand,
            scratch: Box::new_uninit(),
        }
    }

    /// Calls a function with each strip, of [`STRIP`] converted elements but for the last.
    ///
    /// # Safety
    /// Along the shape, elements can be read from `pointer` on; the path fits them.
    pub(super) unsafe fn each(
        &mut self,
        pointer: *const u8,
        strip: &mut dyn FnMut(*const u8, usize),
    ) {
        self.operand.pointer = pointer;
        self.walk.ways[0].cached = None;
        // SAFETY: `Scratch` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { self.scratch.assume_init_mut() };
        let mut position = 0;
        while position < self.walk.total {
            let index = self.walk.index_at(position);
            let len = STRIP.min(self.walk.total - position);
            // SAFETY: the caller's; the strip lies within the shape.
            let input = unsafe {
                self.walk
                    .fetch(0, &self.operand, position, &index, len, scratch)
            };
            strip(input, len);
            position += len;
        }
    }
}

/// One operand as rows: along some axes lie the rows, along the others what each consists of.
pub(super) struct Rows {
    across: Walk,
    along: Walk,
    operand: Operand,
    scratch: Box<MaybeUninit<Scratch>>,
}

impl Rows {
    /// `operand` is that of a single row of the shape `along`.
    pub(super) fn new((across, strides): (&Dims, Strides), along: &Dims, operand: Operand) -> Self {
        let places = Operand { strides, ..operand };
        Self {
            across: Walk::merged(across, &[places]),
            along: Walk::merged(along, &[operand]),
            operand,
            scratch: Box::new_uninit(),
        }
    }

    /// Converted elements of a row, from `first` on, which the next call may overwrite.
    ///
    /// # Safety
    /// The row exists and has the elements, which are at most [`STRIP`] and can be read; the path
    /// fits them.
    pub(super) unsafe fn part(&mut self, row: usize, first: usize, len: usize) -> *const u8 {
        let offset: isize = self
            .across
            .index_at(row)
            .iter()
            .zip(&self.across.ways[0].strides)
            .map(|(index, stride)| index.cast_signed() * stride)
            .sum();
        let size = self.operand.size.cast_signed();
        let row = Operand {
            pointer: self.operand.pointer.wrapping_offset(offset * size),
            ..self.operand
        };
        self.along.ways[0].cached = None;
        let index = self.along.index_at(first);
        // SAFETY: `Scratch` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { self.scratch.assume_init_mut() };
        // SAFETY: the caller's.
        unsafe { self.along.fetch(0, &row, first, &index, len, scratch) }
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
