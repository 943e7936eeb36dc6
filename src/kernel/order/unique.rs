//! Distinct elements.

use std::borrow::Cow;

use super::keys::{Bits, Keys};
use super::positions::row_positions;
use super::{SortOrder, bits_dtype, check_real, sort};
use crate::array::alloc::vec_with_capacity;
use crate::array::{Array, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast;
use crate::simd::for_types;

/// The distinct elements of an array.
pub(crate) struct Unique {
    /// The elements in ascending order, as a vector: of equal ones the first.
    pub(crate) values: Array,
    /// The number of occurrences of each one.
    pub(crate) counts: Array,
    /// For each element of the array, the position of its equal among the values.
    pub(crate) inverse: Array,
}

/// Returns the distinct elements in ascending order, as a vector: of equal ones the first.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique_values(x: &Array) -> Result<Array, Error> {
    check_real("unique", x)?;
    let dtype = x.dtype();
    let elements = x.row_major()?.reshape(&[x.len()])?;
    let sorted = sort(&elements, 0, SortOrder::Ascending)?.bitcast(bits_dtype(dtype));
    let ascending = SortOrder::Ascending;
    let values = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        first_of_runs(&sorted, &Keys::<K>::new(dtype, ascending)),
        _ => first_of_runs(&sorted, &Keys::<u64>::new(dtype, ascending))
    )?;
    Ok(values.bitcast(dtype))
}

/// Returns the first of each run of equal elements, which are given by their bits.
fn first_of_runs<K: Bits>(sorted: &Array, keys: &Keys<K>) -> Result<Array, Error> {
    let sorted: &[K] = sorted.as_slice().unwrap_or_default();
    let mut values: Vec<K> = vec_with_capacity(sorted.len())?;
    let runs = sorted.chunk_by(|a, b| keys.key(*a) == keys.key(*b));
    values.extend(runs.filter_map(<[K]>::first));
    Array::from_elements(&values, &[values.len()])
}

/// Finds the distinct elements of an array. -0 equals +0, and each NaN equals all others. Counts and positions have the dtype `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn unique(operation: &'static str, x: &Array, out: DType) -> Result<Unique, Error> {
    check_real(operation, x)?;
    let dtype = x.dtype();
    let elements = x.row_major()?.reshape(&[x.len()])?;
    let order = row_positions(&elements, SortOrder::Ascending, x.len())?;
    let order: &[i64] = order.as_slice().unwrap_or_default();
    let bits = elements.bitcast(bits_dtype(dtype));
    let ascending = SortOrder::Ascending;
    let Unique {
        values,
        counts,
        inverse,
    } = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        runs(&bits, &Keys::<K>::new(dtype, ascending), order),
        _ => runs(&bits, &Keys::<u64>::new(dtype, ascending), order)
    )?;
    Ok(Unique {
        values: values.bitcast(dtype),
        counts: cast(Cow::Owned(counts), out)?,
        inverse: cast(Cow::Owned(inverse), out)?.reshape(x.shape())?,
    })
}

/// Finds the runs of equal elements in sorted order. All results are vectors; counts and positions have the dtype `i64`.
fn runs<K: Bits>(elements: &Array, keys: &Keys<K>, order: &[i64]) -> Result<Unique, Error> {
    let elements: &[K] = elements.as_slice().unwrap_or_default();
    let mut inverse = ScalarBits::new(0_i64).full(&[elements.len()])?;
    let inverse_slice: &mut [i64] = inverse.as_mut_slice()?;
    let mut values: Vec<K> = vec_with_capacity(elements.len())?;
    let mut counts: Vec<i64> = vec_with_capacity(elements.len())?;
    let (mut previous, mut run) = (None, -1);
    for position in order {
        let position = usize::try_from(*position).unwrap_or_default();
        let element = elements[position];
        let key = Some(keys.key(element));
        if key != previous {
            previous = key;
            run += 1;
            values.push(element);
            counts.push(0);
        }
        if let Some(count) = counts.last_mut() {
            *count += 1;
        }
        inverse_slice[position] = run;
    }
    Ok(Unique {
        values: Array::from_elements(&values, &[values.len()])?,
        counts: Array::from_elements(&counts, &[counts.len()])?,
        inverse,
    })
}
