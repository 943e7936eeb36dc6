//! Runs fused loops over rows of any length, on several threads and with streaming stores where these are faster.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::call_site::Code;
use super::inputs::Pointers;
use super::{Loop, LoopRows, MAX_INPUTS, PackSlot};
use crate::dtype::DType;
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::gather::fill_up_of;
use crate::kernel::drive::nontemporal::{self, PrefetchSet};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, is_split, split};
use crate::simd::LANES;

impl Loop<'_> {
    /// Runs over `total` elements of the arrays, which have one shape and are row-major. It uses several threads and
    /// streaming stores where these are faster.
    ///
    /// # Safety
    /// `total` elements of each input can be read, or a pack if they are padded. As many can be written to `output`, which
    /// overlaps no input except the one that [`LoopInputs::output`](super::LoopInputs::output) names.
    pub(super) unsafe fn pieces(&self, output: *mut u8, total: usize, is_padded: bool) {
        debug_assert!(self.sources.alike, "arrays whose axes coalesce to one");
        if is_padded {
            // SAFETY: the caller guarantees a pack of each input and of the output.
            return unsafe {
                self.run_rows(&LoopRows::part(self.sources.addresses(), output, total))
            };
        }
        if total < BLOCK {
            // SAFETY: the caller guarantees `total` elements of each input and of the output.
            return unsafe { self.run(self.sources.addresses(), output, total) };
        }
        let size = self.dtype.size();
        let streams = self.sources.output.is_none()
            && nontemporal::is_worthwhile(total * (size + self.sources.size), size, self.cost);
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        if !streams && !is_split(total, min_len) {
            // The rest of this function is for streaming and threads.
            // SAFETY: the caller guarantees `total` elements of each input and of the output.
            return unsafe { self.run(self.sources.addresses(), output, total) };
        }
        let mut sizes = [0; MAX_INPUTS];
        for (size, dtype) in sizes.iter_mut().zip(self.sources.dtypes()) {
            *size = dtype.map_or(0, DType::size);
        }
        let output = SendPtr::new(output);
        split(total, BLOCK, min_len, |piece| {
            let (inputs, output) = (*self.sources.addresses(), output.get());
            let mut write = |position: usize, len, to: *mut u8| {
                let first = piece.start + position;
                let mut inputs = inputs;
                for (input, size) in inputs.iter_mut().zip(&sizes[..self.sources.end]) {
                    *input = input.wrapping_add(first * size);
                }
                // SAFETY: `first + len <= total`, so the caller guarantees these elements of each input; `in_pieces`
                // gives room for `len` results at `to`.
                unsafe { self.run(&inputs, to, len) };
            };
            let to = output.wrapping_add(piece.start * size);
            let reads = || {
                let arrays = inputs.iter().zip(&sizes).filter(|(_, size)| **size > 0);
                let first = |input: *const u8, size| input.wrapping_add(piece.start * size);
                PrefetchSet::new(
                    self.dtype.size(),
                    arrays.map(|(input, size)| (first(*input, *size), *size)),
                )
            };
            // SAFETY: the caller guarantees room for `total` elements; `split` hands each piece of the output to one
            // thread, and `write` writes all of a piece. The output is not streamed if it is read too
            // (`sources.output`).
            unsafe { nontemporal::in_pieces(to, piece.len(), streams.then(reads), &mut write) };
        });
    }

    /// Runs over any number of elements.
    ///
    /// # Safety
    /// `len` elements of each input can be read and as many can be written to `output`, which overlaps no input
    /// except the one that [`LoopInputs::output`](super::LoopInputs::output) names; that one's entry in `inputs` is ignored.
    #[inline]
    pub(super) unsafe fn run(&self, inputs: &Pointers, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of each input and of the output.
        unsafe { self.run_rows(&LoopRows::single(inputs, output, len)) }
    }

    /// Runs over rows of any length.
    ///
    /// # Safety
    /// The elements of all rows can be read from each input (a single one for each row if it repeats), and as many can be
    /// written to the output, which overlaps no input except the one that [`LoopInputs::output`](super::LoopInputs::output) names; that one's entries in
    /// `rows` are ignored.
    pub(super) unsafe fn run_rows(&self, rows: &LoopRows<'_>) {
        if self.sources.output.is_some() {
            // SAFETY: the caller guarantees readable and writable rows.
            return unsafe { self.run_in_place(rows) };
        }
        if rows.len.is_multiple_of(LANES) || rows.len > LANES && !self.calls {
            // SAFETY: the code is for the SIMD level in use; `new` checked the dtypes and keeps the expression borrowed. The
            // caller guarantees readable and writable rows; their length is a multiple of `LANES`, or it is larger and the
            // output is not an input. If the code requires inputs that repeat, they do.
            return unsafe { (self.code_for(rows))(self.expression.get(), rows) };
        }
        // SAFETY: the caller guarantees readable and writable rows.
        unsafe { self.run_uneven(rows) }
    }

    /// Returns the fastest code for rows, whose inputs repeat along them where it requires that.
    #[inline]
    fn code_for(&self, rows: &LoopRows<'_>) -> Code {
        match self.repeating {
            Some(repeating) if repeating.fits(rows.repeats) => repeating.code,
            _ => self.code,
        }
    }

    /// [`Self::run_rows`] if an input is the output's former elements.
    ///
    /// # Safety
    /// The contract of [`Self::run_rows`].
    #[inline(never)]
    unsafe fn run_in_place(&self, rows: &LoopRows<'_>) {
        let (mut inputs, mut steps, mut repeats) = (*rows.inputs, *rows.steps, rows.repeats);
        if let Some(number) = self.sources.output {
            inputs[number] = rows.output;
            steps[number] = (rows.len * self.dtype.size()).cast_signed();
            repeats &= !(1 << number);
        }
        let rows = &LoopRows {
            inputs: &inputs,
            steps: &steps,
            repeats,
            ..*rows
        };
        // SAFETY: the caller guarantees readable and writable rows, and the output's own are readable too. The code is for the
        // SIMD level in use; `new` checked the dtypes and keeps the expression borrowed; a length that is a multiple of `LANES`
        // is allowed for every output.
        unsafe {
            if rows.len.is_multiple_of(LANES) {
                (self.code_for(rows))(self.expression.get(), rows);
            } else {
                self.run_uneven(rows);
            }
        }
    }

    /// Runs over rows whose length is not a multiple of a pack's.
    ///
    /// # Safety
    /// The contract of [`Self::run_rows`], and the entries of the input that is the output are those of its rows.
    #[inline(never)]
    unsafe fn run_uneven(&self, rows: &LoopRows<'_>) {
        let whole = rows.len / LANES * LANES;
        for row in 0..rows.count {
            let mut inputs = *rows.inputs;
            for (input, step) in inputs.iter_mut().zip(rows.steps) {
                *input = input.wrapping_offset(row.cast_signed() * step);
            }
            let output = rows.output.wrapping_add(row * rows.len * self.dtype.size());
            if whole > 0 {
                let packs = LoopRows {
                    repeats: rows.repeats,
                    ..LoopRows::single(&inputs, output, whole)
                };
                // SAFETY: the code is for the SIMD level in use; `new` checked the dtypes and keeps the expression borrowed. The
                // caller guarantees `len >= whole` elements of the row; `whole` is a multiple of `LANES`.
                unsafe { (self.code_for(&packs))(self.expression.get(), &packs) };
            }
            // SAFETY: the caller guarantees `len` elements of the row; those from `whole` on are fewer than a pack.
            unsafe { self.rest(&inputs, rows.repeats, output, whole, rows.len - whole) };
        }
    }

    /// Runs over the last, partial pack. It is copied and filled up with its last element, so that a user's function is
    /// called with no other arguments.
    ///
    /// # Safety
    /// `len` elements of each input can be read from `done` on (its only one if it repeats), and as many can be written to
    /// `output`; `len` is at least one and less than [`LANES`].
    unsafe fn rest(
        &self,
        inputs: &Pointers,
        repeats: u32,
        output: *mut u8,
        done: usize,
        len: usize,
    ) {
        let mut room = [const { MaybeUninit::<PackSlot>::uninit() }; MAX_INPUTS];
        let mut result = MaybeUninit::<PackSlot>::uninit();
        let mut copies = [core::ptr::null(); MAX_INPUTS];
        for (number, dtype) in self.sources.dtypes()[..self.sources.end].iter().enumerate() {
            let Some(dtype) = dtype else { continue };
            let (done, len) = if repeats >> number & 1 == 1 {
                (0, 1)
            } else {
                (done, len)
            };
            let from = inputs[number].wrapping_add(done * dtype.size());
            let to = room[number].as_mut_ptr().cast::<u8>();
            // SAFETY: the caller guarantees `0 < len < LANES` readable elements of this dtype. A slot has room for a pack of
            // any elements, and is aligned to 64 bytes.
            unsafe { fill_up_of(dtype.size(), from, len, to) };
            copies[number] = to.cast_const();
        }
        let size = self.dtype.size();
        let results = result.as_mut_ptr().cast::<u8>();
        // SAFETY: `new` checked the dtypes and the code is for the SIMD level in use. The copies are whole packs of
        // each input, and `result` has room for a pack; the caller guarantees room for `len` elements at `output +
        // done`.
        unsafe {
            (self.code)(
                self.expression.get(),
                &LoopRows::part(&copies, results, len),
            );
            let to = output.wrapping_add(done * size);
            to.copy_from_nonoverlapping(results, len * size);
        }
    }
}
