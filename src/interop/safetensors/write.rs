//! Writes tensors to a file.

use core::cmp::Reverse;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;

use safetensors::tensor::{Metadata, TensorInfo};

use super::super::AnyTensor;
use super::super::byte_order::swap;
use super::super::file::Reason;
use super::dtype::name_of;
use super::header::{METADATA, PREFIX};
use crate::array::Array;
use crate::array::alloc::vec_of;
use crate::error::Error;
use crate::exec;

/// Writes the header, then the tensors: those with the widest elements first, as the crate does, so that all are
/// aligned.
pub(super) fn write(
    file: &mut impl Write,
    tensors: &[(&str, &dyn AnyTensor)],
    metadata: &[(&str, &str)],
) -> Result<(), Reason> {
    let mut named = BTreeSet::new();
    let mut entries = Vec::new();
    for (name, tensor) in tensors {
        let within = |reason: &str| Reason::from(reason).within(name);
        if *name == METADATA {
            return Err(within("the format has that name for its metadata"));
        }
        if !named.insert(*name) {
            return Err(within("there are two of that name"));
        }
        let tensor = tensor.to_dyn();
        let dtype = name_of(tensor.dtype()).ok_or_else(|| {
            let dtype = tensor.dtype();
            within(&format!("the format has no {dtype}; `.npy` files have"))
        })?;
        entries.push((*name, dtype, tensor));
    }
    entries.sort_by_key(|(name, dtype, _)| (Reverse(*dtype), *name));
    let mut end = 0;
    let infos = entries.iter().map(|(name, dtype, tensor)| {
        let start = end;
        end += tensor.len() * tensor.dtype().size();
        let info = TensorInfo {
            dtype: *dtype,
            shape: tensor.shape().to_vec(),
            data_offsets: (start, end),
        };
        ((*name).to_owned(), info)
    });
    let infos = infos.collect();
    let pairs = metadata
        .iter()
        .map(|(key, value)| ((*key).into(), (*value).into()));
    let metadata = (!metadata.is_empty()).then(|| pairs.collect::<HashMap<_, _>>());
    let mut header = serde_json::to_vec(&Metadata::new(metadata, infos)?)?;
    header.resize(header.len().next_multiple_of(PREFIX), b' ');
    file.write_all(&u64::try_from(header.len())?.to_le_bytes())?;
    file.write_all(&header)?;
    for (_, _, tensor) in &entries {
        file.write_all(&little_endian(tensor.array())?)?;
    }
    Ok(())
}

fn little_endian(array: &Array) -> Result<Cow<'_, [u8]>, Reason> {
    const NOT_CONTIGUOUS: &str = "elements that are not contiguous";
    if cfg!(target_endian = "little")
        && let Some(bytes) = array.as_bytes()
    {
        return Ok(Cow::Borrowed(bytes));
    }
    let row_major = exec::row_major(array)?;
    let mut bytes = vec_of(row_major.as_bytes().ok_or(NOT_CONTIGUOUS)?).map_err(Error::from)?;
    if cfg!(target_endian = "big") {
        swap(&mut bytes, array.dtype());
    }
    Ok(Cow::Owned(bytes))
}
