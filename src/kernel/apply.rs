//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::Path;
use super::lanes::Kernel;
use super::strip::{self, Operand, Output, Source};
use crate::array::{Array, Dims, Uninit, broadcast, broadcast_strides, element_count};
use crate::dtype::DType;
use crate::error::Error;

/// Up to so many elements the driver has nothing to add to a loop.
const SMALL: usize = 1 << 16;

/// A loop, as it applies to arrays.
#[derive(Clone, Copy)]
pub(super) struct Apply {
    pub(super) kernel: Kernel,
    /// What converts the loop's results into elements.
    pub(super) path: Path,
    pub(super) dtype: DType,
}

impl Apply {
    /// Runs the loop over arrays that broadcast to `shape`, each converted along its path. An owned
    /// array of that shape, with elements of the result's size, gives its memory to the result.
    ///
    /// The paths end in the elements that the loop takes.
    #[inline]
    pub(super) fn run<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &mut [Cow<'_, Array>; N],
        paths: &[Path; N],
    ) -> Array {
        let taken = arrays.iter_mut().find_map(|array| self.reuse(array, shape));
        match taken {
            Some((pointer, result)) => {
                // SAFETY: an operand's memory that nobody else owns; it has the output's shape, is contiguous, and has
                // elements of the same size.
                unsafe { self.write(shape, arrays, paths, pointer) };
                result
            }
            None => {
                let len: usize = shape.iter().product();
                let mut fresh = Uninit::new(len * self.dtype.size());
                // SAFETY: new memory for as many results, all of which are written.
                let buffer = unsafe {
                    self.write(shape, arrays, paths, fresh.as_mut_ptr());
                    fresh.assume_init()
                };
                Array::from_buffer(buffer, self.dtype, *shape)
            }
        }
    }

    /// Writes all results.
    ///
    /// # Safety
    /// There is room for them; it overlaps an array only as [`strip::run`] allows.
    #[inline]
    unsafe fn write<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &[Cow<'_, Array>; N],
        paths: &[Path; N],
        pointer: *mut u8,
    ) {
        let output = Output {
            pointer,
            kernel: self.kernel,
            path: self.path,
            size: self.dtype.size(),
        };
        let whole = |array: &Cow<'_, Array>| array.is_contiguous() && array.dims() == shape;
        if arrays.iter().all(whole) {
            let mut sources = [Source::NONE; N];
            for ((source, array), path) in sources.iter_mut().zip(arrays).zip(paths) {
                *source = Source {
                    pointer: array.as_ptr(),
                    size: array.dtype().size(),
                    path: *path,
                };
            }
            // SAFETY: the arrays are contiguous and of the shape's length; the loop and the paths fit by the contract of
            // `run`, the output by this function's.
            unsafe { strip::run_contiguous(arrays[0].len(), &sources, &output) };
        } else {
            let operands: [Operand; N] =
                core::array::from_fn(|number| operand(&arrays[number], shape, paths[number]));
            // SAFETY: as above; the operands are arrays that broadcast to the shape.
            unsafe { strip::run(shape, &operands, &output) };
        }
    }

    /// The operand's memory, if the result may have it, and the array that it will be.
    fn reuse(&self, array: &mut Cow<'_, Array>, shape: &Dims) -> Option<(*mut u8, Array)> {
        let Cow::Owned(array) = array else {
            return None;
        };
        let fits = array.dtype().size() == self.dtype.size()
            && array.dims() == shape
            && array.is_contiguous();
        let pointer = if fits { array.unique_mut_ptr() } else { None };
        pointer.map(|pointer| (pointer, array.clone().retagged(self.dtype)))
    }
}

/// The loop over borrowed arrays as they are, if they are contiguous, of one shape and not large: then nothing is to be
/// walked, converted, reused or streamed, and this takes half the time of [`Apply::run`] for a few elements.
///
/// The loop takes their elements, and gives those of the dtype.
#[inline]
pub(super) fn run_small<const N: usize>(
    kernel: Kernel,
    dtype: DType,
    arrays: [&Array; N],
) -> Option<Array> {
    let (shape, len) = (arrays[0].dims(), arrays[0].len());
    let fits = |array: &&Array| array.is_contiguous() && array.dims() == shape;
    if len > SMALL || !arrays.iter().all(fits) {
        return None;
    }
    let mut inputs = [core::ptr::null(); N];
    for (input, array) in inputs.iter_mut().zip(arrays) {
        *input = array.as_ptr();
    }
    let mut fresh = Uninit::new(len * dtype.size());
    // SAFETY: the arrays are contiguous, of this length, and of the elements that the loop takes. The output is
    // new memory for as many results, all of which are written.
    let buffer = unsafe {
        kernel(inputs.as_ptr(), fresh.as_mut_ptr(), len);
        fresh.assume_init()
    };
    Some(arrays[0].with_buffer(buffer, dtype))
}

/// The shape to which two operands broadcast.
#[inline]
pub(super) fn common_shape(
    operation: &'static str,
    lhs: &Array,
    rhs: &Array,
) -> Result<Dims, Error> {
    if lhs.dims() == rhs.dims() {
        return Ok(*lhs.dims());
    }
    let shape = broadcast(operation, lhs.shape(), rhs.shape())?;
    element_count(&shape)?;
    Ok(shape)
}

/// An array as an operand of a loop over `shape`.
pub(super) fn operand(array: &Array, shape: &Dims, path: Path) -> Operand {
    Operand {
        pointer: array.as_ptr(),
        strides: broadcast_strides(array.shape(), array.strides(), shape),
        size: array.dtype().size(),
        path,
    }
}
