//! One-hot vectors: a one at the position that each element names, and zeros elsewhere.

use core::mem::MaybeUninit;

use super::take::{BLOCK, Indices, Scratch, value_of};
use crate::array::{Array, Dims, ScalarBits, element_count};
use crate::dtype::{DType, Element, Kind, c128};
use crate::error::{Error, named};
use crate::simd::for_types;

const OPERATION: &str = "one_hot";

/// Returns the shape of the result of [`one_hot`]: that of `x`, and a last axis of the classes.
///
/// # Errors
/// [`Error::NotIndices`], [`Error::RankTooLarge`], [`Error::ShapeTooLarge`].
pub(crate) fn one_hot_shape(x: &Array, classes: usize) -> Result<Dims, Error> {
    if !matches!(x.dtype().kind(), Kind::Unsigned | Kind::Signed) {
        return Err(Error::NotIndices {
            operation: OPERATION,
            found: x.dtype(),
        });
    }
    let shape = named(OPERATION, x.dims().inserted(x.rank(), classes))?;
    element_count(OPERATION, &shape)?;
    Ok(shape)
}

/// Returns a vector for each element: a one at the position of the element's number, and zeros elsewhere.
///
/// # Errors
/// The errors of [`one_hot_shape`]; [`Error::IndexOutOfRange`] for a number that is negative or not below `classes`;
/// [`Error::OutOfMemory`].
pub(crate) fn one_hot(x: &Array, classes: usize, to: DType) -> Result<Array, Error> {
    let shape = one_hot_shape(x, classes)?;
    let bits = to.bits_dtype();
    let x = x.row_major()?;
    let one = ScalarBits::of(to, 1.0).to_array()?.bitcast(bits);
    let mut result = named(OPERATION, ScalarBits::of(to, 0.0).full(&shape))?.bitcast(bits);
    for_types!(bits, T in [DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64] =>
        write_ones::<T>(&mut result, &one, &x, classes),
        _ => write_ones::<c128>(&mut result, &one, &x, classes)
    )?;
    Ok(result.bitcast(to))
}

/// Writes the one of each row.
fn write_ones<T: Element>(
    to: &mut Array,
    one: &Array,
    x: &Array,
    classes: usize,
) -> Result<(), Error> {
    let axis = x.rank();
    let to: &mut [T] = to.as_mut_slice()?;
    let one = one.as_slice().and_then(<[T]>::first).copied();
    let mut scratch: Scratch = [MaybeUninit::uninit(); BLOCK];
    for start in (0..x.len()).step_by(BLOCK) {
        let end = x.len().min(start + BLOCK);
        let numbers = Indices::new(x).range(start..end, &mut scratch);
        for (row, index) in (start..end).zip(numbers) {
            let class = usize::try_from(*index).ok().filter(|at| *at < classes);
            let (Some(class), Some(one)) = (class, one) else {
                return Err(Error::IndexOutOfRange {
                    operation: OPERATION,
                    index: value_of(x, row),
                    axis: axis.cast_signed(),
                    size: classes,
                });
            };
            to[row * classes + class] = one;
        }
    }
    Ok(())
}
