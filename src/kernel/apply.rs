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
    /// Runs the loop over arrays that broadcast, each converted along its path. An owned array of the result's shape,
    /// with elements of its size, gives its memory to the result.
    ///
    /// The paths end in the elements that the loop takes.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`].
    pub(super) fn run(
        &self,
        operation: &'static str,
        mut arrays: [Cow<'_, Array>; 2],
        paths: [Path; 2],
    ) -> Result<Array, Error> {
        if let Some(result) = self.run_small([&arrays[0], &arrays[1]], &paths) {
            return Ok(result);
        }
        let shape = common_shape(operation, &arrays[0], &arrays[1])?;
        Ok(self.run_in(&shape, &mut arrays, &paths))
    }

    /// The same over a single array.
    pub(super) fn run_alone(&self, x: Cow<'_, Array>, path: Path) -> Array {
        match self.run_small([&x], &[path]) {
            Some(result) => result,
            None => self.run_in(&x.dims().clone(), &mut [x], &[path]),
        }
    }

    /// Few elements, which are contiguous in all arrays, or a single one in some: then nothing is to be walked, streamed,
    /// or worth to be reused.
    #[inline]
    fn run_small<const N: usize>(
        &self,
        arrays: [&Cow<'_, Array>; N],
        paths: &[Path; N],
    ) -> Option<Array> {
        let like: &Array = arrays
            .iter()
            .find(|array| array.len() != 1)
            .unwrap_or(&arrays[0]);
        let len = like.len();
        let mut inputs = [core::ptr::null(); N];
        let mut in_place = self.path.is_empty();
        for ((input, array), path) in inputs.iter_mut().zip(arrays).zip(paths) {
            let same = array.is_contiguous() && array.dims() == like.dims();
            let fits = match array {
                Cow::Borrowed(_) if same => true,
                _ => array.len() == 1 && array.rank() <= like.rank(),
            };
            if !fits || len > SMALL {
                return None;
            }
            in_place &= same && path.is_empty();
            *input = array.as_ptr();
        }
        let mut fresh = Uninit::new(len * self.dtype.size());
        // SAFETY: the arrays are contiguous and of this length, or single elements; the loop and the paths fit by the
        // contract of `run`. The output is new memory for as many results, all of which are written.
        let buffer = unsafe {
            if in_place {
                (self.kernel)(inputs.as_ptr(), fresh.as_mut_ptr(), len);
            } else {
                let sources: [Source; N] = core::array::from_fn(|number| {
                    source(arrays[number], like.dims(), paths[number])
                });
                strip::run_strips(
                    0,
                    len,
                    &sources,
                    &self.output(core::ptr::null_mut()),
                    fresh.as_mut_ptr(),
                );
            }
            fresh.assume_init()
        };
        Some(like.with_buffer(buffer, self.dtype))
    }

    /// Runs the loop over arrays that broadcast to `shape`, as [`Self::run`].
    #[inline(never)]
    pub(super) fn run_in<const N: usize>(
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

    fn output(&self, pointer: *mut u8) -> Output {
        Output {
            pointer,
            kernel: self.kernel,
            path: self.path,
            size: self.dtype.size(),
        }
    }

    /// Writes all results.
    ///
    /// # Safety
    /// There is room for them; it overlaps an array only as [`strip::run`] allows.
    unsafe fn write<const N: usize>(
        &self,
        shape: &Dims,
        arrays: &[Cow<'_, Array>; N],
        paths: &[Path; N],
        pointer: *mut u8,
    ) {
        let output = self.output(pointer);
        let contiguous = |array: &Cow<'_, Array>| {
            array.len() == 1 || array.is_contiguous() && array.dims() == shape
        };
        if arrays.iter().all(contiguous) {
            let sources: [Source; N] =
                core::array::from_fn(|number| source(&arrays[number], shape, paths[number]));
            let len = shape.iter().product();
            // SAFETY: the arrays are contiguous and of the shape's length, or single elements; the loop and the paths fit
            // by the contract of `run`, the output by this function's.
            unsafe { strip::run_contiguous(len, &sources, &output) };
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
fn source(array: &Array, shape: &Dims, path: Path) -> Source {
    Source {
        pointer: array.as_ptr(),
        size: array.dtype().size(),
        repeats: array.dims() != shape,
        path,
    }
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
