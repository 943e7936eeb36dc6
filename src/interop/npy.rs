//! NumPy's `.npy` files, by the crate `npyz`.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use npyz::{DType as NpyDType, Endianness, NpyHeader, Order, TypeChar, TypeStr};

use super::{typed, unreadable};
use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{RuleSet, Rules};
use crate::tensor::Tensor;

impl<D: StrongDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Reads a `.npy` file of this dtype and rank. Fortran order and big-endian numbers are
    /// converted. Needs the feature `npy`.
    ///
    /// NumPy has no names of its own for `bf16` and the 8-bit floats; such files are refused.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is truncated, or is no `.npy` file of a
    /// dtype of ours; [`Error::UnexpectedTensor`] if it has another dtype or rank.
    ///
    /// ```
    /// use supremum::{Error, Rank3, Tensor, U8, F32};
    /// let images = Tensor::<U8, Rank3>::read_npy("examples/digits/data/images.npy")?;
    /// assert_eq!(images.shape(), [1797, 8, 8]);
    /// let error = Tensor::<F32, Rank3>::read_npy("examples/digits/data/images.npy").unwrap_err();
    /// assert!(matches!(error, Error::UnexpectedTensor { .. }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npy(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let array = read(path).map_err(|reason| unreadable(path, reason))?;
        typed(path, None, array)
    }
}

impl DynTensor {
    /// Reads a `.npy` file of whatever dtype and rank it has; see [`Tensor::read_npy`]. Needs the feature `npy`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is truncated, or is no `.npy` file of a dtype of ours.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, Jax, Rules};
    /// let images = DynTensor::read_npy("examples/digits/data/images.npy", Jax::rule_set())?;
    /// assert_eq!((images.dtype(), images.shape()), (DType::U8, &[1797, 8, 8][..]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npy(path: impl AsRef<Path>, rules: &'static RuleSet) -> Result<Self, Error> {
        let path = path.as_ref();
        let array = read(path).map_err(|reason| unreadable(path, reason))?;
        Ok(Self::from_array(array, false, rules))
    }
}

/// Whatever array the file holds; errors are reasons in words.
fn read(path: &Path) -> Result<Array, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    read_array(&mut BufReader::new(file), size)
}

/// Whatever array a file of at most so many bytes holds.
pub(super) fn read_array(file: &mut impl Read, size: u64) -> Result<Array, String> {
    let header = read_header(file, size)?;
    let NpyDType::Plain(type_str) = header.dtype() else {
        return Err(format!(
            "records are not supported: {}",
            header.dtype().descr()
        ));
    };
    let dtype = dtype_of(&type_str).ok_or_else(|| format!("no dtype of ours: {type_str}"))?;
    let shape: Vec<usize> = header
        .shape()
        .iter()
        .map(|size| usize::try_from(*size))
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;

    // No allocation by the header's word: only what the file really holds is read, and of that no more than
    // the shape needs and one byte, which is then too many.
    let needed = header.shape().iter().try_fold(
        u64::try_from(dtype.size()).unwrap_or(u64::MAX),
        |count, size| count.checked_mul(*size),
    );
    let limit = needed.map_or(size, |needed| needed.saturating_add(1).min(size));
    let mut bytes = Vec::new();
    file.by_ref()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if type_str.endianness() != Endianness::Irrelevant
        && type_str.endianness() != Endianness::of_machine()
    {
        swap(&mut bytes, dtype);
    }
    // Fortran order is C order of the reversed shape.
    let fortran = header.order() == Order::Fortran;
    let stored: Vec<usize> = if fortran {
        shape.iter().rev().copied().collect()
    } else {
        shape
    };
    let array = Array::from_bytes(dtype, &stored, &bytes).map_err(|error| error.to_string())?;
    if fortran {
        let axes: Vec<usize> = (0..array.rank()).rev().collect();
        return array.permute(&axes).map_err(|error| error.to_string());
    }
    Ok(array)
}

/// The longest header that NumPy itself reads without being told to, in bytes.
const LONGEST_HEADER: u64 = 10_000;

/// The header, after checks that `npyz` leaves to its caller: it allocates as many bytes as the
/// length field says, parses any Python literal, and multiplies the sizes of the shape unchecked.
fn read_header(file: &mut impl Read, size: u64) -> Result<NpyHeader, String> {
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
    if !complete || length > size {
        return Err("truncated: the file ends within its header".into());
    }
    if length > LONGEST_HEADER {
        return Err(format!(
            "a header of {length} bytes; {LONGEST_HEADER} are the most"
        ));
    }
    let text = head.len();
    read_on(file, length, &mut head)?;
    check_shape(&String::from_utf8_lossy(&head[text..]))?;
    NpyHeader::from_reader(head.as_slice()).map_err(|error| error.to_string())
}

/// Appends that many bytes, fewer at the end of the file; whether they were all there.
fn read_on(file: &mut impl Read, bytes: u64, to: &mut Vec<u8>) -> Result<bool, String> {
    let read = file.by_ref().take(bytes).read_to_end(to);
    let read = read.map_err(|error| error.to_string())?;
    Ok(u64::try_from(read) == Ok(bytes))
}

/// A header of an array that is no record has one pair of parentheses, around the shape; whatever
/// else the shape could be written as is refused, so that its product is known to be in range.
fn check_shape(header: &str) -> Result<(), String> {
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
        .ok_or_else(|| format!("no shape of a size that can be addressed: ({shape})"))
}

fn dtype_of(type_str: &TypeStr) -> Option<DType> {
    let found = match (type_str.type_char(), type_str.size_field()) {
        (TypeChar::Bool, 1) => DType::Bool,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Uint, 2) => DType::U16,
        (TypeChar::Uint, 4) => DType::U32,
        (TypeChar::Uint, 8) => DType::U64,
        (TypeChar::Int, 1) => DType::I8,
        (TypeChar::Int, 2) => DType::I16,
        (TypeChar::Int, 4) => DType::I32,
        (TypeChar::Int, 8) => DType::I64,
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Complex, 8) => DType::C64,
        (TypeChar::Complex, 16) => DType::C128,
        _ => return None,
    };
    Some(found)
}

/// Reverses the bytes of every number; a complex number is two.
fn swap(bytes: &mut [u8], dtype: DType) {
    let width = match dtype {
        DType::C64 | DType::C128 => dtype.size() / 2,
        _ => dtype.size(),
    };
    for number in bytes.chunks_exact_mut(width) {
        number.reverse();
    }
}
