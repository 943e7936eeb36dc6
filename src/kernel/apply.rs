//! From arrays to a driven loop: the part that all element-by-element operations share.
#![allow(unsafe_code, reason = "hands whole arrays to loops over raw memory")]

use std::borrow::Cow;

use super::cast::Path;
use super::contiguous::{self, Source};
use super::lanes::{Kernel, LANES};
use super::side::{Side, Single};
use super::strip::{self, Operand, Output, STRIP, Strip};
use crate::array::{Array, Dims, Made, Uninit, broadcast, broadcast_strides, element_count};
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
    /// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub(super) fn run(
        &self,
        operation: &'static str,
        mut arrays: [Cow<'_, Array>; 2],
        paths: [Path; 2],
    ) -> Made {
        if let Some(few) = self.run_few(&mut arrays, &paths) {
            return few.into();
        }
        match common_shape(operation, &arrays[0], &arrays[1]) {
            Ok(shape) => self.run_in(&shape, &mut arrays, &paths),
            Err(error) => error.into(),
        }
    }

    /// The same over a single array.
    pub(super) fn run_alone(&self, x: Cow<'_, Array>, path: Path) -> Made {
        let (mut arrays, paths) = ([x], [path]);
        if let Some(few) = self.run_few(&mut arrays, &paths) {
            return few.into();
        }
        let shape = *arrays[0].dims();
        self.run_in(&shape, &mut arrays, &paths)
    }

    /// The loop over few elements of arrays that are alike: nothing is to be walked or streamed. Like all that come
    /// before [`Self::run_in`], it gives nothing without memory: that will ask again, and give the error.
    #[inline]
    fn run_few<const N: usize>(
        &self,
        arrays: &mut [Cow<'_, Array>; N],
        paths: &[Path; N],
    ) -> Option<Array> {
        if self.path.is_empty() && paths.iter().all(|path| path.is_empty()) {
            return self.run_alike(arrays.each_mut());
        }
        let sizes = arrays.each_ref().map(|array| array.dtype().size());
        self.write_few(arrays.each_mut(), |inputs, to, len| {
            let sources: [Source; N] = core::array::from_fn(|number| Source {
                pointer: inputs[number],
                size: sizes[number],
                repeats: false,
                path: paths[number],
            });
            // SAFETY: these are contiguous elements of the arrays; the loop and the paths fit by the contract of `run`.
            // There is room for as many results.
            unsafe { contiguous::run_few(len, &sources, &self.output(to)) };
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
        paths: &[Path; N],
    ) -> Made {
        let taken = arrays.iter_mut().find_map(|array| match array {
            Cow::Owned(array) if array.dims() == shape => array.reused(self.dtype),
            _ => None,
        });
        match taken {
            Some((pointer, result)) => {
                // SAFETY: an operand's memory that nobody else owns; it has the output's shape, is contiguous, and has
                // elements of the same size.
                unsafe { self.write(shape, arrays, paths, pointer) };
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
                    self.write(shape, arrays, paths, fresh.as_mut_ptr());
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
}

/// Few elements, which the loop takes as they are: where arrays are alike, nothing is to be looked at but their memory.
impl Apply {
    /// A loop that gives the elements of a dtype as they are.
    #[inline]
    pub(super) fn plain(kernel: Kernel, dtype: DType, cost: usize) -> Self {
        Self {
            kernel,
            path: &[],
            dtype,
            cost,
        }
    }

    /// The loop, if arrays are alike or one side is a single element.
    #[inline]
    pub(super) fn run_sides<'a>(&self, lhs: &mut Side<'a>, rhs: &mut Side<'a>) -> Option<Array> {
        match (lhs, rhs) {
            (Side::Array(lhs), Side::Array(rhs)) => self.run_alike([lhs, rhs]),
            (Side::Array(x), Side::Single(single)) => {
                self.run_beside([x], single, |[x], single| [x, single])
            }
            (Side::Single(single), Side::Array(x)) => {
                self.run_beside([x], single, |[x], single| [single, x])
            }
            _ => None,
        }
    }

    /// The same of a loop that chooses between two sides.
    #[inline]
    pub(super) fn run_chosen<'a>(
        &self,
        condition: &mut Cow<'a, Array>,
        a: &mut Side<'a>,
        b: &mut Side<'a>,
    ) -> Option<Array> {
        match (a, b) {
            (Side::Array(a), Side::Array(b)) => self.run_alike([condition, a, b]),
            (Side::Array(a), Side::Single(b)) => {
                self.run_beside([condition, a], b, |[condition, a], b| [condition, a, b])
            }
            (Side::Single(a), Side::Array(b)) => {
                self.run_beside([condition, b], a, |[condition, b], a| [condition, a, b])
            }
            _ => None,
        }
    }

    #[inline]
    fn run_alike<const N: usize>(&self, arrays: [&mut Cow<'_, Array>; N]) -> Option<Array> {
        self.write_few(arrays, |inputs, to, len| {
            // SAFETY: these are contiguous elements of the arrays, and those that the loop takes. There is room for as
            // many results.
            unsafe { (self.kernel)(inputs.as_ptr(), to, len) };
        })
    }

    /// The loop over arrays and an element, which stands `among` them.
    #[inline(never)]
    fn run_beside<const N: usize, const M: usize>(
        &self,
        arrays: [&mut Cow<'_, Array>; N],
        single: &Single,
        among: impl Fn([*const u8; N], *const u8) -> [*const u8; M],
    ) -> Option<Array> {
        let sizes = arrays.each_ref().map(|array| array.dtype().size());
        self.write_few(arrays, |inputs, to, len| {
            let mut strip = Strip::empty();
            let repeated = strip.pointer();
            // SAFETY: there is room for a strip of any elements.
            unsafe { single.repeat(len.min(STRIP), repeated) };
            for done in (0..len).step_by(STRIP) {
                let inputs = core::array::from_fn(|number| {
                    inputs[number].wrapping_add(done * sizes[number])
                });
                let inputs = among(inputs, repeated.cast_const());
                let to = to.wrapping_add(done * self.dtype.size());
                // SAFETY: of the arrays so many elements are left, and there is room for as many results; the strip has
                // them too.
                unsafe { (self.kernel)(inputs.as_ptr(), to, (len - done).min(STRIP)) };
            }
        })
    }

    /// Has few elements of arrays that are alike computed with: `write` is given where each begins, where results go, and
    /// how many there are; it writes them all. An owned array with elements of the results' size gives its memory.
    #[inline(always)]
    fn write_few<const N: usize>(
        &self,
        mut arrays: [&mut Cow<'_, Array>; N],
        write: impl FnOnce([*const u8; N], *mut u8, usize),
    ) -> Option<Array> {
        let inputs = Array::alike(arrays.each_ref().map(|array| &***array))?;
        let (len, size) = (arrays[0].len(), self.dtype.size());
        if len > SMALL {
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
        // A whole chunk is sooner done than part of one.
        let mut is_padded = self.cost == 1 && len <= LANES && fresh.has_room(LANES * size);
        for array in &arrays {
            is_padded &= array.has_room(LANES * array.dtype().size());
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
