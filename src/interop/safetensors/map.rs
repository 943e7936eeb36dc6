//! Memory-mapped files: the only memory in the library that other processes can change.
#![allow(unsafe_code, reason = "mapping a file is unsafe")]

use core::ops::Range;
use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::Mmap;

/// Maps a file into memory; the system reads its pages on first access.
///
/// # Safety
/// No process changes or truncates the file while the mapping exists.
pub(super) unsafe fn map(file: &File) -> io::Result<Arc<Mmap>> {
    // SAFETY: the caller guarantees that no process changes or truncates the file while the mapping exists (see #
    // Safety).
    Ok(Arc::new(unsafe { Mmap::map(file)? }))
}

/// A part of a mapped file; it keeps the mapping alive.
pub(super) struct MappedRange {
    map: Arc<Mmap>,
    range: Range<usize>,
}

impl MappedRange {
    /// Returns `None` if the range is not within the file.
    pub(super) fn new(map: &Arc<Mmap>, range: Range<usize>) -> Option<Self> {
        map.get(range.clone())?;
        let map = Arc::clone(map);
        Some(Self { map, range })
    }
}

impl AsRef<[u8]> for MappedRange {
    fn as_ref(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Write;

    use memmap2::MmapOptions;

    use super::*;
    use crate::array::Array;
    use crate::dtype::DType;
    use crate::dynamic::DynTensor;
    use crate::error::Error;
    use crate::exec::copied;
    use crate::rules::{AllowUnsafe, Numpy, Rules};

    /// The library's own memory is padded, but external memory may end at an unmapped page. Here the file ends there,
    /// so reading one byte more ends the process.
    #[test]
    fn nothing_is_read_behind_foreign_memory() {
        /// A multiple of every page size.
        const LEN: usize = 1 << 16;
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(&[1; LEN]).expect("room for it");
        // SAFETY: the file is temporary and only this test has it open, so nobody changes or truncates it. The bytes
        // behind its end must not be read; reading one ends the process, and so fails the test.
        let map = unsafe { MmapOptions::new().len(2 * LEN).map(&file) };
        let map = Arc::new(map.expect("it can be mapped"));
        let last = |dtype: DType, shape: &[usize]| {
            let bytes = shape.iter().product::<usize>() * dtype.size();
            let part = MappedRange::new(&map, LEN - bytes..LEN).expect("it is within the file");
            let array = Array::external(dtype, shape, part).expect("ones are elements");
            let lies = array.as_ptr().addr() + bytes;
            assert_eq!(lies, map.as_ptr().addr() + LEN, "it was not copied");
            DynTensor::from_array(array, false, AllowUnsafe::<Numpy>::rule_set())
        };
        for dtype in DType::ALL.iter().copied() {
            for len in (1..20).chain([31, 33, 65, 513]) {
                let t = last(dtype, &[len]);
                let own = DynTensor::from_bytes(dtype, [len], &vec![1; len * dtype.size()])
                    .expect("as many bytes")
                    .with_rules(t.rules());
                // Bytes, which take less time than their text.
                let noted = |t: DynTensor| {
                    let array = copied(t.array()).expect("there is memory");
                    let bytes = array.as_bytes().expect("a copy is contiguous").to_vec();
                    (t.dtype(), t.shape().to_vec(), bytes)
                };
                for to in DType::ALL.iter().copied() {
                    assert_eq!(
                        noted(t.cast(to)),
                        noted(own.cast(to)),
                        "{dtype} {len} to {to}"
                    );
                }
                for result in [
                    (t.try_add(&t), own.try_add(&own)),
                    (t.try_mul(2), own.try_mul(2)),
                    (t.try_lt(&own), own.try_lt(&own)),
                    (t.try_sum(), own.try_sum()),
                    (t.try_max(), own.try_max()),
                    (t.try_cumsum(0), own.try_cumsum(0)),
                    (t.exp(), own.exp()),
                    (t.try_dot(&t), own.try_dot(&own)),
                    (t.try_flip(0), own.try_flip(0)),
                ] {
                    let noted = |result: Result<DynTensor, Error>| {
                        result.map(noted).map_err(|error| error.to_string())
                    };
                    assert_eq!(noted(result.0), noted(result.1), "{dtype} {len}");
                }
            }
            let matrix = last(dtype, &[33, 17]);
            let turned = matrix.transpose();
            assert!(turned.try_matmul(&matrix).is_ok() || dtype == DType::Bool);
            assert_eq!(turned.cast(DType::C128).shape(), [17, 33]);
        }
    }
}
