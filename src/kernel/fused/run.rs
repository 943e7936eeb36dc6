//! Runs fused loops over arrays.
#![allow(unsafe_code, reason = "hands arrays to loops over raw memory")]

use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use super::body;
use super::{DTypes, MAX_INPUTS, Node, PackSlot, Values, fill_up};
use crate::array::{AllocError, Array, Dims, Uninit};
use crate::dtype::{DType, Element};
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::nontemporal::{self, PrefetchSet};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, is_split, split};
use crate::simd;
use crate::simd::{LANES, for_types};

/// The address of each input's first element, by number.
pub(super) type Pointers = [*const u8; MAX_INPUTS];

/// The code of a fused loop. [`body`] has its safety contract.
type Code = unsafe fn(*const (), &Pointers, *mut u8, usize);

/// The place of an expression in the source.
///
/// Each macro invocation has a type of its own that implements this trait. So the loops of an expression are compiled
/// with the module it is in, and not all in one place.
pub trait CallSite {
    /// Whether its loops are compiled, which crates built with optimisation do. Others interpret the expression, with
    /// the same bits.
    const COMPILED: bool;

    /// The loop for AVX2.
    ///
    /// # Safety
    /// That of `body`: see its list. The processor has AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn v3<V: Values, A: Node>(
        expression: *const (),
        inputs: &Pointers,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: the caller guarantees an expression of these types that fits the inputs, `len` readable and
        // writable elements, and a multiple of `LANES`; the processor has V3, as this function requires.
        unsafe { body::<simd::V3, V, A>(expression, inputs, output, len) }
    }

    /// The loop for AVX-512.
    ///
    /// # Safety
    /// That of `body`: see its list. The processor has what [`Self::v3`] requires, and AVX-512 F, BW, VL, DQ and CD.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(
        enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
    )]
    unsafe fn v4<V: Values, A: Node>(
        expression: *const (),
        inputs: &Pointers,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: the caller guarantees an expression of these types that fits the inputs, `len` readable and
        // writable elements, and a multiple of `LANES`; the processor has V4, as this function requires.
        unsafe { body::<simd::V4, V, A>(expression, inputs, output, len) }
    }
}

/// The inputs of a fused loop, by number.
#[derive(Clone, Copy)]
pub struct LoopInputs<'a> {
    pub(super) arrays: [Option<&'a Array>; MAX_INPUTS],
    dtypes: DTypes,
    /// The address of each array's first element.
    inputs: SendPtr<Pointers>,
    /// One more than the highest number in use.
    end: usize,
    /// An array among the inputs, if there is one.
    first: Option<&'a Array>,
    /// Whether all arrays have one shape and are row-major.
    alike: bool,
    /// Whether a whole pack of each array can be read, even if the array has fewer elements.
    is_padded_to: bool,
    /// The sizes of an element of each input, added up, in bytes.
    size: usize,
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

    /// Counts each number once: an input may be set twice.
    #[inline]
    fn dtype(&mut self, number: usize, dtype: DType) {
        if self.dtypes[number].replace(dtype).is_none() {
            self.size += dtype.size();
        }
        self.end = self.end.max(number + 1);
    }
}

/// Returns the expression's loop for the SIMD level in use.
fn code<S: CallSite, V: Values, A: Node>() -> Option<Code> {
    match simd::level() {
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V4 => Some(S::v4::<V, A>),
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V3 => Some(S::v3::<V, A>),
        _ => None,
    }
}

/// An expression with its loop for the SIMD level in use.
#[derive(Clone, Copy)]
pub(crate) struct Loop<'e> {
    code: Code,
    expression: SendPtr<*const ()>,
    pub(super) sources: &'e LoopInputs<'e>,
    pub(super) dtype: DType,
    pub(super) cost: usize,
    calls: bool,
}

impl<'e> Loop<'e> {
    /// Returns `None` at the baseline SIMD level, for which no fused loops are compiled: on processors without AVX2.
    ///
    /// # Panics
    /// If the inputs' dtypes are not those that the expression reads.
    #[inline]
    pub(crate) fn new<S: CallSite, V: Values, A: Node>(
        expression: &'e (V, A),
        sources: &'e LoopInputs<'e>,
    ) -> Option<Self> {
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
        Some(Self {
            code: code::<S, V, A>()?,
            expression: SendPtr::new(core::ptr::from_ref(expression).cast()),
            sources,
            dtype: A::Format::DTYPE,
            cost: 1 + V::COST + A::COST,
            calls: V::CALLS || A::CALLS,
        })
    }

    /// Returns whether all operands are row-major and have one shape.
    pub(crate) fn is_alike(&self) -> bool {
        self.like().is_some()
    }

    /// Returns one of the arrays if all are row-major and have one shape.
    #[inline]
    fn like(&self) -> Option<&'e Array> {
        self.sources.first.filter(|_| self.sources.alike)
    }

    /// Computes the value into new memory, if all operands are row-major and have one shape. Returns `None` otherwise
    /// or if there is no memory; then [`Self::evaluate_in`] gives the value or the error.
    pub(crate) fn evaluate(&self) -> Option<Array> {
        let like = self.like()?;
        let size = self.dtype.size();
        let mut buffer = Uninit::new(like.len() * size).ok()?;
        let len = self.rounded(like.len(), buffer.is_padded_to(LANES * size));
        // SAFETY: all inputs are row-major (`like`) and have `like.len()` elements, or a pack of initialised bytes if
        // `rounded` gave a pack. The output has room for as many, in memory that nothing else refers to; `pieces`
        // writes all elements.
        let buffer = unsafe {
            self.pieces(buffer.as_mut_ptr(), len);
            buffer.assume_init()
        };
        Some(like.like(buffer, self.dtype))
    }

    /// Computes the value into new memory, of operands that broadcast to a shape.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn evaluate_in(&self, shape: &Dims) -> Result<Array, AllocError> {
        let mut buffer = Uninit::new(shape.iter().product::<usize>() * self.dtype.size())?;
        // SAFETY: the new memory has room for the shape's elements, and nothing else refers to it; no input is the
        // output's. `run_strided` writes all elements.
        let buffer = unsafe {
            self.run_strided(shape, buffer.as_mut_ptr());
            buffer.assume_init()
        };
        Ok(Array::from_buffer(buffer, self.dtype, *shape))
    }

    /// Overwrites a row-major array of the value's dtype that has no other owner, if all operands are row-major and
    /// have its shape. Returns whether it was overwritten.
    pub(crate) fn evaluate_into(&self, out: &mut Array) -> bool {
        let first = self.sources.first;
        if !self.sources.alike || first.is_some_and(|first| first.dims() != out.dims()) {
            return false;
        }
        let len = self.rounded(out.len(), out.is_padded_to(LANES * self.dtype.size()));
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: all inputs are row-major (`alike`) and have `out.len()` elements, or a pack of initialised bytes if
        // `rounded` gave a pack. So has the output, and it has no other owner (`memory`), so no operand shares its
        // elements.
        unsafe { self.pieces(pointer, len) };
        true
    }

    /// Returns the number of elements to run over: a whole pack if there are fewer, the output and all inputs are
    /// padded to one, and no user's function sees the padding. Else a part of a pack is copied there and back, which
    /// takes longer than computing it.
    #[inline]
    fn rounded(&self, len: usize, output_has_room: bool) -> usize {
        let is_part = 0 < len && len < LANES && !self.calls;
        if is_part && output_has_room && self.sources.is_padded_to {
            LANES
        } else {
            len
        }
    }

    /// Overwrites a row-major array of the value's dtype that has no other owner, and to whose shape the operands
    /// broadcast. Returns whether it was overwritten.
    pub(crate) fn overwrite(&self, out: &mut Array) -> bool {
        let shape = *out.dims();
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: the array has the shape's elements, of this dtype, and no other owner (`memory`), so no operand
        // shares them.
        unsafe { self.run_strided(&shape, pointer) };
        true
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
    /// `total` elements of each input can be read, and as many can be written to `output`, which overlaps no input
    /// except the one that [`LoopInputs::output`] names.
    unsafe fn pieces(&self, output: *mut u8, total: usize) {
        debug_assert!(self.sources.alike, "arrays that are walked as one");
        if total < BLOCK {
            // SAFETY: the caller guarantees `total` elements of each input and of the output.
            return unsafe { self.run(self.sources.inputs.get_ref(), output, total) };
        }
        let size = self.dtype.size();
        let streams = self.sources.output.is_none()
            && nontemporal::is_worthwhile(total * (size + self.sources.size));
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        if !streams && !is_split(total, min_len) {
            // The rest of this function is for streaming and threads.
            // SAFETY: the caller guarantees `total` elements of each input and of the output.
            return unsafe { self.run(self.sources.inputs.get_ref(), output, total) };
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
    pub(super) unsafe fn run(&self, inputs: &Pointers, output: *mut u8, len: usize) {
        let with_output;
        let inputs = match self.sources.output {
            None => inputs,
            Some(number) => {
                let mut inputs = *inputs;
                inputs[number] = output;
                with_output = inputs;
                &with_output
            }
        };
        let whole = len / LANES * LANES;
        if whole > 0 {
            // SAFETY: the code is for the SIMD level in use; `new` checked the dtypes and keeps the expression
            // borrowed. The caller guarantees `len >= whole` elements of each input and of the output; `whole` is a
            // multiple of `LANES`.
            unsafe { (self.code)(self.expression.get(), inputs, output, whole) };
        }
        if whole < len {
            // SAFETY: the caller guarantees `len` elements of each input and of the output; those from `whole` on are
            // fewer than a pack.
            unsafe { self.rest(inputs, output, whole, len - whole) };
        }
    }

    /// Runs over the last, partial pack: over a copy of it that is filled up with its last element, which is an
    /// argument that a user's function gets anyway.
    ///
    /// # Safety
    /// `len` elements of each input can be read from `done` on, and as many can be written to `output`; `len` is at
    /// least one and less than [`LANES`].
    unsafe fn rest(&self, inputs: &Pointers, output: *mut u8, done: usize, len: usize) {
        let mut room = [const { MaybeUninit::<PackSlot>::uninit() }; MAX_INPUTS];
        let mut result = MaybeUninit::<PackSlot>::uninit();
        let mut copies = [core::ptr::null(); MAX_INPUTS];
        for (number, dtype) in self.sources.dtypes[..self.sources.end].iter().enumerate() {
            let Some(dtype) = dtype else { continue };
            let from = inputs[number].wrapping_add(done * dtype.size());
            let to = room[number].as_mut_ptr().cast::<u8>();
            for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
                // SAFETY: the caller guarantees `0 < len < LANES` readable elements; they have this size and are
                // aligned for it. A slot has room for a pack of any elements, and is aligned to 64 bytes.
                unsafe { fill_up::<T>(from.cast(), len, to.cast()) },
                // SAFETY: as for the other sizes: `0 < len < LANES` readable elements, here of 16 bytes, aligned to
                // 8; a slot has room.
                _ => unsafe { fill_up::<[u64; 2]>(from.cast(), len, to.cast()) }
            );
            copies[number] = to.cast_const();
        }
        let size = self.dtype.size();
        let results = result.as_mut_ptr().cast::<u8>();
        // SAFETY: `new` checked the dtypes and the code is for the SIMD level in use. The copies are whole packs of
        // each input, and `result` has room for a pack; the caller guarantees room for `len` elements at `output +
        // done`.
        unsafe {
            (self.code)(self.expression.get(), &copies, results, LANES);
            let to = output.wrapping_add(done * size);
            to.copy_from_nonoverlapping(results, len * size);
        }
    }
}
