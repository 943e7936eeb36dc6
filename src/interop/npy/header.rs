//! The header of a `.npy` file: a magic string, a length, and a Python dictionary.
//!
//! The crate `py_literal` parses the dictionary. The crate `npyz` uses it too, but keeps the last of repeated keys,
//! ignores unknown keys, and does not know the name of an 8-bit float; so the header is read here.

use std::io::Read;

use npyz::{Endianness, TypeStr};
use py_literal::Value;

use super::super::file::Reason;
use super::name::dtype_of;
use crate::dtype::DType;

/// The longest header, in bytes, that NumPy itself reads by default.
const LONGEST: u64 = 10_000;

/// A decoded header.
pub(super) struct Header {
    pub(super) dtype: DType,
    /// The byte order of the elements.
    pub(super) endianness: Endianness,
    /// The size of each axis, in the order of the array's axes.
    pub(super) shape: Vec<usize>,
    /// `true` if the first axis varies fastest.
    pub(super) fortran_order: bool,
    /// The number of bytes before the elements.
    pub(super) length: u64,
}

impl Header {
    /// Reads up to the first byte of the elements; raw elements get the expected dtype.
    pub(super) fn read(stream: &mut impl Read, expected: Option<DType>) -> Result<Self, Reason> {
        let mut head = Vec::new();
        read_on(stream, 8, &mut head)?;
        if head.len() < 8 || !head.starts_with(b"\x93NUMPY") {
            return Err("not an .npy file: it does not begin with the magic string".into());
        }
        let width = match (head[6], head[7]) {
            (1, 0) => 2,
            (2 | 3, 0) => 4,
            (major, minor) => return Err(format!("unknown version {major}.{minor}").into()),
        };
        let complete = read_on(stream, width, &mut head)?;
        let length = head[8..]
            .iter()
            .rev()
            .fold(0, |length, byte| length << 8 | u64::from(*byte));
        if complete && length > LONGEST {
            return Err(format!("a header of {length} bytes; {LONGEST} are the most").into());
        }
        let text = head.len();
        if !complete || !read_on(stream, length, &mut head)? {
            return Err("truncated: the file ends within its header".into());
        }
        let header = Self::parse(str::from_utf8(&head[text..])?, expected)?;
        let length = u64::try_from(head.len())?;
        Ok(Self { length, ..header })
    }

    /// Decodes the dictionary, which must have exactly three keys, each once.
    fn parse(text: &str, expected: Option<DType>) -> Result<Self, Reason> {
        check_brackets(text)?;
        let (mut descr, mut order, mut shape) = (None, None, None);
        // NumPy pads the dictionary with spaces and a line end, which the parser refuses.
        let Value::Dict(entries) = text.trim_end().parse()? else {
            return Err("the header is not a dictionary".into());
        };
        for (key, value) in entries {
            let slot = match key.as_string().map(String::as_str) {
                Some("descr") => &mut descr,
                Some("fortran_order") => &mut order,
                Some("shape") => &mut shape,
                _ => return Err(format!("the header has another key: {key:?}").into()),
            };
            if slot.replace(value).is_some() {
                return Err(format!("the header has a key twice: {key:?}").into());
            }
        }
        let (Some(descr), Some(order), Some(shape)) = (descr, order, shape) else {
            return Err("the header needs the keys 'descr', 'fortran_order' and 'shape'".into());
        };
        let descr = descr
            .as_string()
            .ok_or("records are not supported: 'descr' is not a string")?;
        let (dtype, endianness) = dtype_named(descr, expected)?;
        let sizes = shape
            .as_tuple()
            .ok_or("the header's shape is not a tuple")?
            .iter()
            .map(|size| usize::try_from(size.as_integer()?).ok());
        let sizes: Option<Vec<_>> = sizes.collect();
        Ok(Self {
            dtype,
            endianness,
            shape: sizes.ok_or("the axes have sizes that cannot be addressed")?,
            fortran_order: order
                .as_boolean()
                .ok_or("'fortran_order' is not a truth value")?,
            length: 0,
        })
    }
}

/// Returns the dtype that `descr` names, and its byte order.
fn dtype_named(descr: &str, expected: Option<DType>) -> Result<(DType, Endianness), Reason> {
    // The name under which ml_dtypes saves e5m2, which NumPy itself does not read.
    if matches!(descr, "<f1" | ">f1" | "|f1") {
        return Ok((DType::F8E5M2, Endianness::Irrelevant));
    }
    let name: TypeStr = descr.parse()?;
    Ok((dtype_of(&name, expected)?, name.endianness()))
}

/// Appends that many bytes, or fewer at the end of the file; returns whether all were there.
fn read_on(stream: &mut impl Read, bytes: u64, to: &mut Vec<u8>) -> Result<bool, Reason> {
    let read = stream.by_ref().take(bytes).read_to_end(to)?;
    Ok(u64::try_from(read) == Ok(bytes))
}

/// Refuses more brackets than the braces of the dictionary and the parentheses of the shape, which suffice for an array
/// that is not of records or dates (`<M8[s]`): deeper nesting could overflow the stack of the recursive parser.
fn check_brackets(text: &str) -> Result<(), Reason> {
    let count = |kinds: &[char]| text.matches(kinds).count();
    if count(&['(', ')']) == 2 && count(&['[', ']']) == 0 && count(&['{', '}']) == 2 {
        return Ok(());
    }
    let elements = if text.contains("M8[") {
        "dates are not supported; NumPy's `a.astype('i8')` makes integers of them"
    } else if text.contains("m8[") {
        "spans of time are not supported; NumPy's `a.astype('i8')` makes integers of them"
    } else {
        "records are not supported; save each field as an array"
    };
    Err(format!("not the header of a plain array: {elements}").into())
}
