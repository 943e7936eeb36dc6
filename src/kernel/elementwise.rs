//! The plan of an elementwise operation: broadcast shapes, conversions and memory, then the driver's loop. Small arrays take a fast path.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use core::mem::MaybeUninit;
use std::borrow::Cow;

use crate::array::{Array, Dims, OpResult, Uninit, broadcast, element_count};
use crate::array::{Datum, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::drive::block::{BLOCK, BlockBuffer, CastChain, Operand, Output};
use crate::kernel::drive::contiguous::{self, Source};
use crate::kernel::drive::gather::{MAX_GATHERED, gather_array};
use crate::kernel::drive::matrix::{self, MatrixOperand};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, is_split};
use crate::kernel::drive::run;
use crate::simd::{Kernel, LANES};

/// The largest number of elements for which the loop is called directly: the driver would neither stream nor split
/// them.
const SMALL_LEN: usize = 1 << 16;

/// An element loop, with the conversion of its results.
#[derive(Clone, Copy)]
pub(super) struct ElementwisePlan {
    pub(super) kernel: Kernel,
    /// Converts the loop's results to elements of the dtype.
    pub(super) chain: CastChain,
    /// The dtype of the result.
    pub(super) dtype: DType,
    /// The approximate cost of the loop for one element, in additions.
    pub(super) cost: usize,
}

impl ElementwisePlan {
    /// Runs the loop over arrays that broadcast, each converted by its chain. An owned array of the result's shape,
    /// with elements of its size, gives its memory to the result.
    ///
    /// The chains must take the arrays' elements and give the loop's input types.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub(super) fn run(
        &self,
        operation: &'static str,
        mut arrays: [Cow<'_, Array>; 2],
        chains: [CastChain; 2],
    ) -> OpResult {
        if let Some(array) = self.run_small(&mut arrays, &chains) {
            return array.into();
        }
        let [lhs, rhs] = &arrays;
        let mut shape = Dims::single(lhs.rank().max(rhs.rank()));
        match broadcast_both(operation, lhs.dims(), rhs.dims(), &mut shape) {
            Ok(()) => self.run_in(&shape, &mut arrays, &chains),
            Err(error) => error.into(),
        }
    }

    /// [`Self::run`] over a single array.
    pub(super) fn run_alone(&self, x: Cow<'_, Array>, chain: CastChain) -> OpResult {
        let (mut arrays, chains) = ([x], [chain]);
        if let Some(array) = self.run_small(&mut arrays, &chains) {
            return array.into();
        }
        let shape = *arrays[0].dims();
        self.run_in(&shape, &mut arrays, &chains)
    }

    /// Fast path for arrays of the same shape, contiguous, and of at most [`SMALL_LEN`] elements. Like all fast paths
    /// before [`Self::run_in`] it returns `None` without memory: `run_in` then tries again and returns the error.
    #[inline]
    fn run_small<const N: usize>(
        &self,
        arrays: &mut [Cow<'_, Array>; N],
        chains: &[CastChain; N],
    ) -> Option<Array> {
        if self.chain.is_empty() && chains.iter().all(|chain| chain.is_empty()) {
            return self.run_same_shape(arrays.each_mut());
        }
        let sizes = arrays.each_ref().map(|array| array.dtype().size());
        self.write_small(arrays.each_mut(), |inputs, to, len| {
            let sources: [Source; N] = core::array::from_fn(|number| Source {
                pointer: inputs[number],
                size: sizes[number],
                repeats: false,
                chain: chains[number],
            });
            // SAFETY: `write_small` passes `len` contiguous elements of each array, and room for `len` results. By
            // the contract of `run` the chains take these elements, and give the loop's input types; no source
            // repeats.
            unsafe { contiguous::run_small(len, &sources, &self.output(to)) };
        })
    }

    /// Runs the loop over arrays that broadcast to `shape`. Otherwise as [`Self::run`].
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    #[inline(never)]
    pub(super) fn run_in<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &mut [Cow<'_, Array>; N],
        chains: &[CastChain; N],
    ) -> OpResult {
        let taken = arrays.iter_mut().find_map(|array| match array {
            Cow::Owned(array) if array.dims() == shape => array.reused(self.dtype),
            _ => None,
        });
        match taken {
            Some((pointer, result)) => {
                // SAFETY: `reused` gave the memory of an operand without other owners, which has the output's shape,
                // is contiguous, and has elements of the same size; so the output overlaps only that operand, in
                // place.
                unsafe { self.write(shape, arrays, chains, pointer) };
                result.into()
            }
            None => {
                let len: usize = shape.iter().product();
                let mut fresh = match Uninit::new(len * self.dtype.size()) {
                    Ok(fresh) => fresh,
                    Err(error) => return error.into(),
                };
                // SAFETY: the memory is new and has room for `len` results, which `write` writes all.
                let buffer = unsafe {
                    self.write(shape, arrays, chains, fresh.as_mut_ptr());
                    fresh.assume_init()
                };
                Array::from_buffer(buffer, self.dtype, *shape).into()
            }
        }
    }

    fn output(&self, pointer: *mut u8) -> Output {
        Output {
            pointer,
            kernel: self.kernel,
            chain: self.chain,
            size: self.dtype.size(),
            cost: self.cost,
        }
    }

    /// Writes all results.
    ///
    /// # Safety
    /// `pointer` has room for the results. It overlaps an array only if that array is contiguous, of the same shape
    /// and size of elements, and starts there.
    unsafe fn write<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &[Cow<'_, Array>; N],
        chains: &[CastChain; N],
        pointer: *mut u8,
    ) {
        let output = self.output(pointer);
        let len: usize = shape.iter().product();
        let contiguous = |array: &Cow<'_, Array>| {
            array.len() == 1 || array.is_contiguous() && array.dims() == shape
        };
        if arrays.iter().all(contiguous) {
            let sources: [Source; N] =
                core::array::from_fn(|number| source(&arrays[number], shape, chains[number]));
            // SAFETY: each array is contiguous with the shape's length, or a single element. By the contract of `run`
            // the chains take their elements and give the loop's input types. The caller guarantees room at
            // `pointer`, and an overlap in place at most.
            unsafe { contiguous::run(len, &sources, &output) };
        } else if len <= MAX_GATHERED {
            // SAFETY: the arrays broadcast to the shape, of at most `MAX_GATHERED` elements, at least one. By the contract of `run`
            // the chains take them and give the loop's input types. The caller guarantees room at `pointer`, and an overlap in
            // place at most.
            unsafe { run_gathered(shape, len, arrays, chains, &output) };
        } else if let [rows, columns] = **shape
            && let Some(operands) = self.matrices([rows, columns], arrays, chains)
        {
            // SAFETY: the arrays broadcast to the shape, which has elements. By the contract of `run` they have the loop's input types. The
            // caller guarantees room at `pointer`, and an overlap in place at most.
            unsafe { self.run_matrix([rows, columns], &operands, pointer) };
        } else {
            let mut operands = [Operand::none(); N];
            for (operand, (array, chain)) in operands.iter_mut().zip(arrays.iter().zip(chains)) {
                write_operand(operand, array, shape, chain);
            }
            // SAFETY: the arrays broadcast to the shape, so all their elements along it can be read. By the contract
            // of `run` the chains take them and give the loop's input types. The caller guarantees room at `pointer`,
            // and an overlap in place at most.
            unsafe { run::run(shape, &operands, &output) };
        }
    }
}

/// Matrices of few elements that need no conversion.
impl ElementwisePlan {
    /// Returns the arrays as operands of a matrix, if it should be computed in blocks of rows.
    #[inline]
    fn matrices<const N: usize>(
        &self,
        [rows, columns]: [usize; 2],
        arrays: &[Cow<'_, Array>; N],
        chains: &[CastChain; N],
    ) -> Option<[MatrixOperand; N]> {
        let is_plain = self.chain.is_empty() && chains.iter().all(|chain| chain.is_empty());
        let len = rows * columns;
        if !is_plain || len > SMALL_LEN || is_split(len, MIN_WORK_PER_THREAD / self.cost) {
            return None;
        }
        let operands = arrays.each_ref().map(|array| MatrixOperand::new(array));
        matrix::has_blocks(columns, &operands).then_some(operands)
    }

    /// Computes a matrix in blocks of rows.
    ///
    /// # Safety
    /// - The operands are those of [`Self::matrices`]: arrays that broadcast to the shape, which has elements, of the loop's input types.
    /// - The results can be written to `to`. They overlap an array only if that array is contiguous, of the same shape and size of elements,
    ///   and starts there.
    #[inline(never)]
    unsafe fn run_matrix<const N: usize>(
        &self,
        shape: [usize; 2],
        operands: &[MatrixOperand; N],
        to: *mut u8,
    ) {
        let mut room = [const { BlockBuffer::empty() }; N];
        let room = room.each_mut().map(BlockBuffer::pointer);
        let size = self.dtype.size();
        let mut body = |inputs: &[*const u8; N], position: usize, len: usize| {
            let to = to.wrapping_add(position * size);
            // SAFETY: `for_each_block` passes `len` contiguous elements of each array, of the loop's input types. The caller guarantees room
            // for the results.
            unsafe { (self.kernel)(inputs.as_ptr(), to, len) };
        };
        // SAFETY: the caller guarantees the rows of the arrays, which fit a block (`has_blocks`), and an overlap in place at most: so the results
        // of a block replace elements that were read for it. `BlockBuffer` has room for a block, and is aligned for all elements.
        unsafe { matrix::for_each_block(shape, operands, room, &mut body) };
    }
}

/// Fast paths for small operands that need no conversion: contiguous arrays of the same shape go straight to the
/// loop.
impl ElementwisePlan {
    /// Makes the plan of a loop whose results need no conversion.
    #[inline]
    pub(super) fn plain(kernel: Kernel, dtype: DType, cost: usize) -> Self {
        Self {
            kernel,
            chain: &[],
            dtype,
            cost,
        }
    }

    /// Runs the loop, if both operands are small arrays of the same shape, or one is and the other is a scalar.
    // Inlined even though there are two callers: `f32 + f32` of eight elements takes about 450 instructions in all.
    #[inline(always)]
    pub(super) fn run_data<'a>(&self, lhs: &mut Datum<'a>, rhs: &mut Datum<'a>) -> Option<Array> {
        match (lhs, rhs) {
            (Datum::Array(lhs), Datum::Array(rhs)) => self.run_same_shape([lhs, rhs]),
            (Datum::Array(x), Datum::ScalarBits(single)) => {
                self.run_with_scalar([x], single, |[x], single| [x, single])
            }
            (Datum::ScalarBits(single), Datum::Array(x)) => {
                self.run_with_scalar([x], single, |[x], single| [single, x])
            }
            _ => None,
        }
    }

    /// [`Self::run_data`] for a selection between two operands.
    #[inline]
    pub(super) fn run_select<'a>(
        &self,
        condition: &mut Cow<'a, Array>,
        a: &mut Datum<'a>,
        b: &mut Datum<'a>,
    ) -> Option<Array> {
        match (a, b) {
            (Datum::Array(a), Datum::Array(b)) => self.run_same_shape([condition, a, b]),
            (Datum::Array(a), Datum::ScalarBits(b)) => {
                self.run_with_scalar([condition, a], b, |[condition, a], b| [condition, a, b])
            }
            (Datum::ScalarBits(a), Datum::Array(b)) => {
                self.run_with_scalar([condition, b], a, |[condition, b], a| [condition, a, b])
            }
            _ => None,
        }
    }

    /// Runs the loop over small contiguous arrays of the same shape.
    #[inline]
    fn run_same_shape<const N: usize>(&self, arrays: [&mut Cow<'_, Array>; N]) -> Option<Array> {
        self.write_small(arrays, |inputs, to, len| {
            // SAFETY: `write_small` passes `len` contiguous elements of each array, whose dtypes the caller of this
            // fast path has compared with the loop's, and room for `len` results.
            unsafe { (self.kernel)(inputs.as_ptr(), to, len) };
        })
    }

    /// Runs the loop over small arrays and a scalar, whose place `among` the inputs the function gives.
    #[inline(never)]
    fn run_with_scalar<const N: usize, const M: usize>(
        &self,
        arrays: [&mut Cow<'_, Array>; N],
        single: &ScalarBits,
        among: impl Fn([*const u8; N], *const u8) -> [*const u8; M],
    ) -> Option<Array> {
        let sizes = arrays.each_ref().map(|array| array.dtype().size());
        self.write_small(arrays, |inputs, to, len| {
            let mut block = BlockBuffer::empty();
            let repeated = block.pointer();
            // SAFETY: a `BlockBuffer` has room for `BLOCK` elements of any dtype, aligned to 64 bytes.
            unsafe { single.repeat(len.min(BLOCK), repeated) };
            for done in (0..len).step_by(BLOCK) {
                let inputs = core::array::from_fn(|number| {
                    inputs[number].wrapping_add(done * sizes[number])
                });
                let inputs = among(inputs, repeated.cast_const());
                let to = to.wrapping_add(done * self.dtype.size());
                // SAFETY: `done < len`, and at most `len - done` elements are read of each array and written; the
                // scalar's block has `min(len, BLOCK)` copies.
                unsafe { (self.kernel)(inputs.as_ptr(), to, (len - done).min(BLOCK)) };
            }
        })
    }

    /// Computes at most [`SMALL_LEN`] results from contiguous arrays of the same shape. `write` gets the address of
    /// each array's elements, the address for the results, and their number; it must write them all. An owned array
    /// with elements of the result's size gives its memory.
    #[inline(always)]
    fn write_small<const N: usize>(
        &self,
        mut arrays: [&mut Cow<'_, Array>; N],
        write: impl FnOnce([*const u8; N], *mut u8, usize),
    ) -> Option<Array> {
        let inputs = Array::same_contiguous_layout(arrays.each_ref().map(|array| &***array))?;
        let (len, size) = (arrays[0].len(), self.dtype.size());
        if len > SMALL_LEN {
            return None;
        }
        for array in &mut arrays {
            if let Cow::Owned(array) = array
                && array.is_reusable()
                && let Some((to, result)) = array.reused(self.dtype)
            {
                write(inputs, to, len);
                return Some(result);
            }
        }
        let mut fresh = Uninit::new(len * size).ok()?;
        // A whole pack is faster than part of one, and all arrays are padded to it.
        let mut is_padded = self.cost == 1 && len <= LANES && fresh.is_padded_to(LANES * size);
        for array in &arrays {
            is_padded &= array.is_padded_to(LANES * array.dtype().size());
        }
        write(
            inputs,
            fresh.as_mut_ptr(),
            if is_padded { LANES } else { len },
        );
        // SAFETY: `write` wrote all `len` results.
        let buffer = unsafe { fresh.assume_init() };
        Some(arrays[0].like(buffer, self.dtype))
    }
}

/// Broadcasts a shape, which has the size one along each axis, with those of two operands.
///
/// # Errors
/// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
// The shape is written in place because reading a value as a whole, right after its parts were stored, stalls.
#[inline]
fn broadcast_both(
    operation: &'static str,
    lhs: &Dims,
    rhs: &Dims,
    shape: &mut Dims,
) -> Result<(), Error> {
    match shape.broadcast_with_both(lhs, rhs) {
        // One of the arrays has as many elements.
        Some([lhs, rhs]) if [lhs, rhs].contains(&(lhs | rhs)) => Ok(()),
        Some(_) => element_count(operation, shape).map(|_| ()),
        None => broadcast(operation, lhs, rhs).map(|_| ()),
    }
}

/// An array as a source of a contiguous loop over `shape`. It is contiguous and has this shape, or is a single
/// element.
fn source(array: &Array, shape: &Dims, chain: CastChain) -> Source {
    Source {
        pointer: array.as_ptr(),
        size: array.dtype().size(),
        repeats: array.dims() != shape,
        chain,
    }
}

/// Runs a loop over few elements of operands that broadcast, which are gathered as one block each.
///
/// # Safety
/// - The arrays broadcast to `shape`, which has `len` elements, at most [`MAX_GATHERED`].
/// - The chains take the arrays' elements and give the loop's input types.
/// - The output's elements can be written. It overlaps an array only if that array is contiguous, of the same shape and size of
///   elements, and starts there.
#[inline(never)]
unsafe fn run_gathered<const N: usize>(
    shape: &Dims,
    len: usize,
    arrays: &[Cow<'_, Array>; N],
    chains: &[CastChain; N],
    output: &Output,
) {
    if len == 0 {
        return;
    }
    let mut room = [const { MaybeUninit::<Gathered>::uninit() }; N];
    let mut sources = [Source::NONE; N];
    for (number, array) in arrays.iter().enumerate() {
        let size = array.dtype().size();
        let pointer = if array.is_contiguous() && array.len() == len {
            array.as_ptr()
        } else {
            let to = room[number].as_mut_ptr().cast::<u8>();
            // SAFETY: the caller guarantees that the array broadcasts to the shape, whose `len` elements are at least one and at
            // most `MAX_GATHERED`. `Gathered` has room for as many of any dtype, so for a pack too, and is aligned for them.
            unsafe { gather_array(array, shape, len, to) };
            to.cast_const()
        };
        sources[number] = Source {
            pointer,
            size,
            repeats: false,
            chain: chains[number],
        };
    }
    let mut inputs = [core::ptr::null(); N];
    for (input, source) in inputs.iter_mut().zip(&sources) {
        *input = source.pointer;
    }
    let is_plain = output.chain.is_empty() && chains.iter().all(|chain| chain.is_empty());
    // SAFETY: each source has `len` elements one after another, in the array or gathered. The caller guarantees that the chains fit, room
    // for the results, and an overlap in place at most; an array that was gathered does not overlap the output.
    unsafe {
        if is_plain {
            (output.kernel)(inputs.as_ptr(), output.pointer, len);
        } else {
            contiguous::run_small(len, &sources, output);
        }
    }
}

/// Room for [`MAX_GATHERED`] elements of any dtype.
#[repr(C, align(64))]
struct Gathered([u8; MAX_GATHERED * 16]);

/// An array as an operand of a driven loop over `shape`.
pub(super) fn operand(array: &Array, shape: &Dims, chain: CastChain) -> Operand {
    let mut operand = Operand::none();
    write_operand(&mut operand, array, shape, chain);
    operand
}

/// Makes it [`operand`] of an array.
#[inline]
pub(super) fn write_operand(to: &mut Operand, array: &Array, shape: &Dims, chain: CastChain) {
    to.pointer = array.as_ptr();
    to.strides
        .set_broadcast(array.shape(), array.strides(), shape);
    to.size = array.dtype().size();
    to.chain = chain;
}
