//! Reads arrays from `.npy` streams.

use std::io::Read;

use npyz::Endianness;

use super::super::byte_order::swap;
use super::super::file::{Location, Reason};
use super::super::options::Budget;
use super::header::Header;
use crate::array::{Array, UNNAMED, element_count};
use crate::dtype::DType;
use crate::error::Error;
use crate::exec;

/// Reads the array of a stream that has at most `most` bytes; raw elements get the expected dtype. Bytes after the
/// elements are not read.
///
/// Memory is allocated once for all elements, after checking that the stream can have as many. If the stream ends
/// early, the system has committed only the pages that were written.
pub(in super::super) fn read_array(
    stream: &mut impl Read,
    most: u64,
    expected: Option<DType>,
    location: &Location<'_>,
    budget: &mut Budget,
) -> Result<Array, Error> {
    let header = Header::read(stream, expected).map_err(|reason| location.unreadable(reason))?;
    let Header {
        dtype,
        mut shape,
        fortran_order,
        ..
    } = header;
    if fortran_order {
        // Fortran order is row-major order of the reversed shape.
        shape.reverse();
    }
    let bytes = byte_count(&shape, dtype).map_err(|reason| location.unreadable(reason))?;
    let there = most.saturating_sub(header.length);
    if bytes > there {
        return Err(location.unreadable(format!(
            "{bytes} bytes of elements expected, {there} at most can follow the header"
        )));
    }
    budget.check(location, bytes)?;
    let external = header.endianness != Endianness::Irrelevant
        && header.endianness != Endianness::of_machine();
    let filled = Array::filled(dtype, &shape, |elements| {
        stream.read_exact(elements).map_err(|error| {
            location.unreadable(format!("{bytes} bytes of elements expected: {error}"))
        })?;
        if external {
            swap(elements, dtype);
        }
        Ok(())
    });
    let array = filled.map_err(|error| location.invalid(error))?;
    budget.count(location, bytes);
    if fortran_order {
        let axes: Vec<usize> = (0..array.rank()).rev().collect();
        return exec::permute(&array, &axes);
    }
    Ok(array)
}

fn byte_count(shape: &[usize], dtype: DType) -> Result<u64, Reason> {
    Ok(u64::try_from(
        element_count(UNNAMED, shape)? * dtype.size(),
    )?)
}
