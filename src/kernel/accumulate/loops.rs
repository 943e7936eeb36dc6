//! The loops of reductions: segments to elements, and rows to rows.
//!
//! A segment is reduced along a fixed tree, so that results depend neither on the instruction set nor on the tricks
//! below:
//!
//! ```text
//! each block:   32 lanes, each the sum (or product, ..) of every 32nd element
//! each block:   lower half of the lanes with the upper half, until one element is left
//! all blocks:   neighbours pairwise, until one element is left
//! ```
//!
//! 1. Two blocks of 16-bit elements are reduced at a time, if their lanes fit half of the registers: while the operations of one block
//!    wait for their operands, those of the other run ([`fold_two`]).
//! 2. Elements are prefetched before their use ([`prefetch_distance`]): 0.4 of the time for 16 million `f32`, 0.7 for `f16`.
//! 3. The lanes of several blocks are combined at a time, so that they do not wait for one another either ([`fold_lanes`]).
//! 4. Operations that give the same result in every order take a segment as one block: less code.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Pod;

use super::fold::{Fold, Read};
use crate::kernel::drive::block::BLOCK;
use crate::simd::{self, Isa};
use crate::simd::{
    Body, LANES, black_box_usize, lanes, load, load_part, store, store_part, through_memory,
};

/// The largest number of blocks of a call.
pub(in crate::kernel) const BLOCKS: usize = 64;
/// The largest number of elements of a call: whole blocks, in a power of two.
pub(in crate::kernel) const SEGMENT: usize = BLOCKS * BLOCK;

/// The distance, in bytes, at which most processors prefetch elements that are reduced. (16 million `f32` or `f16`: 0.4 and 0.7 of the time.)
const FAR: usize = 1 << 13;

/// The distance, in bytes, at which elements are prefetched.
pub(super) fn prefetch_distance() -> usize {
    simd::prefetch_distance(FAR)
}

/// Reduces at most [`SEGMENT`] elements to one.
pub(super) struct Segment<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for Segment<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements, at least one and at most `SEGMENT`, and room for one
        // at `output`. Each iteration reads elements from `done` on, of which `len - done` are left. `SEGMENT`
        // elements are `BLOCKS` blocks, so `room` has a vector for each block; a rest of less than a pack writes one
        // element at `count`, which is at most `BLOCKS`, after `count` vectors that were folded to single elements.
        unsafe {
            let items = (*inputs).cast::<R::From>();
            let output = output.cast::<O::Item>();
            if len < LANES {
                return output.write(fold_part::<O, R, I>(items, len));
            }
            if const { O::REORDERABLE } || len <= BLOCK {
                let folded = fold_block::<O, R, I>(items, len);
                return output.write(fold_pack(folded, O::combine));
            }
            let mut room = BlockResults::<O::Item>([const { MaybeUninit::uninit() }; BLOCKS]);
            let (vectors, mut count) = (room.0.as_mut_ptr().cast::<[O::Item; HALF]>(), 0);
            let mut done = 0;
            let pairs = const { two_fit::<O, R, I>() } && (len < SEGMENT || reads_two_streams());
            while pairs && len - done >= 2 * BLOCK {
                let folded = fold_two::<O, R, I>(items.add(done));
                vectors.add(count).cast::<[_; 2]>().write(folded);
                (done, count) = (done + 2 * BLOCK, count + 2);
            }
            while len - done >= LANES {
                let part = BLOCK.min(len - done);
                let folded = fold_block::<O, R, I>(items.add(done), part);
                vectors.add(count).write(halved::<O>(&folded));
                (done, count) = (done + part, count + 1);
            }
            fold_lanes::<O>(vectors, count, 1);
            let blocks = vectors.cast::<O::Item>();
            if done < len {
                let part = fold_part::<O, R, I>(items.add(done), len - done);
                blocks.add(count).write(part);
                count += 1;
            }
            fold_pairs::<O>(blocks, count);
            output.write(blocks.read());
        }
    }
}

/// Joins the 16 lanes of each block to one element for each block.
///
/// The input has `len` vectors of 16 lanes, and can be written. The output has as many elements.
pub(super) struct Join<O>(PhantomData<O>);

impl<O: Fold> Body for Join<O> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` vectors that can be read and written, and room for as many elements.
        unsafe {
            let vectors = (*inputs).cast_mut().cast::<[O::Item; HALF]>();
            fold_lanes::<O>(vectors, len, 1);
            let joined = vectors.cast_const().cast::<O::Item>();
            output
                .cast::<O::Item>()
                .copy_from_nonoverlapping(joined, len);
        }
    }
}

/// Combines `len` elements, at least one, pairwise to the first one.
///
/// # Safety
/// They can be read and written.
pub(super) unsafe fn join_pairs<O: Fold>(elements: *mut u8, len: usize) {
    // SAFETY: the caller guarantees `len` elements, at least one, to read and write.
    unsafe { fold_pairs::<O>(elements.cast(), len) }
}

/// Combines `len` lanes, at least one and at most 32, to one element.
///
/// # Safety
/// The lanes can be read and written, and an element can be written to `to`.
pub(super) unsafe fn join_part<O: Fold>(lanes: *mut u8, len: usize, to: *mut u8) {
    // SAFETY: the caller guarantees `len` lanes, and room for an element.
    unsafe { to.cast::<O::Item>().write(fold_few::<O>(lanes.cast(), len)) }
}

/// Half of the lanes of a pack.
pub(in crate::kernel) const HALF: usize = LANES / 2;

/// The results of blocks: at first a vector for each, at last an element for each.
#[repr(C, align(64))]
struct BlockResults<T>([MaybeUninit<[T; HALF]>; BLOCKS]);

/// Combines the lower half of the lanes with the upper half.
#[inline(always)]
fn halved<O: Fold>(all: &[O::Item; LANES]) -> [O::Item; HALF] {
    lanes(|lane| O::combine(all[lane], all[lane + HALF]))
}

/// Combines, for each block, the lower half of its lanes with the upper half. Two vectors together hold the lanes of
/// `2 * HELD` blocks, one after another.
#[inline(always)]
fn joined<O: Fold, const HELD: usize>(
    first: &[O::Item; HALF],
    second: &[O::Item; HALF],
) -> [O::Item; HALF] {
    let half = const { HALF / 2 / HELD };
    lanes(|lane| {
        let vector = if lane < HALF / 2 { first } else { second };
        let at = lane % (HALF / 2);
        let at = at / half * (2 * half) + at % half;
        O::combine(vector[at], vector[at + half])
    })
}

/// Combines, for each block, the lower half of its lanes with the upper half, until one lane is left. Several blocks
/// at a time, since the steps of one block depend on one another. At first each vector holds the lanes of `blocks` blocks, a power of two
/// below [`HALF`]. Afterwards `vectors` begins with an element for each block.
///
/// # Safety
/// `count` vectors can be read and written.
#[inline(always)]
pub(super) unsafe fn fold_lanes<O: Fold>(
    vectors: *mut [O::Item; HALF],
    mut count: usize,
    blocks: usize,
) {
    macro_rules! halve {
        ($($blocks:literal)*) => {$(
            if blocks <= $blocks {
                // SAFETY: the caller guarantees `count` vectors, and each step leaves half as many.
                unsafe { halve_lanes::<O, $blocks>(vectors, count) };
                count = count.div_ceil(2);
            }
        )*};
    }
    halve!(1 2 4 8);
}

/// A step of [`fold_lanes`]: vectors hold the lanes of `HELD` blocks, and afterwards half of them those of twice as many. A function with a
/// constant, as LLVM compiles a closure for all steps once, without vectors.
///
/// # Safety
/// `count` vectors can be read and written.
#[inline(always)]
unsafe fn halve_lanes<O: Fold, const HELD: usize>(vectors: *mut [O::Item; HALF], count: usize) {
    let mut at = 0;
    while at < count {
        // SAFETY: `at < count`, and `second` is at most the last vector: the caller guarantees `count` vectors. Results go to
        // `at / 2 <= at`, which was read before.
        unsafe {
            // The last of an odd number is paired with itself; nothing reads the lanes of the copy.
            let second = vectors.add((at + 1).min(count - 1));
            let joined = joined::<O, HELD>(&vectors.add(at).read(), &second.read());
            vectors.add(at / 2).write(joined);
        }
        at = black_box_usize(at + 2);
    }
}

/// Combines elements pairwise until the first one is the result of all. A function of its own, compiled for the
/// baseline like [`fold_few`]: higher levels are not faster.
///
/// # Safety
/// `count` elements, at least one, can be read and written.
#[inline(never)]
unsafe fn fold_pairs<O: Fold>(elements: *mut O::Item, mut count: usize) {
    while count > 1 {
        // SAFETY: `2 * at + 1 < count` and `count / 2 < count`: the caller guarantees `count` elements, and later
        // rounds use fewer of them.
        unsafe {
            for at in 0..count / 2 {
                let two = elements.add(2 * at);
                let folded = O::combine(two.read(), two.add(1).read());
                elements.add(at).write(folded);
            }
            if count % 2 == 1 {
                elements
                    .add(count / 2)
                    .write(elements.add(count - 1).read());
            }
        }
        count = count.div_ceil(2);
    }
}

/// Combines the lower half of the lanes with the upper half until one lane is left, in registers.
#[inline(always)]
pub(super) fn fold_pack<T: Copy>(all: [T; LANES], combine: impl Fn(T, T) -> T + Copy) -> T {
    let all = through_memory(all);
    let half: [T; 16] = lanes(|lane| combine(all[lane], all[lane + 16]));
    let half: [T; 8] = lanes(|lane| combine(half[lane], half[lane + 8]));
    let half: [T; 4] = lanes(|lane| combine(half[lane], half[lane + 4]));
    combine(combine(half[0], half[2]), combine(half[1], half[3]))
}

/// Combines the lower half of the lanes with the upper half until one lane is left, one lane after another. Only the
/// first `filled` lanes take part: there is no value that is neutral in all cases to fill the others with. The last eight lanes are
/// combined in registers, where a step does not wait for the stores of the step before.
///
/// # Safety
/// `filled` lanes, at least one and at most 32, can be read and written.
#[inline(never)]
unsafe fn fold_few<O: Fold>(all: *mut O::Item, mut filled: usize) -> O::Item {
    let mut half = LANES / 2;
    while half > 4 {
        let mut lane = half;
        while lane < filled {
            // SAFETY: `lane < filled`, and the caller guarantees `filled` lanes.
            unsafe {
                let (to, from) = (all.add(lane - half), all.add(lane));
                to.write(O::combine(to.read(), from.read()));
            }
            lane = black_box_usize(lane + 1);
        }
        filled = filled.min(half);
        half /= 2;
    }
    // SAFETY: each lane that is read is below `filled`, and the caller guarantees `filled` lanes, at least one.
    let with_fourth = |lane: usize| unsafe {
        let own = all.add(lane).read();
        match lane + 4 < filled {
            true => O::combine(own, all.add(lane + 4).read()),
            false => own,
        }
    };
    let with_second = |lane: usize| match lane + 2 < filled {
        true => O::combine(with_fourth(lane), with_fourth(lane + 2)),
        false => with_fourth(lane),
    };
    match filled {
        1 => with_second(0),
        _ => O::combine(with_second(0), with_second(1)),
    }
}

/// Reduces at least one element and less than a pack, in the order of a block.
///
/// # Safety
/// `len` elements, at most [`LANES`], can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn fold_part<O: Fold, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
    len: usize,
) -> O::Item {
    // SAFETY: the caller guarantees `len` readable elements and a processor with `I`.
    unsafe {
        let mut few = R::widened::<I>(load_part(items, len));
        fold_few::<O>(few.as_mut_ptr(), len)
    }
}

/// Combines two packs lane by lane. (A closure in each loop would be compiled for each dtype that is read and each instruction set.)
#[inline(always)]
fn combined<O: Fold>(a: &[O::Item; LANES], b: &[O::Item; LANES]) -> [O::Item; LANES] {
    lanes(|lane| O::combine(a[lane], b[lane]))
}

/// Reduces at least a pack of elements to lanes.
///
/// # Safety
/// `len` elements, at least [`LANES`], can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn fold_block<O: Fold, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
    len: usize,
) -> [O::Item; LANES] {
    // SAFETY: the caller guarantees `len >= LANES` readable elements and a processor with `I`; packs are read while
    // `LANES` elements are left from `done` on, and the rest has `len - done`.
    unsafe {
        let distance = prefetch_distance();
        let mut folded = R::widened::<I>(load(items));
        let mut done = LANES;
        while len - done >= LANES {
            let ahead = items.wrapping_add(done).cast::<u8>();
            let ahead = ahead.wrapping_add(distance);
            simd::prefetch_all(ahead, size_of::<[R::From; LANES]>());
            let pack = R::widened::<I>(load(items.add(done)));
            folded = combined::<O>(&folded, &pack);
            done = black_box_usize(done + LANES);
        }
        let rest = len - done;
        if rest > 0 {
            folded = through_memory(folded);
            let last = load(items.add(len - LANES));
            folded = match const { O::REPEATABLE } {
                // The last pack overlaps the one before.
                true => {
                    let last = R::widened::<I>(last);
                    combined::<O>(&folded, &last)
                }
                false => {
                    let last = R::widened::<I>(last_lanes(last, rest));
                    lanes(|lane| match lane < rest {
                        true => O::combine(folded[lane], last[lane]),
                        false => folded[lane],
                    })
                }
            };
        }
        folded
    }
}

/// Moves the last `count` lanes of a pack, at most all, to its beginning. The others hold anything.
#[inline(always)]
fn last_lanes<T: Pod>(pack: [T; LANES], count: usize) -> [T; LANES] {
    let twice = [pack; 2];
    let start = LANES - count.min(LANES);
    // SAFETY: `start <= LANES`, so an array of two packs has a whole pack from there on.
    unsafe { load(twice.as_ptr().cast::<T>().add(start)) }
}

/// Returns whether two blocks are reduced in parallel: whether their lanes fit half of the registers, and the blocks a kibibyte each.
/// Blocks of larger elements lie so far apart that the processor prefetches them as two streams. (16 million `f32` take 2 times as long
/// from memory, `f64` 2.3 times. In the caches two blocks save nothing for `f32`, and 0.05 to 0.1 of the time for `f64`.)
const fn two_fit<O: Fold, R: Read<O::Item>, I: Isa>() -> bool {
    size_of::<[[O::Item; LANES]; 2]>() <= I::REGISTER_BYTES / 2
        && size_of::<[R::From; BLOCK]>() <= 1 << 10
}

/// Returns whether two blocks are also reduced in parallel if elements may come from memory, as those of a whole segment may: not where
/// hardware prefetchers keep up with one stream, because two disturb them. (The sum of 16 million `bf16` takes 1.4 times as long.)
fn reads_two_streams() -> bool {
    !simd::hardware_prefetchers_keep_up()
}

/// Reduces two blocks in parallel, each to half of its lanes. An addition waits for the one before it in its block, but
/// not for the additions of the other block.
///
/// # Safety
/// `2 * BLOCK` elements can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn fold_two<O: Fold, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
) -> [[O::Item; HALF]; 2] {
    // SAFETY: the caller guarantees two blocks of readable elements and a processor with `I`; packs are read from
    // `done < BLOCK` on in each, and `BLOCK` is a multiple of `LANES`.
    unsafe {
        let mut first = R::widened::<I>(load(items));
        let mut second = R::widened::<I>(load(items.add(BLOCK)));
        let mut done = LANES;
        while done < BLOCK {
            let (a, b) = (items.add(done), items.add(BLOCK + done));
            // Prefetched in sequence, not at two places: the hardware prefetcher would take those for two streams.
            let ahead = items.wrapping_add(2 * done).cast::<u8>();
            let ahead = ahead.wrapping_add(FAR);
            simd::prefetch_all(ahead, 2 * size_of::<[R::From; LANES]>());
            let (a, b) = (R::widened::<I>(load(a)), R::widened::<I>(load(b)));
            first = combined::<O>(&first, &a);
            second = combined::<O>(&second, &b);
            done = black_box_usize(done + LANES);
        }
        [halved::<O>(&first), halved::<O>(&second)]
    }
}

/// The number of rows that are read side by side: processors prefetch about as many streams from memory. (With 16 rows 16 million `f32`
/// take 1.6 times as long, with 4 rows 1.2 times.)
pub(in crate::kernel) const STREAMS: usize = 8;
const _: () = assert!(STREAMS == 8, "`Lane::pack` names the rows");

/// The number of bytes up to which rows stay in the caches, where those that lie apart take no longer than those that follow one
/// another. (Fewer in tests, so that few elements are read in both ways.)
pub(in crate::kernel) const CACHED_BYTES: usize = if cfg!(test) { 1 << 17 } else { 1 << 20 };

/// Some rows of one lane, to be combined one after another. The input of [`Lane`].
#[repr(C)]
pub(super) struct LaneRows {
    /// The result of the rows before, or null if these are the first.
    pub(super) before: *const u8,
    /// The rows, of which there is at least one.
    pub(super) rows: [*const u8; STREAMS],
    pub(super) count: usize,
}

impl LaneRows {
    pub(super) fn new() -> Self {
        Self {
            before: core::ptr::null(),
            rows: [core::ptr::null(); STREAMS],
            count: 0,
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If there are [`STREAMS`] already.
    pub(super) fn push(&mut self, row: *const u8) {
        self.rows[self.count] = row;
        self.count += 1;
    }

    /// Returns the input of a [`Lane`] loop.
    pub(super) fn as_input(&self) -> *const *const u8 {
        core::ptr::from_ref(self).cast()
    }
}

/// Combines rows of one lane to a row, which stays in registers meanwhile. The input is [`LaneRows`]; the output may be
/// [`LaneRows::before`].
pub(super) struct Lane<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Lane<O, R> {
    /// Reads a pack of columns of a row, of which `len` exist.
    ///
    /// # Safety
    /// The contract of [`Self::pack`]; `row < rows.count`.
    #[inline(always)]
    unsafe fn read<I: Isa>(rows: &LaneRows, row: usize, at: usize, len: usize) -> [O::Item; LANES] {
        // SAFETY: the caller guarantees `len` elements from `at` on in the row, and a processor with `I`.
        unsafe {
            let from = rows.rows.as_ptr().add(row).read().cast::<R::From>();
            R::widened::<I>(load_some(from.add(at), len))
        }
    }

    /// Combines a pack of columns from `at` on, of which `len` exist. `REPEATED` packs follow one another.
    ///
    /// # Safety
    /// The contract of [`Body::run`] for these columns, at most [`LANES`].
    #[inline(always)]
    unsafe fn pack<I: Isa, const REPEATED: bool>(
        rows: &LaneRows,
        at: usize,
        len: usize,
    ) -> [O::Item; LANES] {
        // SAFETY: the caller guarantees `len` elements from `at` on in `count` rows, and in `before` unless it is null; and a processor
        // with `I`.
        unsafe {
            let mut folded = Self::read::<I>(rows, 0, at, len);
            if !rows.before.is_null() {
                let before = load_some(rows.before.cast::<O::Item>().add(at), len);
                folded = combined::<O>(&before, &folded);
            }
            macro_rules! combine {
                ($($row:expr),+) => {$(
                    let next = Self::read::<I>(rows, $row, at, len);
                    folded = combined::<O>(&folded, &next);
                )+};
            }
            if REPEATED && rows.count == STREAMS {
                // Each row has a load of its own: processors predict by the address of an instruction what it will read next. A
                // single one for all rows takes 1.3 to 1.7 times as long from memory.
                combine!(1, 2, 3, 4, 5, 6, 7);
                return folded;
            }
            let mut row = 1;
            while row < rows.count {
                combine!(row);
                row = black_box_usize(row + 1);
            }
            folded
        }
    }
}

impl<O: Fold, R: Read<O::Item>> Body for Lane<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees that `inputs` is `LaneRows` with `len` elements in each row, and room for as many results.
        // Packs begin while `LANES` columns are left, or `LANES` before the end.
        unsafe {
            let rows = &*inputs.cast::<LaneRows>();
            let output = output.cast::<O::Item>();
            if len < LANES {
                let pack = Self::pack::<I, false>(rows, 0, len);
                return store_part(output, &pack, len);
            }
            // The last pack overlaps the one before. It is computed first, because its columns may be those of `before`.
            let rest = len % LANES;
            let last = match rest {
                0 => MaybeUninit::uninit(),
                _ => MaybeUninit::new(Self::pack::<I, false>(rows, len - LANES, LANES)),
            };
            let mut done = 0;
            while len - done >= LANES {
                store(output.add(done), Self::pack::<I, true>(rows, done, LANES));
                done = black_box_usize(done + LANES);
            }
            if rest > 0 {
                store(output.add(len - LANES), last.assume_init());
            }
        }
    }
}

/// Loads a pack of which `len` elements exist.
///
/// # Safety
/// `len` elements, at most [`LANES`], can be read.
#[inline(always)]
unsafe fn load_some<T: Pod>(from: *const T, len: usize) -> [T; LANES] {
    // SAFETY: the caller guarantees `len` readable elements.
    unsafe {
        match len {
            LANES => load(from),
            _ => load_part(from, len),
        }
    }
}
