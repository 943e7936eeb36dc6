//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::Path;
use super::lanes::Kernel;
use super::strip::{self, Operand, Output};
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
        let converts = !self.path.is_empty() || paths.iter().any(|path| !path.is_empty());
        let len = shape.iter().product::<usize>();
        let direct = !converts
            && len <= SMALL
            && arrays
                .iter()
                .all(|array| array.dims() == shape && array.is_contiguous());
        let mut taken = arrays.iter_mut().find_map(|array| self.reuse(array, shape));
        let mut fresh = match &taken {
            Some(_) => None,
            None => Some(Uninit::new(len * self.dtype.size())),
        };
        let pointer = match (&mut taken, &mut fresh) {
            (Some((pointer, _)), _) => *pointer,
            (None, Some(fresh)) => fresh.as_mut_ptr(),
            (None, None) => unreachable!("the result has memory of one kind or the other"),
        };
        if direct {
            let inputs: [*const u8; N] = core::array::from_fn(|number| arrays[number].as_ptr());
            // SAFETY: the arrays are contiguous, of this length, and of the elements that the loop
            // takes. The output is new memory for as many results, or an operand's memory that
            // nobody else owns, with elements of the same size.
            unsafe { (self.kernel)(inputs.as_ptr(), pointer, len) };
        } else {
            let operands: [Operand; N] =
                core::array::from_fn(|number| operand(&arrays[number], shape, paths[number]));
            let output = Output {
                pointer,
                kernel: self.kernel,
                path: self.path,
                size: self.dtype.size(),
            };
            // SAFETY: the operands are arrays that broadcast to the shape; the loop and the paths
            // fit by this function's contract. The output is as above, and an operand whose memory
            // it is has the output's shape and is contiguous.
            unsafe { strip::run(shape, &operands, &output) };
        }
        match (taken, fresh) {
            (Some((_, result)), _) => result,
            (None, Some(fresh)) => {
                // SAFETY: the loop has written all elements.
                let buffer = unsafe { fresh.assume_init() };
                Array::from_buffer(buffer, self.dtype, *shape)
            }
            (None, None) => unreachable!("the result has memory of one kind or the other"),
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
