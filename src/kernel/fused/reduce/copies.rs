//! Reductions of copies of the operands.
//!
//! Few elements are copied as they broadcast: then their reduction takes less time to prepare. Of many elements, an operand is copied as a whole
//! if its elements lie apart along the last axis, as those of a transposed matrix: tile by tile, which is faster than to gather them block by
//! block. And the loop across rows needs contiguous rows: an operand that broadcasts along some of the axes of a row is repeated along them.
#![allow(unsafe_code, reason = "hands copies to loops over raw memory")]

use core::mem::MaybeUninit;

use super::ReduceLoop;
use crate::array::{Array, Dims, broadcast_strides};
use crate::kernel::cast::copied;
use crate::kernel::drive::gather::matrix_strides;
use crate::kernel::fused::{Loop, LoopInputs, MAX_INPUTS};
use crate::simd::LANES;

/// The fewest elements of an expression whose operands are copied as a whole.
const FEWEST: usize = 1 << 11;

/// Returns whether an array's elements lie apart along its last axis.
fn is_apart(array: &Array) -> bool {
    !matches!(matrix_strides(array), [_, 0 | 1])
}

/// Returns the shape of the copy of an array that makes the axes after `first` coalesce, if they do not: the array repeated along them.
fn repeated(array: &Array, shape: &Dims, first: usize) -> Option<Dims> {
    let strides = broadcast_strides(array.shape(), array.strides(), shape);
    let mut inner = None;
    let coalesce = (first..shape.len()).rev().filter(|axis| shape[*axis] != 1);
    let coalesce = coalesce.fold(true, |coalesce, axis| {
        let stride = strides[axis];
        let next = stride.wrapping_mul(shape[axis].cast_signed());
        inner.replace(next).is_none_or(|inner| inner == stride) && coalesce
    });
    // Along the other axes it keeps its size, so that operands of the whole shape stay so.
    let mut repeated = *shape;
    let added = shape.len() - array.rank();
    for (axis, size) in repeated.iter_mut().enumerate().take(first) {
        *size = axis
            .checked_sub(added)
            .map_or(1, |axis| array.shape()[axis]);
    }
    (!coalesce).then_some(repeated)
}

impl<'e> ReduceLoop<'e> {
    /// Returns whether the elements of an operand lie apart along its last axis.
    pub(super) fn is_apart(&self) -> bool {
        let mut arrays = self.of.sources.arrays.iter().flatten();
        !self.of.sources.alike && arrays.any(|array| is_apart(array))
    }

    /// Returns the shape of the copy of an operand of an expression with this shape that is reduced along these axes, if it is copied.
    fn shape_of_copy(&self, array: &Array, shape: &Dims, axes: &[usize]) -> Option<Dims> {
        if is_apart(array) {
            return Some(*array.dims());
        }
        self.values.columns?;
        let [first, end] = [*axes.first()?, axes.last()? + 1];
        // Short rows are read many at a time: all rows of a part of the reduction (`Self::in_parts`).
        match shape[end..].iter().product::<usize>() {
            1 => None,
            columns if columns >= LANES => repeated(array, shape, end),
            _ if first > 0 => repeated(array, shape, first),
            _ => None,
        }
    }

    /// Returns whether [`Self::with_copies`] copies operands of an expression.
    pub(super) fn copies(&self, shape: &Dims, axes: &[usize]) -> bool {
        let mut arrays = self.of.sources.arrays.iter().flatten();
        let total = shape.iter().product::<usize>();
        !self.of.sources.alike
            && total >= FEWEST
            && arrays.any(|array| self.shape_of_copy(array, shape, axes).is_some())
    }

    /// Calls a function with the loops over copies of the operands that are faster to reduce along these axes. `None` if there are none, or
    /// no memory.
    #[inline(never)]
    pub(super) fn with_copies<T>(
        &self,
        shape: &Dims,
        axes: &[usize],
        run: impl FnOnce(&ReduceLoop<'_>) -> Option<T>,
    ) -> Option<T> {
        if !self.copies(shape, axes) {
            return None;
        }
        let mut copies: [Option<Array>; MAX_INPUTS] = Default::default();
        let arrays = &self.of.sources.arrays;
        for (copy, array) in copies.iter_mut().zip(arrays) {
            let Some(array) = array else { continue };
            if let Some(shape) = self.shape_of_copy(array, shape, axes) {
                let array = array.broadcast_to(&shape).ok()?;
                *copy = Some(copied(&array).ok()?);
            }
        }
        let mut sources = LoopInputs::default();
        for (number, (copy, array)) in copies.iter().zip(arrays).enumerate() {
            if let Some(array) = copy.as_ref().or(*array) {
                sources.array(number, array);
            }
        }
        debug_assert!(
            !sources.alike || sources.first.is_some_and(|first| first.dims() == shape),
            "arrays of one shape have that of the expression"
        );
        run(&self.over(&sources))
    }

    /// Calls a function with the loops over row-major copies of the operands, if these are not row-major arrays of one shape but few elements.
    #[inline(never)]
    pub(super) fn with_small_copies<T>(
        &self,
        shape: &Dims,
        run: impl FnOnce(&ReduceLoop<'_>) -> Option<T>,
    ) -> Option<T> {
        let total = shape.iter().product();
        if !self.of.can_gather(total) {
            return None;
        }
        let (mut room, mut addresses) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the arrays broadcast to the shape (`Self::with_shape`), which has elements that can be gathered.
        let addresses = unsafe { self.of.gathered(shape, total, &mut room, &mut addresses) };
        run(&self.over(&self.of.sources.copied_to(addresses)))
    }

    /// Returns the same loops over other inputs.
    fn over<'a>(&self, sources: &'a LoopInputs<'a>) -> ReduceLoop<'a>
    where
        'e: 'a,
    {
        ReduceLoop {
            of: Loop { sources, ..self.of },
            array: None,
            ..*self
        }
    }
}
