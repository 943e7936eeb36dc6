//! Inputs that repeat one element along each row. Loops read them from packs of copies, at position zero.
//!
//! The copies of many rows are written before a loop runs, by code that is compiled once. (In each loop it would take a quarter of the time
//! to compile an expression.) A loop that combines more rows than there is room for writes the copies of a row when it starts it.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::call_site::Code;
use super::inputs::Pointers;
use super::{ElementSizes, LoopRows, MAX_INPUTS, PackSlot};
use crate::kernel::drive::gather::{AxesFromRight, gather};
use crate::simd::{Kernel, LANES, repeat_each};

/// The number of packs of elements of 16 bytes that there is room for on the stack: 8 KiB. With more, the copies would take longer to write
/// than to read again.
const PACKS: usize = 16;
/// The same for loops that combine rows, which read the copies once for each strip of columns: 64 KiB.
const MANY_PACKS: usize = 128;
const _: () = assert!(MAX_INPUTS <= PACKS, "a pack of each input has room");
/// The most elements that are gathered before they are copied.
const MAX_GATHERED: usize = 64;

/// An input that repeats one element along each row.
#[derive(Clone, Copy)]
pub(super) struct RepeatedInput {
    /// The element of the first row.
    from: *const u8,
    /// The distance to the element of the next row, in bytes.
    step: isize,
    /// The size of the elements, in bytes.
    size: usize,
    /// Room for the copies: a pack for each row.
    to: *mut u8,
    /// Writes a pack of copies for each element.
    write: Kernel,
}

impl RepeatedInput {
    /// Copies the elements of some rows.
    ///
    /// # Safety
    /// The rows' elements can be read, and a pack for each of them written.
    unsafe fn copy(&self, rows: Range<usize>) {
        let size = self.size.cast_signed();
        let (mut row, mut to) = (rows.start, self.to);
        let from_row = |row: usize| self.from.wrapping_offset(row.cast_signed() * self.step);
        if rows.len() == 1 || self.step == size {
            // SAFETY: the caller guarantees an element of each row, one after the other, and room for a pack for each.
            return unsafe { (self.write)([from_row(row)].as_ptr(), to, rows.len()) };
        }
        let mut elements = MaybeUninit::<[PackSlot; MAX_GATHERED / LANES]>::uninit();
        let elements = elements.as_mut_ptr().cast::<u8>();
        while row < rows.end {
            let count = MAX_GATHERED.min(rows.end - row);
            // SAFETY: the caller guarantees an element of each row, and room for a pack for each. `elements` has room for
            // `MAX_GATHERED >= count` elements of any size, which is more than a pack.
            unsafe {
                let axes: AxesFromRight<'_> = (&[count, 1], &[self.step / size, 0]);
                gather(self.size, from_row(row), axes, count, elements);
                (self.write)([elements.cast_const()].as_ptr(), to, count);
            }
            row += count;
            to = to.wrapping_add(count * LANES * self.size);
        }
    }
}

/// Writes the copies of a row's elements.
///
/// # Safety
/// The row's element of each input can be read, and a pack be written for it.
#[inline(never)]
pub(super) unsafe fn write_copies_of_row(inputs: &[RepeatedInput], row: usize) {
    for input in inputs {
        // SAFETY: the caller guarantees the element and room for its copies.
        unsafe { input.copy(row..row + 1) };
    }
}

/// The inputs of a loop that reads copies of those that repeat an element along each row.
struct InputsWithCopies {
    inputs: Pointers,
    steps: [isize; MAX_INPUTS],
    masks: [usize; MAX_INPUTS],
    repeated: [MaybeUninit<RepeatedInput>; MAX_INPUTS],
    /// The number of inputs that repeat an element.
    count: usize,
}

impl InputsWithCopies {
    /// The inputs of these rows, with packs of copies of `at_once` rows from `to` on.
    #[inline(always)]
    fn new(rows: &LoopRows<'_>, sizes: &ElementSizes, mut to: *mut u8, at_once: usize) -> Self {
        let mut read = Self {
            inputs: *rows.inputs,
            steps: *rows.steps,
            masks: [usize::MAX; MAX_INPUTS],
            repeated: [const { MaybeUninit::uninit() }; MAX_INPUTS],
            count: 0,
        };
        for number in numbers(rows.repeats) {
            let size = sizes[number];
            read.repeated[read.count].write(RepeatedInput {
                from: rows.inputs[number],
                step: rows.steps[number],
                size,
                to,
                write: repeat_each(size),
            });
            read.count += 1;
            (read.inputs[number], read.masks[number]) = (to.cast_const(), 0);
            read.steps[number] = if at_once > 1 {
                (LANES * size).cast_signed()
            } else {
                0
            };
            to = to.wrapping_add(LANES * size * at_once);
        }
        read
    }

    #[inline(always)]
    fn repeated(&self) -> &[RepeatedInput] {
        // SAFETY: `new` wrote the first `count`.
        unsafe { self.repeated[..self.count].assume_init_ref() }
    }

    /// These rows with the inputs.
    #[inline(always)]
    fn of_rows<'a>(&'a self, rows: &LoopRows<'a>) -> LoopRows<'a> {
        LoopRows {
            inputs: &self.inputs,
            steps: &self.steps,
            masks: &self.masks,
            ..*rows
        }
    }
}

impl Code {
    /// Runs the loop.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`](super::LoopBody::run), for an expression of the loop's type.
    #[inline]
    pub(super) unsafe fn call(self, expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees the loop's expression, and rows as it and `call_with_copies` require them.
        unsafe {
            if rows.repeats == 0 {
                (self.run)(expression, rows);
            } else if self.sizes.result.is_some() || rows.count <= PACKS {
                self.call_with_copies::<PACKS>(expression, rows);
            } else {
                self.call_with_copies::<MANY_PACKS>(expression, rows);
            }
        }
    }

    /// [`Self::call`] if inputs repeat an element along each row.
    ///
    /// # Safety
    /// The contract of [`Self::call`].
    #[inline(never)]
    unsafe fn call_with_copies<const PACKS: usize>(
        self,
        expression: *const (),
        rows: &LoopRows<'_>,
    ) {
        let mut room = MaybeUninit::<[PackSlot; PACKS]>::uninit();
        let sizes = &self.sizes.inputs;
        let row_bytes = LANES
            * numbers(rows.repeats)
                .map(|number| sizes[number])
                .sum::<usize>();
        // The number of rows whose copies there is room for. If the loop combines more rows than that, it writes the copies row by row.
        let most = rows
            .count
            .min(size_of::<[PackSlot; PACKS]>() / row_bytes)
            .max(1);
        let is_by_row = most < rows.count && self.sizes.result.is_none();
        let at_once = if is_by_row { 1 } else { most };
        let mut read = InputsWithCopies::new(rows, sizes, room.as_mut_ptr().cast(), at_once);
        if is_by_row {
            let rows = LoopRows {
                repeated: read.repeated(),
                ..read.of_rows(rows)
            };
            // SAFETY: the caller guarantees the loop's expression, output and elements of each row. The loop reads repeated inputs from
            // `room`, where `start_row` writes their packs first.
            return unsafe { (self.run)(expression, &rows) };
        }
        let mut first = 0;
        loop {
            let count = at_once.min(rows.count - first);
            for input in read.repeated() {
                // SAFETY: the caller guarantees an element of each row; each input has its own part of `room`, of a pack for each of
                // `at_once >= count` rows.
                unsafe { input.copy(first..first + count) };
            }
            let results = first * rows.len * self.sizes.result.unwrap_or(0);
            let part = LoopRows {
                count,
                output: rows.output.wrapping_add(results),
                ..read.of_rows(rows)
            };
            // SAFETY: the caller guarantees the loop's expression, output and elements of each row. These are all rows, or the loop writes
            // `rows.len` results for each of them, so that `output` is the first row's. The packs of repeated inputs were just written.
            unsafe { (self.run)(expression, &part) };
            first += count;
            if first >= rows.count {
                return;
            }
            for number in numbers(!rows.repeats & ALL_INPUTS) {
                let step = count.cast_signed() * read.steps[number];
                read.inputs[number] = read.inputs[number].wrapping_offset(step);
            }
        }
    }
}

/// All inputs, one bit for each number.
const ALL_INPUTS: u32 = (1 << MAX_INPUTS) - 1;

/// Returns the numbers of the inputs whose bits are set.
fn numbers(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let number = bits.trailing_zeros();
        bits &= bits.checked_sub(1)?;
        usize::try_from(number).ok()
    })
}
