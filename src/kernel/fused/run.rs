//! Runs fused loops over arrays.
#![allow(unsafe_code, reason = "hands arrays to loops over raw memory")]

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, Ordering};

use super::{
    DTypes, Elementwise, Extent, Extents, LoopExpression, LoopRows, MAX_BOUND, MAX_INPUTS, Node,
    PackSlot, Values, fill_up,
};
use crate::array::{Array, Dims, UNNAMED, Uninit, element_count};
use crate::dtype::{DType, Element};
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::nontemporal::{self, PrefetchSet};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, is_split, split};
use crate::simd;
use crate::simd::{LANES, for_types};

/// The address of each input's first element, by number.
pub(super) type Pointers = [*const u8; MAX_INPUTS];

/// The code of a fused loop. [`LoopBody::run`] has its safety contract.
pub(super) type Code = unsafe fn(*const (), &LoopRows<'_>);

/// The cost, in additions, up to which operations on operands smaller than the result are computed anew for each element
/// of the result. Costlier ones are computed once, by the interpreter.
const MAX_REPEATED_COST: usize = 12;

/// The place of an expression in the source.
///
/// Each macro invocation has a type of its own that implements this trait. So the loops of an expression are compiled
/// with the module it is in, and not all in one place.
pub trait CallSite {
    /// `true` if its loops are compiled, which crates built with optimisation do. Others interpret the expression, with
    /// the same bits.
    const COMPILED: bool;

    /// The loop for the baseline.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`].
    #[doc(hidden)]
    unsafe fn baseline<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; every processor has the baseline.
        unsafe { B::run::<simd::Baseline>(expression, rows) }
    }

    /// The loop for AVX2.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`]. The processor has AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn v3<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; the processor has V3, as this function requires.
        unsafe { B::run::<simd::V3>(expression, rows) }
    }

    /// The loop for AVX-512.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`]. The processor has what [`Self::v3`] requires, and AVX-512 F, BW, VL, DQ and
    /// CD.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(
        enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
    )]
    unsafe fn v4<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; the processor has V4, as this function requires.
        unsafe { B::run::<simd::V4>(expression, rows) }
    }
}

/// A loop over the rows of an expression, to be compiled for each instruction set.
pub trait LoopBody {
    /// Runs over the rows.
    ///
    /// # Safety
    /// - The processor has the instruction set `I`.
    /// - `expression` points to the [`LoopExpression`] that the loop is for; the inputs' dtypes [fit](Node::fits) it.
    /// - The elements of all rows can be read from each input (a single one for each row if it repeats); all are aligned.
    /// - What else the loop requires.
    unsafe fn run<I: simd::Isa>(expression: *const (), rows: &LoopRows<'_>);
}

/// The inputs of a fused loop, by number.
#[derive(Clone, Copy)]
pub struct LoopInputs<'a> {
    pub(super) arrays: [Option<&'a Array>; MAX_INPUTS],
    dtypes: DTypes,
    /// The address of each array's first element.
    inputs: SendPtr<Pointers>,
    /// One more than the highest number in use.
    pub(super) end: usize,
    /// An array among the inputs, if there is one.
    first: Option<&'a Array>,
    /// `true` if all arrays have one shape and are row-major.
    pub(super) alike: bool,
    /// `true` if a whole pack of each array can be read, even if the array has fewer elements.
    is_padded_to: bool,
    /// The sizes of an element of each input, added up, in bytes.
    pub(super) size: usize,
    /// The number of the input that is read from the output before it is overwritten.
    pub(super) output: Option<usize>,
}

impl Default for LoopInputs<'_> {
    #[inline]
    fn default() -> Self {
        Self {
            arrays: [None; MAX_INPUTS],
            dtypes: DTypes::default(),
            inputs: SendPtr::new([core::ptr::null(); MAX_INPUTS]),
            end: 0,
            first: None,
            alike: true,
            is_padded_to: true,
            size: 0,
            output: None,
        }
    }
}

impl<'a> LoopInputs<'a> {
    /// Sets an array as the input with this number.
    /// # Panics
    /// If the number is not below [`MAX_INPUTS`].
    #[inline]
    pub(crate) fn array(&mut self, number: usize, array: &'a Array) {
        self.arrays[number] = Some(array);
        self.inputs.get_mut()[number] = array.as_ptr();
        let dtype = array.dtype();
        self.is_padded_to &= array.is_padded_to(LANES * dtype.size());
        self.dtype(number, dtype);
        let first = *self.first.get_or_insert(array);
        self.alike &= array.is_contiguous() && first.dims() == array.dims();
    }

    /// Sets the output's former elements as the input with this number.
    /// # Panics
    /// If the number is not below [`MAX_INPUTS`].
    #[inline]
    pub(crate) fn output(&mut self, number: usize, dtype: DType) {
        self.output = Some(number);
        self.dtype(number, dtype);
    }

    /// The dtype of each input, by number.
    pub(super) fn dtypes(&self) -> &DTypes {
        &self.dtypes
    }

    /// Returns the address of each array's first element, by number.
    #[inline]
    pub(super) fn addresses(&self) -> &Pointers {
        self.inputs.get_ref()
    }

    /// Counts each number once: an input may be set twice.
    #[inline]
    fn dtype(&mut self, number: usize, dtype: DType) {
        if self.dtypes[number].replace(dtype).is_none() {
            self.size += dtype.size();
        }
        self.end = self.end.max(number + 1);
    }
}

/// Returns the loop for the SIMD level in use.
pub(super) fn code<S: CallSite, B: LoopBody>() -> Code {
    match simd::level() {
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V4 => S::v4::<B>,
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V3 => S::v3::<B>,
        _ => S::baseline::<B>,
    }
}

/// Returns the extent of the expression in a result; writes those of its bound values.
fn extent_of<V: Values, A: Node>(extents: &mut Extents) -> Extent {
    let before = V::extents(extents);
    let mut own = A::extent(extents);
    own.repeated = own.repeated.saturating_add(before);
    own
}

/// An expression with its loop for the SIMD level in use.
#[derive(Clone, Copy)]
pub(crate) struct Loop<'e> {
    pub(super) code: Code,
    pub(super) expression: SendPtr<*const ()>,
    pub(super) sources: &'e LoopInputs<'e>,
    pub(super) dtype: DType,
    pub(super) cost: usize,
    pub(super) calls: bool,
    /// The bytes that the whole reads and writes of which this is a part; zero if it is the whole.
    pub(super) bytes_of_whole: usize,
    /// `true` if it may compute elements that do not exist.
    pub(super) computes_padding: bool,
    /// `true` if an operation has failed; `None` if none can.
    pub(super) failed: Option<&'e AtomicBool>,
    /// `None` if the extent need not be known: all inputs are read, and the whole expression may be repeated.
    pub(super) extent: Option<fn(&mut Extents) -> Extent>,
}

impl<'e> Loop<'e> {
    /// Makes the loop of an expression.
    ///
    /// # Panics
    /// If the inputs' dtypes are not those that the expression reads.
    #[inline]
    pub(crate) fn new<S: CallSite, V: Values, A: Node>(
        expression: &'e LoopExpression<V, A>,
        sources: &'e LoopInputs<'e>,
    ) -> Self {
        Self::of_code(code::<S, Elementwise<V, A>>(), expression, sources)
    }

    /// Makes a loop of an expression, with other code than [`Elementwise`].
    ///
    /// # Panics
    /// As [`Self::new`].
    #[inline]
    pub(super) fn of_code<V: Values, A: Node>(
        code: Code,
        expression: &'e LoopExpression<V, A>,
        sources: &'e LoopInputs<'e>,
    ) -> Self {
        let mut bound = DTypes::default();
        let inputs = &sources.dtypes;
        assert!(
            V::fits(inputs, &mut bound)
                && A::fits(inputs, &bound)
                && sources
                    .output
                    .is_none_or(|number| inputs[number] == Some(A::Format::DTYPE)),
            "an expression's operands have the dtypes that it was made for"
        );
        Self {
            code,
            expression: SendPtr::new(core::ptr::from_ref(expression).cast()),
            sources,
            dtype: A::Format::DTYPE,
            cost: 1 + V::COST + A::COST,
            calls: V::CALLS || A::CALLS,
            bytes_of_whole: 0,
            computes_padding: LoopExpression::<V, A>::COMPUTES_PADDING,
            failed: LoopExpression::<V, A>::CAN_FAIL.then_some(&expression.failed),
            // A user's function is never repeated, whatever it costs.
            extent: if const { V::COUNT == 0 && !A::CALLS && A::COST <= MAX_REPEATED_COST } {
                None
            } else {
                Some(extent_of::<V, A>)
            },
        }
    }

    /// Returns one of the arrays if all are row-major and have one shape.
    #[inline]
    pub(super) fn like(&self) -> Option<&'e Array> {
        self.sources.first.filter(|_| self.sources.alike)
    }

    /// Returns whether the loop may run over a whole pack of arrays that have fewer elements: their buffers have padding, and the
    /// expression can be computed for it.
    #[inline]
    pub(super) fn reads_padding(&self) -> bool {
        self.sources.is_padded_to && self.computes_padding
    }

    /// Computes the value into new memory. Returns `None` if there is no memory, if shapes do not broadcast, if parts of
    /// the expression are better computed once, before the rest, or if an operation fails: then the graph gives the value or the
    /// error.
    pub(crate) fn evaluate(&self) -> Option<Array> {
        let size = self.dtype.size();
        let Some(like) = self.like() else {
            return self.evaluate_broadcast();
        };
        let mut buffer = Uninit::new(like.len() * size).ok()?;
        let is_padded = self.is_padded(like.len(), buffer.is_padded_to(LANES * size));
        // SAFETY: all inputs are row-major (`like`) and have `like.len()` elements, or a pack of initialised bytes if they are
        // padded. The output has room for as many, in memory that nothing else refers to; `pieces` writes all elements.
        let buffer = unsafe {
            self.pieces(buffer.as_mut_ptr(), like.len(), is_padded);
            buffer.assume_init()
        };
        self.succeeded(like.len())
            .then(|| like.like(buffer, self.dtype))
    }

    /// Returns whether no operation has failed, after `len` elements of the result were computed. If there are none, it returns
    /// `false`: parts of the expression that have elements may fail, but the loop has not computed them.
    #[inline]
    fn succeeded(&self, len: usize) -> bool {
        self.failed
            .is_none_or(|failed| len > 0 && !failed.load(Ordering::Relaxed))
    }

    /// [`Self::evaluate`] of operands that broadcast.
    #[inline(never)]
    fn evaluate_broadcast(&self) -> Option<Array> {
        let mut shape = Dims::default();
        if !self.has_shape(None, &mut shape) {
            return None;
        }
        let len = shape.iter().product::<usize>();
        let mut buffer = Uninit::new(len * self.dtype.size()).ok()?;
        let is_padded = buffer.is_padded_to(LANES * self.dtype.size());
        // SAFETY: the new memory has room for the shape's elements, and for a pack if it is padded. Nothing else refers to
        // it; no input is the output's. `run_strided` writes all elements.
        let buffer = unsafe {
            self.run_strided(&shape, buffer.as_mut_ptr(), is_padded);
            buffer.assume_init()
        };
        self.succeeded(len)
            .then(|| Array::from_buffer(buffer, self.dtype, shape))
    }

    /// Writes the shape of the value, and returns whether the loop should compute it. It should not if there is no shape, or for the
    /// other reasons that [`Self::evaluate`] names. A value that is written to an array has the array's shape, `out`.
    // The shape is written in place because reading a value as a whole, right after its parts were stored, stalls.
    pub(crate) fn has_shape(&self, out: Option<&Dims>, shape: &mut Dims) -> bool {
        let arrays = &self.sources.arrays[..self.sources.end];
        let mut rank = out.map_or(0, |out| out.len());
        for array in arrays.iter().flatten() {
            // An array without elements is no operand: the graph says so.
            if array.has_handle() {
                return false;
            }
            rank = rank.max(array.rank());
        }
        *shape = Dims::single(rank);
        let mut axes = [0; MAX_INPUTS];
        for (number, array) in arrays.iter().enumerate() {
            let target = out.filter(|_| self.sources.output == Some(number));
            if let Some(dims) = array.map(Array::dims).or(target) {
                match shape.broadcast_with(dims) {
                    Some(extended) => axes[number] = extended,
                    None => return false,
                }
            }
        }
        if element_count(UNNAMED, shape).is_err() || out.is_some_and(|out| *out != *shape) {
            return false;
        }
        self.extent
            .is_none_or(|extent| self.is_whole(extent, &axes))
    }

    /// Returns whether no costly part of the expression is smaller than the result: the loop would compute such a part again for
    /// each element.
    fn is_whole(&self, extent: fn(&mut Extents) -> Extent, axes: &[u8; MAX_INPUTS]) -> bool {
        let none = Extent::operand(0, 0);
        let mut extents = Extents {
            inputs: [none; MAX_INPUTS],
            bound: [none; MAX_BOUND],
            all: 0,
        };
        let mut inputs = 0;
        for (number, dtype) in self.sources.dtypes.iter().enumerate() {
            if dtype.is_some() {
                extents.inputs[number] = Extent::operand(axes[number], 1 << number);
                extents.all |= axes[number];
                inputs |= 1 << number;
            }
        }
        let extent = extent(&mut extents);
        // Inputs that only unused bindings read do not count for the shape.
        let is_whole = extent.inputs == inputs && extent.axes == extents.all;
        is_whole && usize::from(extent.repeated) <= MAX_REPEATED_COST
    }

    /// Overwrites a row-major array of the value's dtype and shape that has no other owner. Returns whether it was
    /// overwritten; if not, the graph gives the value or the error.
    pub(crate) fn evaluate_into(&self, out: &mut Array) -> bool {
        if self.failed.is_some() {
            return self.replace(out);
        }
        let first = self.sources.first;
        if !self.sources.alike || first.is_some_and(|first| first.dims() != out.dims()) {
            return self.overwrite(out);
        }
        let is_padded = self.is_padded(out.len(), out.is_padded_to(LANES * self.dtype.size()));
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: all inputs are row-major (`alike`) and have `out.len()` elements, or a pack of initialised bytes if they are
        // padded. So has the output, and it has no other owner (`memory`), so no operand shares its elements.
        unsafe { self.pieces(pointer, out.len(), is_padded) };
        true
    }

    /// [`Self::evaluate_into`] of an expression that can fail. It computes into new memory and gives that to the output at the end,
    /// so that the output is unchanged if an operation fails.
    #[inline(never)]
    fn replace(&self, out: &mut Array) -> bool {
        let mut sources = *self.sources;
        if let Some(number) = sources.output.take() {
            sources.array(number, out);
        }
        let code = Loop {
            sources: &sources,
            ..*self
        };
        let fits = out.dtype() == self.dtype && !out.has_handle();
        match code.evaluate().filter(|_| fits) {
            Some(array) if array.dims() == out.dims() => {
                *out = array;
                true
            }
            _ => false,
        }
    }

    /// [`Self::evaluate_into`] of operands that broadcast.
    #[inline(never)]
    fn overwrite(&self, out: &mut Array) -> bool {
        let mut shape = Dims::default();
        if !self.has_shape(Some(out.dims()), &mut shape) {
            return false;
        }
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: the array has the shape's elements, of this dtype, and no other owner (`memory`), so no operand
        // shares them.
        unsafe { self.run_strided(&shape, pointer, false) };
        true
    }

    /// Returns whether to run over a whole pack of fewer elements: the output and all inputs are padded to one, and the padding may
    /// be computed. Else a part of a pack is copied there and back, which takes longer than computing it.
    #[inline]
    fn is_padded(&self, len: usize, output_has_room: bool) -> bool {
        0 < len && len < LANES && output_has_room && self.reads_padding()
    }

    /// Returns the address of an array's elements, if the value may overwrite them: it has the value's dtype, is
    /// contiguous, and has no other owner.
    fn memory(&self, out: &mut Array) -> Option<*mut u8> {
        let fits = out.dtype() == self.dtype && out.is_contiguous();
        if fits { out.unique_mut_ptr() } else { None }
    }

    /// Runs over `total` elements of the arrays, which have one shape and are row-major. It uses several threads and
    /// streaming stores where these are faster.
    ///
    /// # Safety
    /// `total` elements of each input can be read, or a pack if they are padded. As many can be written to `output`, which
    /// overlaps no input except the one that [`LoopInputs::output`] names.
    pub(super) unsafe fn pieces(&self, output: *mut u8, total: usize, is_padded: bool) {
        debug_assert!(self.sources.alike, "arrays that are walked as one");
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
            && nontemporal::is_worthwhile(total * (size + self.sources.size));
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        if !streams && !is_split(total, min_len) {
            // The rest of this function is for streaming and threads.
            // SAFETY: the caller guarantees `total` elements of each input and of the output.
            return unsafe { self.run(self.sources.addresses(), output, total) };
        }
        let mut sizes = [0; MAX_INPUTS];
        for (size, dtype) in sizes.iter_mut().zip(&self.sources.dtypes) {
            *size = dtype.map_or(0, DType::size);
        }
        let output = SendPtr::new(output);
        split(total, BLOCK, min_len, |piece| {
            let (inputs, output) = (self.sources.inputs.get(), output.get());
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
    /// except the one that [`LoopInputs::output`] names; that one's entry in `inputs` is ignored.
    #[inline]
    pub(super) unsafe fn run(&self, inputs: &Pointers, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of each input and of the output.
        unsafe { self.run_rows(&LoopRows::single(inputs, output, len)) }
    }

    /// Runs over rows of any length.
    ///
    /// # Safety
    /// The elements of all rows can be read from each input (a single one for each row if it repeats), and as many can be
    /// written to the output, which overlaps no input except the one that [`LoopInputs::output`] names; that one's entries in
    /// `rows` are ignored.
    pub(super) unsafe fn run_rows(&self, rows: &LoopRows<'_>) {
        if self.sources.output.is_some() {
            // SAFETY: the caller guarantees readable and writable rows.
            return unsafe { self.run_in_place(rows) };
        }
        if rows.len.is_multiple_of(LANES) || rows.len > LANES && !self.calls {
            // SAFETY: the code is for the SIMD level in use; `new` checked the dtypes and keeps the expression borrowed. The
            // caller guarantees readable and writable rows; their length is a multiple of `LANES`, or it is larger and the
            // output is no input.
            return unsafe { (self.code)(self.expression.get(), rows) };
        }
        // SAFETY: the caller guarantees readable and writable rows.
        unsafe { self.run_uneven(rows) }
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
                (self.code)(self.expression.get(), rows);
            } else {
                self.run_uneven(rows);
            }
        }
    }

    /// Runs over rows whose length is no multiple of a pack's.
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
                unsafe { (self.code)(self.expression.get(), &packs) };
            }
            // SAFETY: the caller guarantees `len` elements of the row; those from `whole` on are fewer than a pack.
            unsafe { self.rest(&inputs, rows.repeats, output, whole, rows.len - whole) };
        }
    }

    /// Runs over the last, partial pack: over a copy of it that is filled up with its last element, which is an
    /// argument that a user's function gets anyway.
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
        for (number, dtype) in self.sources.dtypes[..self.sources.end].iter().enumerate() {
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

/// [`fill_up`] for elements of `size` bytes.
///
/// # Safety
/// `len` elements, at least one and fewer than [`LANES`], can be read from `from`, and [`LANES`] can be written to
/// `to`; both are aligned for the size, up to 8 bytes, and do not overlap.
#[inline]
pub(super) unsafe fn fill_up_of(size: usize, from: *const u8, len: usize, to: *mut u8) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees `0 < len < LANES` readable elements of this size and room for a pack.
        unsafe { fill_up::<T>(from.cast(), len, to.cast()) },
        // SAFETY: as for the other sizes, here of 16 bytes, aligned to 8.
        _ => unsafe { fill_up::<[u64; 2]>(from.cast(), len, to.cast()) }
    );
}
