//! The header of a file, with the checks that the crate leaves to its caller.

use safetensors::tensor::Metadata;

use super::super::file::Reason;

/// The longest header that the format's own reader accepts, in bytes.
const LONGEST: u64 = 100_000_000;
/// The length of the header stands in so many bytes before it.
pub(super) const PREFIX: usize = 8;

/// How long the header is, from the bytes before it, in a file of so many bytes.
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

/// What the header says, if it accounts for all bytes of the file. (The crate adds these lengths up unchecked: where
/// the lengths of many tensors overflow in sum, it panics with overflow checks.)
pub(super) fn parse(header: &[u8], file: u64) -> Result<Metadata, Reason> {
    let metadata: Metadata = serde_json::from_slice(header)?;
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
