//! Mapped files: the one place where the library calls on memory that other processes can change.
#![allow(unsafe_code, reason = "mapping a file is unsafe")]

use core::ops::Range;
use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::Mmap;

/// The bytes of a file, read by the system when they are touched.
///
/// # Safety
/// Nobody changes or truncates the file while the mapping exists.
pub(super) unsafe fn map(file: &File) -> io::Result<Arc<Mmap>> {
    // SAFETY: the caller's.
    Ok(Arc::new(unsafe { Mmap::map(file)? }))
}

/// A part of a mapped file, which keeps the mapping.
pub(super) struct Part {
    map: Arc<Mmap>,
    range: Range<usize>,
}

impl Part {
    /// `None` if it is not within the file.
    pub(super) fn new(map: &Arc<Mmap>, range: Range<usize>) -> Option<Self> {
        map.get(range.clone())?;
        let map = Arc::clone(map);
        Some(Self { map, range })
    }
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}
