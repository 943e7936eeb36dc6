//! The limit: each workload as a loop by hand, for AVX2 and for AVX-512, with ordinary stores or with stores past the
//! caches.
//!
//! They are written for speed alone: operands are contiguous, their sizes are multiples of 64, and outputs start at a
//! cache line. Dtypes of 16 bits are decoded in registers. Operations in such a dtype round their results, as the
//! library does.
#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    clippy::as_conversions,
    reason = "loops over raw pointers and intrinsics; the safe functions around them check sizes and processor"
)]

mod loops;
mod simd;

pub(crate) use loops::*;

/// An instruction set, by the library's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isa {
    V3,
    V4,
}

impl Isa {
    pub(crate) const ALL: [Self; 2] = [Self::V4, Self::V3];

    /// Its name in `SUPREMUM_ISA`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::V3 => "v3",
            Self::V4 => "v4",
        }
    }

    pub(crate) fn is_there(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        match self {
            Self::V3 => has!("avx2") && has!("fma") && has!("f16c"),
            Self::V4 => {
                Self::V3.is_there()
                    && has!("avx512f")
                    && has!("avx512bw")
                    && has!("avx512vl")
                    && has!("avx512dq")
            }
        }
    }
}

/// Zeros that start at a cache line, as a loop by hand would have its output.
pub(crate) struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    of: std::marker::PhantomData<T>,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl<T: bytemuck::Pod> Aligned<T> {
    pub(crate) fn new(len: usize) -> Self {
        let lines = vec![Line([0; 64]); (len * size_of::<T>()).div_ceil(64)];
        Self {
            lines,
            len,
            of: std::marker::PhantomData,
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the lines have as many bytes, aligned for every number, and any bytes are a `T`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}
