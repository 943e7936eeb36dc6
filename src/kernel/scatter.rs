//! Scattering: elements written, or combined with updates, at given indices along an axis. The reverse of `take_along_axis`.

use core::mem::MaybeUninit;
use std::borrow::Cow;

use super::cast::{cast, compute_dtype};
use super::take::{BLOCK, Indices, Scratch, check, position_of};
use crate::array::{Array, Dims, element_count};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Element, c64, c128};
use crate::error::Error;
use crate::simd::{Baseline, for_types};

/// The change that an update makes to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScatterOp {
    /// It is replaced.
    Replace,
    /// The update is added to it.
    Add,
    /// It becomes the greater of both.
    Max,
    /// It becomes the smaller of both.
    Min,
}

impl ScatterOp {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Replace => "scatter",
            Self::Add => "scatter_add",
            Self::Max => "scatter_max",
            Self::Min => "scatter_min",
        }
    }
}

/// Returns the shape to which indices and updates broadcast: the shape of `x`, with the indices' size along the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`]; [`Error::DTypeMismatch`] if the updates have another dtype;
/// [`Error::ShapeMismatch`] if ranks differ or shapes do not broadcast; [`Error::ShapeTooLarge`].
pub(crate) fn scatter_shape(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Dims, Error> {
    let operation = op.name();
    check(operation, x, indices, axis)?;
    if updates.dtype() != x.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: x.dtype(),
            found: updates.dtype(),
        });
    }
    let mut shape = *x.dims();
    if indices.rank() == x.rank() {
        shape[axis] = indices.shape()[axis];
    }
    for operand in [indices, updates] {
        let sizes = operand.shape().iter().zip(shape.iter());
        let fits = operand.rank() == shape.len()
            && sizes.into_iter().all(|(size, to)| *size == 1 || size == to);
        if !fits {
            return Err(Error::ShapeMismatch {
                operation,
                lhs: shape.to_vec(),
                rhs: operand.shape().to_vec(),
            });
        }
    }
    element_count(operation, &shape)?;
    Ok(shape)
}

/// Combines elements with updates by a function of [`ComputeType`], in the dtype in which they are computed.
macro_rules! combine {
    ($function:ident of $x:expr, $updates:expr, $places:expr) => {{
        let (x, places): (&Array, &Places) = ($x, $places);
        let dtype = compute_dtype(x.dtype());
        let mut result = cast(Cow::Borrowed(x), dtype)?;
        let updates = cast(Cow::Borrowed($updates), dtype)?;
        let updates = updates.row_major()?;
        for_types!(dtype, T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64, DType::I8 => i8, DType::I16 => i16,
            DType::I32 => i32, DType::I64 => i64, DType::F32 => f32, DType::F64 => f64, DType::C64 => c64, DType::C128 => c128,
        ] => places.combine::<T>(&mut result, &updates, <T as ComputeType>::$function::<Baseline>), _ => {
            places.combine(&mut result, &updates, |a: bool, b: bool| {
                <BoolByte as ComputeType>::$function::<Baseline>(BoolByte::of(a), BoolByte::of(b)).is_true()
            })
        })?;
        cast(Cow::Owned(result), x.dtype())
    }};
}

/// Writes the updates to a copy of `x`, or combines them with its elements. The element of an update has the index that `indices` has at the update's position
/// along the axis, and the indices of that position along the other axes. Negative indices count from the end. Updates of one element are
/// written, or combined, in row-major order. Small floats are added in `f32`, and each sum is rounded once.
///
/// # Errors
/// The errors of [`scatter_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Array, Error> {
    let shape = scatter_shape(op, x, indices, updates, axis)?;
    let size = x.shape()[axis];
    // If there is one index for all positions behind the axis, whole rows are scattered.
    let mut index_shape = shape;
    if indices.shape()[axis + 1..].iter().all(|size| *size == 1) {
        index_shape[axis + 1..].fill(1);
    }
    let indices = indices.broadcast_to(&index_shape)?;
    let indices = indices.row_major()?;
    let updates = updates.broadcast_to(&shape)?;
    let places = Places {
        operation: op.name(),
        indices: &indices,
        axis,
        count: shape[axis],
        size,
        inner: shape[axis + 1..].iter().product(),
        index_inner: index_shape[axis + 1..].iter().product(),
    };
    match op {
        ScatterOp::Replace => replace(x, &updates, &places),
        ScatterOp::Add => combine!(add of x, &updates, &places),
        ScatterOp::Max => combine!(maximum of x, &updates, &places),
        ScatterOp::Min => combine!(minimum of x, &updates, &places),
    }
}

fn replace(x: &Array, updates: &Array, places: &Places) -> Result<Array, Error> {
    let dtype = x.dtype();
    let bits = match dtype.size() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        8 => DType::U64,
        _ => dtype,
    };
    let mut result = x.clone().bitcast(bits);
    let updates = updates.row_major()?.into_owned().bitcast(bits);
    for_types!(bits, T in [DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64] =>
        places.combine::<T>(&mut result, &updates, |_, update| update),
        _ => places.combine::<c128>(&mut result, &updates, |_, update| update)
    )?;
    Ok(result.bitcast(dtype))
}

/// The places of updates. The axes before the axis are coalesced to one, and so are the axes behind it.
struct Places<'a> {
    operation: &'static str,
    /// The indices, contiguous.
    indices: &'a Array,
    axis: usize,
    /// The number of indices along the axis.
    count: usize,
    /// The size of the axis.
    size: usize,
    /// The number of elements behind each position of the axis.
    inner: usize,
    /// The number of indices behind each position: `inner`, or one for all.
    index_inner: usize,
}

impl Places<'_> {
    /// Combines elements with their updates: [`BLOCK`] indices at a time, which is the most that is converted.
    fn combine<T: Element>(
        &self,
        to: &mut Array,
        updates: &Array,
        combine: impl Fn(T, T) -> T,
    ) -> Result<(), Error> {
        let to: &mut [T] = to.as_mut_slice()?;
        let updates: &[T] = updates.as_slice().unwrap_or_default();
        let mut scratch: Scratch = [MaybeUninit::uninit(); BLOCK];
        let per_index = self.inner / self.index_inner.max(1);
        let indices = self.count * self.index_inner;
        for first in (0..self.indices.len()).step_by(indices.max(1)) {
            for start in (first..first + indices).step_by(BLOCK) {
                let end = (first + indices).min(start + BLOCK);
                let block = Indices::new(self.indices).range(start..end, &mut scratch);
                if updates.is_empty() {
                    block.iter().try_for_each(|index| self.check(*index))?;
                    continue;
                }
                let outer = first / indices;
                let to = &mut to[outer * self.size * self.inner..][..self.size * self.inner];
                let updates = &updates[start * per_index..end * per_index];
                let wrong = match [self.index_inner, self.inner] {
                    [1, 1] => combine_elements(to, block, updates, &combine),
                    [1, inner] => combine_rows(to, inner, block, updates, &combine),
                    [_, inner] => {
                        let behind = (start - first) % inner;
                        combine_columns(to, [inner, behind], block, updates, &combine)
                    }
                };
                if let Some(index) = wrong {
                    self.check(index)?;
                }
            }
        }
        Ok(())
    }

    /// # Errors
    /// [`Error::IndexOutOfRange`].
    fn check(&self, index: isize) -> Result<(), Error> {
        let (operation, axis, size) = (self.operation, self.axis, self.size);
        match position_of(index, size) {
            Some(_) => Ok(()),
            None => Err(Error::IndexOutOfRange {
                operation,
                index,
                axis,
                size,
            }),
        }
    }
}

/// Combines single elements with their updates. Returns the first index that is out of range, at which it stops.
fn combine_elements<T: Copy>(
    to: &mut [T],
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> Option<isize> {
    for (index, update) in indices.iter().zip(updates) {
        let Some(position) = position_of(*index, to.len()) else {
            return Some(*index);
        };
        let element = &mut to[position];
        *element = combine(*element, *update);
    }
    None
}

/// [`combine_elements`] of rows of `inner` elements, with an index for each row.
fn combine_rows<T: Copy>(
    to: &mut [T],
    inner: usize,
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> Option<isize> {
    let size = to.len() / inner;
    for (index, updates) in indices.iter().zip(updates.chunks_exact(inner)) {
        let Some(position) = position_of(*index, size) else {
            return Some(*index);
        };
        let elements = &mut to[position * inner..][..inner];
        for (element, update) in elements.iter_mut().zip(updates) {
            *element = combine(*element, *update);
        }
    }
    None
}

/// [`combine_elements`] of rows of `inner` elements, with an index for each element, of which the first is at the place `behind` in its
/// row.
fn combine_columns<T: Copy>(
    to: &mut [T],
    [inner, mut behind]: [usize; 2],
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> Option<isize> {
    let size = to.len() / inner;
    for (index, update) in indices.iter().zip(updates) {
        let Some(position) = position_of(*index, size) else {
            return Some(*index);
        };
        let element = &mut to[position * inner + behind];
        *element = combine(*element, *update);
        behind += 1;
        if behind == inner {
            behind = 0;
        }
    }
    None
}
