//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::CastChain;
use crate::array::{Array, Dims, OpResult, Uninit, broadcast, broadcast_strides, element_count};
use crate::array::{Datum, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::drive::block::{self, BLOCK, BlockBuffer, Operand, Output};
use crate::kernel::drive::contiguous::{self, Source};
use crate::simd::{Kernel, LANES};

/// Up to so many elements the driver has nothing to add to a loop.
const SMALL_LEN: usize = 1 << 16;

/// A loop, as it applies to arrays.
#[derive(Clone, Copy)]
pub(super) struct ElementwisePlan {
    pub(super) kernel: Kernel,
    /// What converts the loop's results into elements.
    pub(super) chain: CastChain,
    pub(super) dtype: DType,
    /// About how long the loop takes for an element, in additions.
    pub(super) cost: usize,
}

impl ElementwisePlan {
    /// Runs the loop over arrays that broadcast, each converted along its chain. An owned array of the result's shape,
    /// with elements of its size, gives its memory to the result.
    ///
    /// The chains end in the elements that the loop takes.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub(super) fn run(
        &self,
        operation: &'static str,
        mut arrays: [Cow<'_, Array>; 2],
        chains: [CastChain; 2],
    ) -> OpResult {
        if let Some(few) = self.run_small(&mut arrays, &chains) {
            return few.into();
        }
        match common_shape(operation, &arrays[0], &arrays[1]) {
            Ok(shape) => self.run_in(&shape, &mut arrays, &chains),
            Err(error) => error.into(),
        }
    }

    /// The same over a single array.
    pub(super) fn run_alone(&self, x: Cow<'_, Array>, chain: CastChain) -> OpResult {
        let (mut arrays, chains) = ([x], [chain]);
        if let Some(few) = self.run_small(&mut arrays, &chains) {
            return few.into();
        }
        let shape = *arrays[0].dims();
        self.run_in(&shape, &mut arrays, &chains)
    }

    /// The loop over few elements of arrays that are alike: nothing is to be walked or streamed. Like all that come
    /// before [`Self::run_in`], it gives nothing without memory: that will ask again, and give the error.
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
            // SAFETY: these are contiguous elements of the arrays; the loop and the chains fit by the contract of `run`.
            // There is room for as many results.
            unsafe { contiguous::run_small(len, &sources, &self.output(to)) };
        })
    }

    /// Runs the loop over arrays that broadcast to `shape`, as [`Self::run`].
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
                // SAFETY: an operand's memory that nobody else owns; it has the output's shape, is contiguous, and has
                // elements of the same size.
                unsafe { self.write(shape, arrays, chains, pointer) };
                result.into()
            }
            None => {
                let len: usize = shape.iter().product();
                let mut fresh = match Uninit::new(len * self.dtype.size()) {
                    Ok(fresh) => fresh,
                    Err(error) => return error.into(),
                };
                // SAFETY: new memory for as many results, all of which are written.
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
    /// There is room for them; it overlaps an array only as [`block::run`] allows.
    unsafe fn write<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &[Cow<'_, Array>; N],
        chains: &[CastChain; N],
        pointer: *mut u8,
    ) {
        let output = self.output(pointer);
        let contiguous = |array: &Cow<'_, Array>| {
            array.len() == 1 || array.is_contiguous() && array.dims() == shape
        };
        if arrays.iter().all(contiguous) {
            let sources: [Source; N] =
                core::array::from_fn(|number| source(&arrays[number], shape, chains[number]));
            let len = shape.iter().product();
            // SAFETY: the arrays are contiguous and of the shape's length, or single elements; the loop and the chains fit
            // by the contract of `run`, the output by this function's.
            unsafe { contiguous::run(len, &sources, &output) };
        } else {
            let operands: [Operand; N] =
                core::array::from_fn(|number| operand(&arrays[number], shape, chains[number]));
            // SAFETY: as above; the operands are arrays that broadcast to the shape.
            unsafe { block::run(shape, &operands, &output) };
        }
    }
}

/// Few elements, which the loop takes as they are: where arrays are alike, nothing is to be looked at but their memory.
impl ElementwisePlan {
    /// A loop that gives the elements of a dtype as they are.
    #[inline]
    pub(super) fn plain(kernel: Kernel, dtype: DType, cost: usize) -> Self {
        Self {
            kernel,
            chain: &[],
            dtype,
            cost,
        }
    }

    /// The loop, if arrays are alike or one side is a single element.
    #[inline]
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

    /// The same of a loop that chooses between two sides.
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

    #[inline]
    fn run_same_shape<const N: usize>(&self, arrays: [&mut Cow<'_, Array>; N]) -> Option<Array> {
        self.write_small(arrays, |inputs, to, len| {
            // SAFETY: these are contiguous elements of the arrays, and those that the loop takes. There is room for as
            // many results.
            unsafe { (self.kernel)(inputs.as_ptr(), to, len) };
        })
    }

    /// The loop over arrays and an element, which stands `among` them.
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
            // SAFETY: there is room for a block of any elements.
            unsafe { single.repeat(len.min(BLOCK), repeated) };
            for done in (0..len).step_by(BLOCK) {
                let inputs = core::array::from_fn(|number| {
                    inputs[number].wrapping_add(done * sizes[number])
                });
                let inputs = among(inputs, repeated.cast_const());
                let to = to.wrapping_add(done * self.dtype.size());
                // SAFETY: of the arrays so many elements are left, and there is room for as many results; the block has
                // them too.
                unsafe { (self.kernel)(inputs.as_ptr(), to, (len - done).min(BLOCK)) };
            }
        })
    }

    /// Has few elements of arrays that are alike computed with: `write` is given where each begins, where results go, and
    /// how many there are; it writes them all. An owned array with elements of the results' size gives its memory.
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
        let taken = arrays.iter_mut().find_map(|array| match array {
            Cow::Owned(array) if array.is_reusable() => array.reused(self.dtype),
            _ => None,
        });
        if let Some((to, result)) = taken {
            write(inputs, to, len);
            return Some(result);
        }
        let mut fresh = Uninit::new(len * size).ok()?;
        // A whole pack is sooner done than part of one.
        let mut is_padded = self.cost == 1 && len <= LANES && fresh.is_padded_to(LANES * size);
        for array in &arrays {
            is_padded &= array.is_padded_to(LANES * array.dtype().size());
        }
        write(
            inputs,
            fresh.as_mut_ptr(),
            if is_padded { LANES } else { len },
        );
        // SAFETY: all results were written.
        let buffer = unsafe { fresh.assume_init() };
        Some(arrays[0].like(buffer, self.dtype))
    }
}

/// The shape to which two operands broadcast.
fn common_shape(operation: &'static str, lhs: &Array, rhs: &Array) -> Result<Dims, Error> {
    if lhs.dims() == rhs.dims() {
        return Ok(*lhs.dims());
    }
    let shape = broadcast(operation, lhs.shape(), rhs.shape())?;
    element_count(&shape)?;
    Ok(shape)
}

/// An array that is contiguous and of this shape, or has a single element.
fn source(array: &Array, shape: &Dims, chain: CastChain) -> Source {
    Source {
        pointer: array.as_ptr(),
        size: array.dtype().size(),
        repeats: array.dims() != shape,
        chain,
    }
}

/// An array as an operand of a loop over `shape`.
pub(super) fn operand(array: &Array, shape: &Dims, chain: CastChain) -> Operand {
    Operand {
        pointer: array.as_ptr(),
        strides: broadcast_strides(array.shape(), array.strides(), shape),
        size: array.dtype().size(),
        chain,
    }
}
