//! Positions of extremes in sequences that lie side by side: each row has one element of each sequence.
//!
//! Each lane of a pack keeps the best element of its sequence so far, and the number of its row.
//!
//! 1. Rows are counted in integers of the elements' size, so that a register holds the numbers of as many lanes as it holds elements.
//!    Before they overflow, the numbers are added to the positions, which are `i64`. (A thousand rows of a thousand `i8`: 0.06 of the time.)
//! 2. Elements and numbers stay in registers while some rows are read one after another.
//!
//! The last pack of a row overlaps the one before. Its best elements and numbers have a place of their own after those of the other packs,
//! because a load that overlaps a store waits for it. (Rows of 100 `bf16`: 0.8 of the time.)
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::ArgOp;
use super::arg::{Counter, Extreme};
use super::loops::STREAMS;
use super::rows::Rows;
use crate::dtype::{DType, c64, c128};
use crate::kernel::drive::block::{BLOCK, BLOCK_BYTES, BlockBuffer};
use crate::simd::{
    Body, Isa, Kernel, LANES, black_box_usize, for_baseline, for_level, for_types, lanes, load,
    store,
};

/// Finds the position of the first extreme in each of some sequences.
pub(in crate::kernel) struct ColumnArgReducer {
    search: Kernel,
    write_positions: Kernel,
    size: usize,
    counter_size: usize,
    /// The number of rows that a counter counts.
    most: usize,
    best: BlockBuffer,
    numbers: BlockBuffer,
}

impl ColumnArgReducer {
    pub(in crate::kernel) fn new(op: ArgOp, dtype: DType) -> Self {
        fn with<C: Counter>(search: Kernel, size: usize) -> ColumnArgReducer {
            ColumnArgReducer {
                search,
                write_positions: for_level::<WritePositions<C>>(),
                size,
                counter_size: size_of::<C>(),
                most: C::COUNT,
                best: BlockBuffer::empty(),
                numbers: BlockBuffer::empty(),
            }
        }
        let search = match (op.is_greatest(), dtype) {
            (false, DType::C64) => for_baseline::<ExtremeRows<c64, false>>(),
            (false, DType::C128) => for_baseline::<ExtremeRows<c128, false>>(),
            (true, DType::C64) => for_baseline::<ExtremeRows<c64, true>>(),
            (true, DType::C128) => for_baseline::<ExtremeRows<c128, true>>(),
            (false, _) => for_reals!(dtype, T => for_level::<ExtremeRows<T, false>>()),
            (true, _) => for_reals!(dtype, T => for_level::<ExtremeRows<T, true>>()),
        };
        for_types!(dtype.size(), C in [1 => u8, 2 => u16, 4 => u32] => with::<C>(search, dtype.size()), _ => {
            with::<u64>(search, dtype.size())
        })
    }

    /// The largest number of sequences.
    pub(in crate::kernel) fn widest(&self) -> usize {
        BLOCK_BYTES / self.size
    }

    /// Finds the positions in `rows.len` sequences.
    ///
    /// # Safety
    /// There is at least one row. `rows.row` returns addresses of `rows.len` elements of the dtype, at most [`Self::widest`]. There
    /// is room for as many positions.
    pub(in crate::kernel) unsafe fn search(&mut self, rows: &mut Rows<'_>, positions: *mut i64) {
        debug_assert!(rows.len <= self.widest(), "room for the best elements");
        let len = rows.len;
        let places = places(len);
        let numbers = self.numbers.pointer();
        let together = if rows.stays { STREAMS } else { 1 };
        let mut group = RowGroup {
            rows: [(rows.row)(0); STREAMS],
            count: 1,
            first: 0,
            best: self.best.pointer(),
        };
        for place in places {
            let from = group.rows[0].wrapping_add(place.column * self.size);
            let to = group.best.wrapping_add(place.start * self.size);
            // SAFETY: the caller guarantees at least one row of `len` elements. `best` has room for `widest` elements in whole packs.
            unsafe { to.copy_from_nonoverlapping(from, place.len * self.size) };
        }
        let counters: usize = places.iter().map(|place| place.len).sum();
        // The first row is the best one at first. It is not searched.
        let (mut start, mut at) = (0, 1);
        while start < rows.count {
            let end = rows.count.min(start.saturating_add(self.most));
            // All bits of `Counter::NONE` are set.
            let unseen = if start == 0 { 0 } else { u8::MAX };
            // SAFETY: `numbers` has room for a counter for each element of `best`, which is no smaller. Any bits are a counter.
            unsafe { numbers.write_bytes(unseen, counters * self.counter_size) };
            while at < end {
                (group.first, group.count) = (at - start, together.min(end - at));
                for row in &mut group.rows[..group.count] {
                    *row = (rows.row)(at);
                    at += 1;
                }
                // SAFETY: the caller guarantees `len` elements in each row. If the next row overwrites this one, the group is this row alone,
                // and it is searched before the next one is requested. `best` and `numbers` hold an element for each place, and fewer than
                // `most` rows were counted before.
                unsafe { (self.search)((&raw const group).cast(), numbers, len) };
            }
            for place in places {
                let from = numbers.wrapping_add(place.start * self.counter_size);
                let inputs = [from.cast_const(), (&raw const start).cast()];
                let to = positions.wrapping_add(place.column).cast();
                // SAFETY: `numbers` holds the counters of this place, and the caller guarantees room for as many positions from `column` on,
                // which were written if this is not the start.
                unsafe { (self.write_positions)(inputs.as_ptr(), to, place.len) };
            }
            start = end;
        }
    }
}

/// Some columns, and where their best elements and numbers are.
#[derive(Clone, Copy)]
struct Place {
    column: usize,
    start: usize,
    len: usize,
}

/// Returns the places of all columns: those of whole packs, and the last pack, if it overlaps them.
fn places(len: usize) -> [Place; 2] {
    let whole = match len {
        ..LANES => len,
        _ => len / LANES * LANES,
    };
    let last = if whole == len { 0 } else { LANES };
    [
        Place {
            column: 0,
            start: 0,
            len: whole,
        },
        Place {
            column: len - last,
            start: whole,
            len: last,
        },
    ]
}

const _: () = assert!(
    BLOCK * size_of::<c128>() == BLOCK_BYTES,
    "a block of any dtype is no wider than `widest`"
);

/// Some rows to search, and the best elements of the rows before. The input of [`ExtremeRows`].
#[repr(C)]
struct RowGroup {
    rows: [*const u8; STREAMS],
    count: usize,
    /// The number of the first row, from which those of the others follow.
    first: usize,
    best: *mut u8,
}

/// Compares rows of elements with the best ones so far, which it keeps, with the numbers of their rows.
///
/// The input is a [`RowGroup`] of rows of `len` elements. The output has a counter for each element of `best`. Both are in the order of
/// [`places`].
struct ExtremeRows<T, const MAXIMUM: bool>(PhantomData<T>);

impl<T: Extreme, const MAXIMUM: bool> ExtremeRows<T, MAXIMUM> {
    /// Compares the `N` elements from `column` on in each row with those from `start` on in `best`.
    ///
    /// # Safety
    /// These elements can be read, and those in `best` and `numbers` written too. They are apart in memory.
    #[inline(always)]
    unsafe fn columns<const N: usize>(
        group: &RowGroup,
        [column, start]: [usize; 2],
        numbers: *mut T::Counter,
    ) {
        // SAFETY: the caller guarantees `N` elements from `column` on in each of `count` rows, and from `start` on in `best` and `numbers`.
        unsafe {
            let (best_at, number_at) = (group.best.cast::<T>().add(start), numbers.add(start));
            let mut best: [T; N] = load(best_at);
            let mut found: [T::Counter; N] = load(number_at);
            let mut row = 0;
            while row < group.count {
                let from = group.rows.as_ptr().add(row).read().cast::<T>();
                let items: [T; N] = load(from.add(column));
                let number = T::Counter::of(group.first + row);
                found = lanes(|lane| match items[lane].is_beyond::<MAXIMUM>(best[lane]) {
                    true => number,
                    false => found[lane],
                });
                best = lanes(|lane| match items[lane].is_beyond::<MAXIMUM>(best[lane]) {
                    true => items[lane],
                    false => best[lane],
                });
                row = black_box_usize(row + 1);
            }
            store(best_at, best);
            store(number_at, found);
        }
    }
}

impl<T: Extreme, const MAXIMUM: bool> ExtremeRows<T, MAXIMUM> {
    /// Compares a pack of elements, `N` at a time.
    ///
    /// # Safety
    /// The contract of [`Self::columns`], for [`LANES`] elements.
    #[inline(always)]
    unsafe fn pack<const N: usize>(
        group: &RowGroup,
        [column, start]: [usize; 2],
        numbers: *mut T::Counter,
    ) {
        let mut done = 0;
        while done < LANES {
            // SAFETY: `N` divides `LANES`, and the caller guarantees as many elements.
            unsafe { Self::columns::<N>(group, [column + done, start + done], numbers) };
            done = black_box_usize(done + N);
        }
    }
}

impl<T: Extreme, const MAXIMUM: bool> Body for ExtremeRows<T, MAXIMUM> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees that `inputs` is a `RowGroup` of rows of `len` elements, and that best elements and counters have
        // room for whole packs of them. A pack begins no later than `LANES` elements before the end of a row.
        unsafe {
            let group = &*inputs.cast::<RowGroup>();
            let numbers = output.cast::<T::Counter>();
            let mut done = 0;
            if len < LANES {
                while done < len {
                    Self::columns::<1>(group, [done; 2], numbers);
                    done = black_box_usize(done + 1);
                }
                return;
            }
            while done < len {
                let column = done.min(len - LANES);
                // As many as fit half of the registers with their numbers.
                match const { I::REGISTER_BYTES / (4 * size_of::<T>()) } {
                    LANES.. => Self::pack::<LANES>(group, [column, done], numbers),
                    16.. => Self::pack::<16>(group, [column, done], numbers),
                    8.. => Self::pack::<8>(group, [column, done], numbers),
                    _ => Self::pack::<1>(group, [column, done], numbers),
                }
                done = black_box_usize(done + LANES);
            }
        }
    }
}

/// Writes the positions of elements that have a number, which counts from a row on. If this is the first row, all have a number.
///
/// The inputs are counters and the position of the row, a `usize`. The output has a position for each counter.
struct WritePositions<C>(PhantomData<C>);

impl<C: Counter> Body for WritePositions<C> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` counters, a position, and room for `len` positions, which can be read if the position is not
        // zero. They are apart in memory.
        unsafe {
            let numbers = core::slice::from_raw_parts((*inputs).cast::<C>(), len);
            let start = (*inputs.add(1)).cast::<usize>().read();
            let positions = output.cast::<i64>();
            if start == 0 {
                for (at, number) in numbers.iter().enumerate() {
                    positions.add(at).write(i64::from(number.number()));
                }
                return;
            }
            let start = i64::try_from(start).unwrap_or(i64::MAX);
            let positions = core::slice::from_raw_parts_mut(positions, len);
            for (number, position) in numbers.iter().zip(positions) {
                if *number != C::NONE {
                    *position = start.wrapping_add(i64::from(number.number()));
                }
            }
        }
    }
}
