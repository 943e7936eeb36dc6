//! Loops of expressions over operands that broadcast, or that lie otherwise than the output.
#![allow(unsafe_code, reason = "walks raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::MAX_INPUTS;
use super::run::{Loop, Pointers};
use crate::array::Dims;
use crate::kernel::apply::operand;
use crate::kernel::parallel::{LEAST, Shared, split};
use crate::kernel::stream::{self, Block, FULL, Reads, Sink};
use crate::kernel::strip::{LONG_ROW, Operand, STRIP_BYTES, Strip, copy_strided};
use crate::kernel::walk::{Walk, Way};

/// Operands that are contiguous along rows, or repeat an element.
struct Rows<'a> {
    walk: &'a Walk,
    ways: &'a [Way],
    /// The operands' numbers, and the sizes of their elements.
    operands: &'a [(usize, usize)],
    streams: bool,
}

impl Loop<'_> {
    /// Runs over operands that broadcast to a shape.
    ///
    /// # Safety
    /// There is room for the shape's elements, in memory that no array refers to; if what the output holds is read,
    /// they are there.
    #[inline(never)]
    pub(super) unsafe fn walk(&self, shape: &Dims, output: *mut u8) {
        let arrays = self.sources.arrays.iter().enumerate();
        let (numbers, operands): (Vec<usize>, Vec<Operand>) = arrays
            .filter_map(|(number, array)| Some((number, operand((*array)?, shape, &[]))))
            .unzip();
        let mut ways = vec![Way::START; operands.len()];
        let walk = Walk::merged(shape, &operands, &mut ways);
        if walk.total == 0 {
            return;
        }
        let size = self.dtype.size();
        let read = ways.iter().zip(&operands);
        let read = read.map(|(way, operand)| way.period.min(walk.total) * operand.size);
        let streams = self.sources.output.is_none()
            && stream::is_worthwhile(read.sum::<usize>() + walk.total * size);
        let along = |way: &Way| matches!(way.strides[walk.rank.saturating_sub(1)], 0 | 1);
        if walk.row() >= LONG_ROW && ways.iter().all(along) {
            let mut pointers: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (number, operand) in numbers.iter().zip(&operands) {
                pointers[*number] = operand.pointer;
            }
            let sizes = operands.iter().map(|operand| operand.size);
            let rows = Rows {
                walk: &walk,
                ways: &ways,
                operands: &numbers.iter().copied().zip(sizes).collect::<Vec<_>>(),
                streams,
            };
            let (pointers, output) = (Shared::new(pointers), Shared::new(output));
            split(walk.total, walk.row(), LEAST / self.cost, |piece| {
                // SAFETY: the caller's; each piece of the output is written by one thread.
                unsafe { self.rows(&rows, &pointers.get(), output.get(), piece) };
            });
            return;
        }
        let place = |inputs: &[*const u8]| {
            let mut by_number: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (number, input) in numbers.iter().zip(inputs) {
                by_number[*number] = *input;
            }
            by_number
        };
        if let Some(axis) = walk.across(&ways, &operands) {
            let write = |inputs: &[*const u8], len, to| {
                // SAFETY: of each input a part of a row was found; there is room for as many elements.
                unsafe { self.run(&place(inputs), to, len) }
            };
            // SAFETY: the caller's.
            unsafe {
                walk.run_tiles(
                    axis,
                    &ways,
                    &operands,
                    (output, size),
                    (streams, LEAST / self.cost),
                    &write,
                );
            }
            return;
        }
        // SAFETY: the caller's.
        unsafe { self.strips(&walk, &mut ways, &operands, &place, output) };
    }

    /// Runs over operands that are gathered into strips.
    ///
    /// # Safety
    /// That of [`Self::walk`]; the operands are walked these ways, and `place` puts what is found of each by its number.
    #[inline(never)]
    unsafe fn strips(
        &self,
        walk: &Walk,
        ways: &mut [Way],
        operands: &[Operand],
        place: &dyn Fn(&[*const u8]) -> Pointers,
        output: *mut u8,
    ) {
        let size = self.dtype.size();
        // On the stack, so that there is nothing to fail: an output may be overwritten.
        let mut scratch = MaybeUninit::<[Strip; MAX_INPUTS]>::uninit();
        // SAFETY: `Strip` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { scratch.assume_init_mut() };
        let between = [core::ptr::null_mut(); 2];
        let (longest, ends_with_row) = walk.strip_length(ways, true);
        let mut inputs = [core::ptr::null(); MAX_INPUTS];
        let inputs = &mut inputs[..operands.len()];
        let mut position = 0;
        while position < walk.total {
            let index = walk.index_at(position);
            let mut len = longest.min(walk.total - position);
            if ends_with_row {
                len = len.min(walk.left_in_row(&index));
            }
            for (number, (operand, way)) in operands.iter().zip(&mut *ways).enumerate() {
                let fetched = scratch[number].pointer();
                // SAFETY: operands broadcast to the shape, and have no path; the strip lies within the shape.
                inputs[number] =
                    unsafe { walk.fetch(way, operand, (position, &index), len, fetched, between) };
            }
            // SAFETY: of each input a strip was found; the output has as many elements left.
            unsafe { self.run(&place(inputs), output.wrapping_add(position * size), len) };
            position += len;
        }
    }

    /// Runs over a part of the rows.
    ///
    /// # Safety
    /// That of [`Self::walk`]; the pointers are the operands', by number, and the range lies within the walk.
    unsafe fn rows(
        &self,
        rows: &Rows<'_>,
        pointers: &Pointers,
        output: *mut u8,
        range: Range<usize>,
    ) {
        let Rows { walk, ways, .. } = *rows;
        let (last, size) = (walk.rank - 1, self.dtype.size());
        let repeats = |way: &Way| way.strides[last] == 0;
        let mut longest = if rows.streams {
            FULL / size
        } else {
            walk.row()
        };
        for (way, (_, size)) in ways.iter().zip(rows.operands) {
            if repeats(way) {
                longest = longest.min(STRIP_BYTES / size);
            }
        }
        // On the stack, as above.
        let mut strips = MaybeUninit::<[Strip; MAX_INPUTS]>::uninit();
        // SAFETY: `Strip` consists of `MaybeUninit`, for which no memory is invalid.
        let strips = unsafe { strips.assume_init_mut() };
        // The element that a strip repeats.
        let mut repeated = [core::ptr::null(); MAX_INPUTS];
        let mut block = Block::empty();
        let to = output.wrapping_add(range.start * size);
        let reads = || {
            let along = ways.iter().zip(rows.operands);
            let along = along.filter(|(way, _)| way.contiguous);
            let first = |number: usize, size| pointers[number].wrapping_add(range.start * size);
            let arrays = along.map(|(_, (number, size))| (first(*number, size), *size));
            Reads::new(size, arrays)
        };
        let mut sink = Sink::new(to, rows.streams.then(|| (&mut block, reads())));
        let mut position = range.start;
        while position < range.end {
            let index = walk.index_at(position);
            let end = range.end.min(position + walk.left_in_row(&index));
            let mut inputs = *pointers;
            let mut steps = [0; MAX_INPUTS];
            for (way, (number, size)) in ways.iter().zip(rows.operands) {
                let offset = way.offset(&index) * size.cast_signed();
                let from = pointers[*number].wrapping_offset(offset);
                (inputs[*number], steps[*number]) = (from, *size);
                if repeats(way) {
                    let strip = strips[*number].pointer();
                    if repeated[*number] != from {
                        // SAFETY: the caller's; a strip has room for so many elements.
                        unsafe { copy_strided(*size, from, 0, longest.min(walk.row()), strip) };
                        repeated[*number] = from;
                    }
                    (inputs[*number], steps[*number]) = (strip.cast_const(), 0);
                }
            }
            while position < end {
                let len = longest.min(end - position);
                // SAFETY: of each input so many elements of the row are left, or in a strip; the output has as many
                // left, and a piece is no longer than the sink takes.
                unsafe {
                    self.run(&inputs, sink.next(), len);
                    sink.wrote(len * size);
                }
                for (input, step) in inputs.iter_mut().zip(steps) {
                    *input = input.wrapping_add(step * len);
                }
                position += len;
            }
        }
        // SAFETY: all elements of the range were written.
        unsafe { sink.finish() }
    }
}
