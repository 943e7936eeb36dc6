//! Loops of expressions over arrays.
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

/// Where each input begins, by number.
pub(super) type Pointers = [*const u8; MAX_INPUTS];

/// The code of a loop; see [`body`] for what it may be called with.
type Code = unsafe fn(*const (), &Pointers, *mut u8, usize);

/// Where an expression stands.
///
/// Each invocation of a macro has a type of its own, so that the loops of an expression are compiled with the module
/// that it stands in, not all together.
pub trait CallSite {
    /// Whether its loops are compiled: in crates that are optimised. Others interpret, which gives the same bits.
    const COMPILED: bool;

    /// The loop for AVX2.
    ///
    /// # Safety
    /// That of `body`.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn v3<V: Values, A: Node>(
        expression: *const (),
        inputs: &Pointers,
        output: *mut u8,
        len: usize,
    ) {
        // SAFETY: the caller's.
        unsafe { body::<simd::V3, V, A>(expression, inputs, output, len) }
    }

    /// The loop for AVX-512.
    ///
    /// # Safety
    /// That of `body`.
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
        // SAFETY: the caller's.
        unsafe { body::<simd::V4, V, A>(expression, inputs, output, len) }
    }
}

/// What the inputs of a loop are read from, by number.
#[derive(Clone, Copy)]
pub struct LoopInputs<'a> {
    pub(super) arrays: [Option<&'a Array>; MAX_INPUTS],
    dtypes: DTypes,
    /// Where the arrays' elements begin.
    inputs: SendPtr<Pointers>,
    /// Above all numbers.
    end: usize,
    /// One of the arrays, if there are any.
    first: Option<&'a Array>,
    /// Whether all arrays have one shape and are row-major.
    alike: bool,
    /// Whether a whole pack of each array can be read, however few elements it has.
    is_padded_to: bool,
    /// What an element of each input takes, in bytes.
    size: usize,
    /// The input that is what the output holds before it is overwritten.
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

    /// # Panics
    /// If the number is not below [`MAX_INPUTS`].
    #[inline]
    pub(crate) fn output(&mut self, number: usize, dtype: DType) {
        self.output = Some(number);
        self.dtype(number, dtype);
    }

    /// An input may be named more than once.
    #[inline]
    fn dtype(&mut self, number: usize, dtype: DType) {
        if self.dtypes[number].replace(dtype).is_none() {
            self.size += dtype.size();
        }
        self.end = self.end.max(number + 1);
    }
}

/// The loop for the instruction set in use.
fn code<S: CallSite, V: Values, A: Node>() -> Option<Code> {
    match simd::level() {
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V4 => Some(S::v4::<V, A>),
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V3 => Some(S::v3::<V, A>),
        _ => None,
    }
}

/// An expression with its loop for the instruction set in use.
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
    /// `None` where there are no loops: on processors without AVX2.
    ///
    /// # Panics
    /// If the sources hold other elements than the expression reads.
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

    /// Whether all operands are row-major and have one shape.
    pub(crate) fn is_alike(&self) -> bool {
        self.like().is_some()
    }

    /// One of the operands, if they are alike.
    #[inline]
    fn like(&self) -> Option<&'e Array> {
        self.sources.first.filter(|_| self.sources.alike)
    }

    /// The value in new memory, if all operands are row-major and have one shape, and there is memory: else
    /// [`Self::evaluate_in`] gives it, or the error.
    pub(crate) fn evaluate(&self) -> Option<Array> {
        let like = self.like()?;
        let size = self.dtype.size();
        let mut buffer = Uninit::new(like.len() * size).ok()?;
        let len = self.rounded(like.len(), buffer.is_padded_to(LANES * size));
        // SAFETY: the inputs are row-major arrays of this many elements, or have room for them. So has the output, in
        // memory that nothing else refers to.
        let buffer = unsafe {
            self.pieces(buffer.as_mut_ptr(), len);
            buffer.assume_init()
        };
        Some(like.like(buffer, self.dtype))
    }

    /// The value in new memory, of operands that broadcast to a shape.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn evaluate_in(&self, shape: &Dims) -> Result<Array, AllocError> {
        let mut buffer = Uninit::new(shape.iter().product::<usize>() * self.dtype.size())?;
        // SAFETY: there is room for the elements, in memory that nothing else refers to.
        let buffer = unsafe {
            self.run_strided(shape, buffer.as_mut_ptr());
            buffer.assume_init()
        };
        Ok(Array::from_buffer(buffer, self.dtype, *shape))
    }

    /// Overwrites a row-major array of the value's dtype, which nobody else sees, if all operands have its
    /// shape and are row-major. Whether it was overwritten.
    pub(crate) fn evaluate_into(&self, out: &mut Array) -> bool {
        let first = self.sources.first;
        if !self.sources.alike || first.is_some_and(|first| first.dims() != out.dims()) {
            return false;
        }
        let len = self.rounded(out.len(), out.is_padded_to(LANES * self.dtype.size()));
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: the inputs are row-major arrays of this many elements, or have room for them. So is the output, and
        // nobody else sees its elements: no operand has them.
        unsafe { self.pieces(pointer, len) };
        true
    }

    /// How many elements to run over: a whole pack, where that is more than there are and the output and all inputs have
    /// room for it. Part of one is copied there and back, which takes longer than to compute it.
    #[inline]
    fn rounded(&self, len: usize, output_has_room: bool) -> usize {
        let is_part = 0 < len && len < LANES && !self.calls;
        if is_part && output_has_room && self.sources.is_padded_to {
            LANES
        } else {
            len
        }
    }

    /// Overwrites a row-major array of the value's dtype, which nobody else sees, and to whose shape the operands
    /// broadcast. Whether it is one, and was overwritten.
    pub(crate) fn overwrite(&self, out: &mut Array) -> bool {
        let shape = *out.dims();
        let Some(pointer) = self.memory(out) else {
            return false;
        };
        // SAFETY: the array has as many elements of this dtype, and nobody else sees them: no operand has them.
        unsafe { self.run_strided(&shape, pointer) };
        true
    }

    /// An array's elements, if they can be overwritten by the value's.
    fn memory(&self, out: &mut Array) -> Option<*mut u8> {
        let fits = out.dtype() == self.dtype && out.is_contiguous();
        if fits { out.unique_mut_ptr() } else { None }
    }

    /// Runs over the arrays, which are alike: on several threads, and past the caches, where that is faster.
    ///
    /// # Safety
    /// That of [`body`] for these arrays, but for the length.
    unsafe fn pieces(&self, output: *mut u8, total: usize) {
        debug_assert!(self.sources.alike, "arrays that are walked as one");
        if total < BLOCK {
            // SAFETY: the caller's.
            return unsafe { self.run(self.sources.inputs.get_ref(), output, total) };
        }
        let size = self.dtype.size();
        let streams = self.sources.output.is_none()
            && nontemporal::is_worthwhile(total * (size + self.sources.size));
        let least = MIN_WORK_PER_THREAD / self.cost;
        if !streams && !is_split(total, least) {
            // Most of what follows is for neither.
            // SAFETY: the caller's.
            return unsafe { self.run(self.sources.inputs.get_ref(), output, total) };
        }
        let mut sizes = [0; MAX_INPUTS];
        for (size, dtype) in sizes.iter_mut().zip(&self.sources.dtypes) {
            *size = dtype.map_or(0, DType::size);
        }
        let output = SendPtr::new(output);
        split(total, BLOCK, least, |piece| {
            let (inputs, output) = (self.sources.inputs.get(), output.get());
            let mut write = |position: usize, len, to: *mut u8| {
                let first = piece.start + position;
                let mut inputs = inputs;
                for (input, size) in inputs.iter_mut().zip(&sizes[..self.sources.end]) {
                    *input = input.wrapping_add(first * size);
                }
                // SAFETY: the caller's; these elements are among those of the inputs.
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
            // SAFETY: the caller's; each piece of the output is written by one thread. If the output is read too, it
            // is not streamed.
            unsafe { nontemporal::in_pieces(to, piece.len(), streams.then(reads), &mut write) };
        });
    }

    /// Runs over any number of elements.
    ///
    /// # Safety
    /// That of [`body`], but for the length.
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
            // SAFETY: the caller's.
            unsafe { (self.code)(self.expression.get(), inputs, output, whole) };
        }
        if whole < len {
            // SAFETY: the caller's; less than a pack is left.
            unsafe { self.rest(inputs, output, whole, len - whole) };
        }
    }

    /// Runs over a last part that is no whole pack: a copy of it, filled up with its last element, of which a user's
    /// function knows that it is a possible argument.
    ///
    /// # Safety
    /// That of [`body`]; `len` elements, between none and [`LANES`], are left from `done` on.
    unsafe fn rest(&self, inputs: &Pointers, output: *mut u8, done: usize, len: usize) {
        let mut room = [const { MaybeUninit::<PackSlot>::uninit() }; MAX_INPUTS];
        let mut result = MaybeUninit::<PackSlot>::uninit();
        let mut copies = [core::ptr::null(); MAX_INPUTS];
        for (number, dtype) in self.sources.dtypes[..self.sources.end].iter().enumerate() {
            let Some(dtype) = dtype else { continue };
            let from = inputs[number].wrapping_add(done * dtype.size());
            let to = room[number].as_mut_ptr().cast::<u8>();
            for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
                // SAFETY: the elements have this size, and can be read; a slot has room for a pack of them.
                unsafe { fill_up::<T>(from.cast(), len, to.cast()) },
                // SAFETY: as above.
                _ => unsafe { fill_up::<[u64; 2]>(from.cast(), len, to.cast()) }
            );
            copies[number] = to.cast_const();
        }
        let size = self.dtype.size();
        let results = result.as_mut_ptr().cast::<u8>();
        // SAFETY: the copies are whole packs of what the inputs hold, and there is room for a pack of results, of
        // which `len` are the output's.
        unsafe {
            (self.code)(self.expression.get(), &copies, results, LANES);
            let to = output.wrapping_add(done * size);
            to.copy_from_nonoverlapping(results, len * size);
        }
    }
}
