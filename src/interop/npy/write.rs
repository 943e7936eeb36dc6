//! Writes arrays to `.npy` streams.

use std::borrow::Cow;
use std::io::Write;

use npyz::{Order, WriteOptions, WriterBuilder};

use super::super::file::Reason;
use super::name::type_str;
use crate::array::Array;
use crate::exec;

/// Writes the array in Fortran order if it lies so in memory, else in row-major order.
pub(in super::super) fn write_array(file: &mut impl Write, array: &Array) -> Result<(), Reason> {
    let sizes = array.shape().iter().map(|size| u64::try_from(*size));
    let shape = sizes.collect::<Result<Vec<_>, _>>()?;
    let (order, stored) = stored(array)?;
    let bytes = stored
        .as_bytes()
        .ok_or("elements that are not contiguous")?;
    WriteOptions::new_header_only()
        .shape(&shape)
        .dtype(npyz::DType::Plain(type_str(array.dtype())?))
        .order(order)
        .writer(&mut *file)
        .write_header_only()?;
    Ok(file.write_all(bytes)?)
}

fn stored(array: &Array) -> Result<(Order, Cow<'_, Array>), Reason> {
    if !array.is_contiguous() {
        let axes: Vec<usize> = (0..array.rank()).rev().collect();
        let reversed = exec::permute(array, &axes)?;
        if reversed.is_contiguous() {
            return Ok((Order::Fortran, Cow::Owned(reversed)));
        }
    }
    Ok((Order::C, exec::row_major(array)?))
}
