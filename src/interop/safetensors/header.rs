//! The header of a file, with the checks that the crate `safetensors` leaves to its caller.

use core::fmt;
use std::collections::{BTreeSet, HashMap};

use safetensors::tensor::{Metadata, TensorInfo};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::super::file::Reason;

/// The longest header that the format's own reader accepts, in bytes.
const LONGEST: u64 = 100_000_000;
/// The number of bytes before the header, which hold its length.
pub(super) const PREFIX: usize = 8;
/// The header's key of the metadata, which is not a tensor.
pub(super) const METADATA: &str = "__metadata__";

/// Decodes the length of the header from the prefix of a file with `file` bytes.
pub(super) fn length(prefix: [u8; PREFIX], file: u64) -> Result<usize, Reason> {
    let length = u64::from_le_bytes(prefix);
    let there = file.saturating_sub(u64::try_from(PREFIX)?);
    if length > there {
        return Err(format!(
            "not a .safetensors file, or truncated: a header of {length} bytes, and {there} are there"
        )
        .into());
    }
    if length > LONGEST {
        return Err(format!("a header of {length} bytes; {LONGEST} are the most").into());
    }
    Ok(usize::try_from(length)?)
}

/// Decodes the header, and checks that its tensors account for all bytes of the file. (The crate adds their lengths
/// unchecked; with overflow checks it panics if the sum overflows.)
pub(super) fn parse(header: &[u8], file: u64) -> Result<Metadata, Reason> {
    let Header {
        metadata,
        mut tensors,
    } = serde_json::from_slice(header)?;
    // The crate checks then that each tensor begins where the previous one ends, and has the bytes that its shape
    // needs.
    tensors.sort_by_key(|(_, info)| info.data_offsets);
    let metadata = Metadata::new(metadata, tensors)?;
    let data = u64::try_from(metadata.data_len())?;
    let before = u64::try_from(PREFIX + header.len())?;
    if before.checked_add(data) != Some(file) {
        return Err(format!(
            "the header says that {data} bytes of tensors follow, and {} do",
            file.saturating_sub(before)
        )
        .into());
    }
    Ok(metadata)
}

/// A header as written in the file. The crate's own type would keep the last of tensors with the same name.
struct Header {
    metadata: Option<HashMap<String, String>>,
    tensors: Vec<(String, TensorInfo)>,
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Header {
            metadata: None,
            tensors: Vec::new(),
        })
    }
}

impl<'de> Visitor<'de> for Header {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensors by name")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                let pairs: Option<Pairs> = map.next_value()?;
                self.metadata = pairs.map(|Pairs(pairs)| pairs);
            } else {
                self.tensors.push((name.clone(), map.next_value()?));
            }
            once(names.replace(name))?;
        }
        Ok(self)
    }
}

/// The metadata: pairs of strings.
#[derive(Default)]
struct Pairs(HashMap<String, String>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for Pairs {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("strings by name")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some((key, value)) = map.next_entry::<String, String>()? {
            let former = self.0.insert(key.clone(), value);
            once(former.map(|_| key))?;
        }
        Ok(self)
    }
}

/// Refuses a repeated name.
fn once<E: Error>(former: Option<String>) -> Result<(), E> {
    match former {
        Some(name) => Err(E::custom(format!("there are two of the name `{name}`"))),
        None => Ok(()),
    }
}
