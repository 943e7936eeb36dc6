//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::Path;
use super::contiguous::{self, Source};
use super::lanes::Kernel;
use super::side::{Side, Single};
use super::strip::{self, Operand, Output, STRIP, Strip};
use crate::array::{Array, Dims, Uninit, Whole, broadcast, broadcast_strides, element_count};
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
    /// About how long the loop takes for an element, in additions.
    pub(super) cost: usize,
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
        if let [Cow::Borrowed(lhs), Cow::Borrowed(rhs)] = &arrays
            && let Some(result) = self.run_small([lhs, rhs], &paths)
        {
            return Ok(result);
        }
        let shape = common_shape(operation, &arrays[0], &arrays[1])?;
        Ok(self.run_in(&shape, &mut arrays, &paths))
    }

    /// The same over a single array.
    pub(super) fn run_alone(&self, x: Cow<'_, Array>, path: Path) -> Array {
        if let Cow::Borrowed(x) = &x
            && let Some(result) = self.run_small([x], &[path])
        {
            return result;
        }
        self.run_in(&x.dims().clone(), &mut [x], &[path])
    }

    /// The loop over few elements of arrays that are alike: nothing is to be walked, reused or streamed.
    #[inline]
    fn run_small<const N: usize>(&self, arrays: [&Array; N], paths: &[Path; N]) -> Option<Array> {
        if self.path.is_empty() && paths.iter().all(|path| path.is_empty()) {
            let whole = run_alike(self.kernel, self.dtype, arrays)?;
            return Some(Array::of(whole, self.dtype));
        }
        let (inputs, len) = (Array::alike(arrays)?, arrays[0].len());
        if len > SMALL {
            return None;
        }
        let sources: [Source; N] = core::array::from_fn(|number| Source {
            pointer: inputs[number],
            size: arrays[number].dtype().size(),
            repeats: false,
            path: paths[number],
        });
        let mut fresh = Uninit::new(len * self.dtype.size());
        let output = self.output(fresh.as_mut_ptr());
        // SAFETY: the arrays are contiguous and of this length; the loop and the paths fit by the contract of `run`. The
        // output is new memory for as many results, all of which are written.
        let buffer = unsafe {
            contiguous::run_few(len, &sources, &output);
            fresh.assume_init()
        };
        Some(Array::of(arrays[0].whole(buffer), self.dtype))
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
            cost: self.cost,
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
            unsafe { contiguous::run(len, &sources, &output) };
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

/// The loop over few elements as they are, if arrays are borrowed and alike or one side is a single element.
///
/// The loop takes their elements, and gives those of the dtype.
#[inline]
pub(super) fn run_few(
    kernel: Kernel,
    dtype: DType,
    lhs: &Side<'_>,
    rhs: &Side<'_>,
) -> Option<Whole> {
    match (lhs, rhs) {
        (Side::Array(Cow::Borrowed(lhs)), Side::Array(Cow::Borrowed(rhs))) => {
            run_alike(kernel, dtype, [lhs, rhs])
        }
        (Side::Array(Cow::Borrowed(x)), Side::Single(single)) => {
            run_beside(kernel, dtype, x, single, true)
        }
        (Side::Single(single), Side::Array(Cow::Borrowed(x))) => {
            run_beside(kernel, dtype, x, single, false)
        }
        _ => None,
    }
}

#[inline]
fn run_alike<const N: usize>(kernel: Kernel, dtype: DType, arrays: [&Array; N]) -> Option<Whole> {
    let (inputs, len) = (Array::alike(arrays)?, arrays[0].len());
    if len > SMALL {
        return None;
    }
    let mut fresh = Uninit::new(len * dtype.size());
    // SAFETY: the arrays are contiguous, of this length, and of the elements that the loop takes. The output is
    // new memory for as many results, all of which are written.
    let buffer = unsafe {
        kernel(inputs.as_ptr(), fresh.as_mut_ptr(), len);
        fresh.assume_init()
    };
    Some(arrays[0].whole(buffer))
}

/// The same over an array and an element to its right or left.
#[inline(never)]
fn run_beside(
    kernel: Kernel,
    dtype: DType,
    x: &Array,
    single: &Single,
    on_right: bool,
) -> Option<Whole> {
    let ([from], len) = (Array::alike([x])?, x.len());
    if len > SMALL {
        return None;
    }
    let mut strip = Strip::empty();
    let repeated = strip.pointer();
    // SAFETY: there is room for a strip of any elements.
    unsafe { single.repeat(len.min(STRIP), repeated) };
    let mut fresh = Uninit::new(len * dtype.size());
    let to = fresh.as_mut_ptr();
    for done in (0..len).step_by(STRIP) {
        let from = from.wrapping_add(done * x.dtype().size());
        let repeated = repeated.cast_const();
        let inputs = if on_right {
            [from, repeated]
        } else {
            [repeated, from]
        };
        let to = to.wrapping_add(done * dtype.size());
        // SAFETY: of the array so many elements are left, and there is room for as many results; the strip has them too.
        unsafe { kernel(inputs.as_ptr(), to, (len - done).min(STRIP)) };
    }
    // SAFETY: all results were written.
    let buffer = unsafe { fresh.assume_init() };
    Some(x.whole(buffer))
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
