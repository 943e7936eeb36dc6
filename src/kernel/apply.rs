//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::Path;
use super::lanes::Kernel;
use super::strip::{self, Operand, Output};
use crate::array::{Array, Dims, Uninit, broadcast_strides};
use crate::dtype::DType;

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
    pub(super) fn to_arrays<const N: usize>(
        &self,
        shape: &Dims,
        mut arrays: [Cow<'_, Array>; N],
        paths: [Path; N],
    ) -> Array {
        let operands: [Operand; N] =
            core::array::from_fn(|number| operand(&arrays[number], shape, paths[number]));
        let mut output = Output {
            pointer: core::ptr::null_mut(),
            kernel: self.kernel,
            path: self.path,
            size: self.dtype.size(),
        };
        for array in &mut arrays {
            if let Some((pointer, result)) = self.reuse(array, shape) {
                output.pointer = pointer;
                // SAFETY: the operands are arrays that broadcast to the shape; the loop and the
                // paths fit by this function's contract. The output is an operand's memory that
                // nobody else owns, row-major, with elements of the same size.
                unsafe { strip::run(shape, &operands, &output) };
                return result;
            }
        }
        let mut buffer = Uninit::new(shape.iter().product::<usize>() * output.size);
        output.pointer = buffer.as_mut_ptr();
        // SAFETY: as above, but the output is new memory, which the driver writes from end to end.
        let buffer = unsafe {
            strip::run(shape, &operands, &output);
            buffer.assume_init()
        };
        Array::from_buffer(buffer, self.dtype, *shape)
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

/// An array as an operand of a loop over `shape`.
pub(super) fn operand(array: &Array, shape: &Dims, path: Path) -> Operand {
    Operand {
        pointer: array.as_ptr(),
        strides: broadcast_strides(array.shape(), array.strides(), shape),
        size: array.dtype().size(),
        path,
    }
}
