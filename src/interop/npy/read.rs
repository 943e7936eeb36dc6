//! From `.npy` files to arrays.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use npyz::{DType as NpyDType, Endianness, NpyHeader, Order};

use super::super::file::{Reason, swap};
use super::name::dtype_of;
use crate::array::{Array, element_count};
use crate::dtype::DType;
use crate::error::Error;

/// The array of a file; raw elements are of the dtype that is expected.
pub(super) fn read(path: &Path, expected: Option<DType>) -> Result<Array, Reason> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let there = if metadata.is_file() {
        metadata.len()
    } else {
        0
    };
    read_array(&mut BufReader::new(file), there, expected)
}

/// The array of a stream in which this many bytes are, or which may have any number of them.
pub(in super::super) fn read_array(
    file: &mut impl Read,
    there: u64,
    expected: Option<DType>,
) -> Result<Array, Reason> {
    let (header, known) = read_header(file)?;
    let NpyDType::Plain(type_str) = header.dtype() else {
        let records = header.dtype().descr();
        return Err(format!("records are not supported: {records}").into());
    };
    let dtype = match known {
        Some(dtype) => dtype,
        None => dtype_of(&type_str, expected)?,
    };
    let sizes = header.shape().iter().map(|size| usize::try_from(*size));
    let mut shape = sizes.collect::<Result<Vec<_>, _>>()?;
    let fortran = header.order() == Order::Fortran;
    if fortran {
        // It is row-major order of the reversed shape.
        shape.reverse();
    }
    let needed = element_count(&shape)? * dtype.size();
    let foreign = type_str.endianness() != Endianness::Irrelevant
        && type_str.endianness() != Endianness::of_machine();
    let finish = |bytes: &mut [u8]| {
        if foreign {
            swap(bytes, dtype);
        }
    };
    let array = if u64::try_from(needed)? <= there {
        Array::filled(dtype, &shape, |bytes| {
            file.read_exact(bytes)
                .map_err(|error| format!("{needed} bytes of elements expected: {error}"))?;
            finish(bytes);
            Ok::<_, Reason>(())
        })?
    } else {
        // No allocation by the header's word: what is there is read first.
        let mut bytes = Vec::new();
        let found = file
            .by_ref()
            .take(u64::try_from(needed)?)
            .read_to_end(&mut bytes)?;
        if found < needed {
            return Err(Error::LengthMismatch {
                operation: "number of bytes",
                expected: needed,
                found,
            }
            .into());
        }
        finish(&mut bytes);
        Array::from_bytes(dtype, &shape, &bytes)?
    };
    if file.read(&mut [0])? > 0 {
        return Err(format!("there is more than the {needed} bytes of elements").into());
    }
    if fortran {
        let axes: Vec<usize> = (0..array.rank()).rev().collect();
        return Ok(array.permute(&axes)?);
    }
    Ok(array)
}

/// The longest header that NumPy itself reads without being told to, in bytes.
const LONGEST_HEADER: u64 = 10_000;

/// The header, after checks that `npyz` leaves to its caller: it allocates as many bytes as the
/// length field says, parses any Python literal, and multiplies the sizes of the shape unchecked. With it the dtype, if
/// `npyz` does not know the name.
fn read_header(file: &mut impl Read) -> Result<(NpyHeader, Option<DType>), Reason> {
    let mut head = Vec::new();
    read_on(file, 8, &mut head)?;
    if head.len() < 8 || !head.starts_with(b"\x93NUMPY") {
        return Err("not an .npy file: it does not begin with the magic string".into());
    }
    let width = if head[6] == 1 { 2 } else { 4 };
    let complete = read_on(file, width, &mut head)?;
    let length = head[8..]
        .iter()
        .rev()
        .fold(0, |length, byte| length << 8 | u64::from(*byte));
    if complete && length > LONGEST_HEADER {
        return Err(format!("a header of {length} bytes; {LONGEST_HEADER} are the most").into());
    }
    let text = head.len();
    if !complete || !read_on(file, length, &mut head)? {
        return Err("truncated: the file ends within its header".into());
    }
    check_shape(&String::from_utf8_lossy(&head[text..]))?;
    let known = rename_e5m2(&mut head[text..]);
    Ok((NpyHeader::from_reader(head.as_slice())?, known))
}

/// ml_dtypes saves e5m2 under the name `f1`, which neither NumPy reads nor `npyz`: it becomes that of a byte.
fn rename_e5m2(header: &mut [u8]) -> Option<DType> {
    let mut names = header.windows(5);
    let at = names.position(|name| matches!(name, b"'<f1'" | b"'>f1'" | b"'|f1'"))?;
    header[at + 2] = b'u';
    Some(DType::F8E5M2)
}

/// Appends that many bytes, fewer at the end of the file; whether they were all there.
fn read_on(file: &mut impl Read, bytes: u64, to: &mut Vec<u8>) -> Result<bool, Reason> {
    let read = file.by_ref().take(bytes).read_to_end(to)?;
    Ok(u64::try_from(read) == Ok(bytes))
}

/// A header of an array that is no record has one pair of parentheses, around the shape; whatever
/// else the shape could be written as is refused, so that its product is known to be in range.
fn check_shape(header: &str) -> Result<(), Reason> {
    let brackets = |kinds: &[char]| header.matches(kinds).count();
    let shape = header
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(shape, _)| shape)
        .filter(|_| {
            brackets(&['(', ')']) == 2 && brackets(&['[', ']']) == 0 && brackets(&['{', '}']) == 2
        })
        .ok_or("not the header of a plain array: records are not supported")?;
    let sizes = shape
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty());
    // Strides are products too, also beside a size of zero.
    sizes
        .map(|size| size.parse::<u64>().ok())
        .try_fold(1, |count: u64, size| count.checked_mul(size?.max(1)))
        .map(drop)
        .ok_or_else(|| format!("no shape of a size that can be addressed: ({shape})").into())
}
