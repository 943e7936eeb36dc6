//! Inputs that repeat one element along each row. Loops read them from packs of copies, at position zero.
//!
//! The copies of many rows are written before a loop runs, by code that is compiled once. (In each loop it would take a quarter of the time
//! to compile an expression.) A loop that combines more rows than there is room for writes the copies of a row when it starts it.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::call_site::Code;
use super::{LoopRows, MAX_INPUTS, PackSlot};
use crate::kernel::drive::gather::{AxesFromRight, gather};
use crate::simd::{Kernel, LANES, repeat_each};

/// The packs that there is room for, of elements of 16 bytes. More would take longer to write than to read again.
const PACKS: usize = 16;
/// The same for loops that combine rows: they read the copies once for each strip of columns.
const MANY_PACKS: usize = 128;
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
            // SAFETY: the caller guarantees an element of each row, and room for a pack for each. `elements` has room for as many elements of
            // any size, and for a pack.
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

/// Copies the elements of a row.
///
/// # Safety
/// The row's element of each input can be read, and a pack be written for it.
#[inline(never)]
pub(super) unsafe fn copy_row(inputs: &[RepeatedInput], row: usize) {
    for input in inputs {
        // SAFETY: the caller guarantees the element and room for its copies.
        unsafe { input.copy(row..row + 1) };
    }
}

impl Code {
    /// Runs the loop.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`](super::LoopBody::run), for an expression of the loop's type.
    #[inline]
    pub(super) unsafe fn call(self, expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the loop requires.
        unsafe {
            if rows.repeats == 0 {
                (self.run)(expression, rows);
            } else if self.reads.result_size.is_some() || rows.count <= PACKS {
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
        let mut to = room.as_mut_ptr().cast::<u8>();
        let sizes = &self.reads.sizes;
        let row_bytes = LANES
            * numbers(rows.repeats)
                .map(|number| sizes[number])
                .sum::<usize>();
        // The number of rows whose copies there is room for. If the loop combines more, it copies those of each row.
        let most = rows
            .count
            .min(size_of::<[PackSlot; PACKS]>() / row_bytes)
            .max(1);
        let is_by_row = most < rows.count && self.reads.result_size.is_none();
        let at_once = if is_by_row { 1 } else { most };
        let mut repeated = [const { MaybeUninit::uninit() }; MAX_INPUTS];
        let mut count = 0;
        let (mut inputs, mut steps, mut masks) =
            (*rows.inputs, *rows.steps, [usize::MAX; MAX_INPUTS]);
        for number in numbers(rows.repeats) {
            let size = sizes[number];
            repeated[count].write(RepeatedInput {
                from: inputs[number],
                step: steps[number],
                size,
                to,
                write: repeat_each(size),
            });
            count += 1;
            (inputs[number], masks[number]) = (to.cast_const(), 0);
            steps[number] = if at_once > 1 {
                (LANES * size).cast_signed()
            } else {
                0
            };
            to = to.wrapping_add(LANES * size * at_once);
        }
        // SAFETY: the first `count` were written.
        let repeated = unsafe { repeated[..count].assume_init_ref() };
        if is_by_row {
            let rows = LoopRows {
                inputs: &inputs,
                steps: &steps,
                masks: &masks,
                repeated,
                ..*rows
            };
            // SAFETY: the caller guarantees what the loop requires, and each row's element, which the loop copies when it starts the row.
            return unsafe { (self.run)(expression, &rows) };
        }
        let mut first = 0;
        loop {
            let count = at_once.min(rows.count - first);
            for input in repeated {
                // SAFETY: the caller guarantees an element of each row; `room` has a pack for each of `at_once` rows.
                unsafe { input.copy(first..first + count) };
            }
            let results = first * rows.len * self.reads.result_size.unwrap_or(0);
            let part = LoopRows {
                inputs: &inputs,
                steps: &steps,
                masks: &masks,
                count,
                output: rows.output.wrapping_add(results),
                ..*rows
            };
            // SAFETY: the caller guarantees what the loop requires. If these are some of the rows, the loop writes as many results for each row as
            // it has elements. Of inputs that repeat an element it reads the copies.
            unsafe { (self.run)(expression, &part) };
            first += count;
            if first >= rows.count {
                return;
            }
            for number in numbers(!rows.repeats & ALL_INPUTS) {
                inputs[number] =
                    inputs[number].wrapping_offset(count.cast_signed() * steps[number]);
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
