//! The byte order of elements.

use crate::dtype::DType;

/// Reverses the bytes of every number; a complex number is two numbers.
pub(super) fn swap(bytes: &mut [u8], dtype: DType) {
    let width = match dtype {
        DType::C64 | DType::C128 => dtype.size() / 2,
        _ => dtype.size(),
    };
    for number in bytes.chunks_exact_mut(width) {
        number.reverse();
    }
}
