//! Blocks of 32 numbers in registers, for AVX2 and for AVX-512. The loops of this folder are written with them.

/// The same operation on each register of a block.
macro_rules! each {
    ($count:literal, |$k:ident| $value:expr, $first:ident) => {{
        let mut out = $first;
        let mut $k = 0;
        while $k < $count {
            out[$k] = $value;
            $k += 1;
        }
        out
    }};
}

mod avx2;
mod avx512;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;

/// Numbers in a block.
pub(crate) const BLOCK: usize = 32;

/// An instruction set. Everything is for blocks of [`BLOCK`] numbers.
///
/// # Safety
/// All functions need a processor with the instruction set, loads and stores a block of memory at the pointer.
/// With `STREAM` a store goes past the caches, and the pointer has the alignment of a cache line.
pub(crate) trait Simd {
    type Floats: Copy;
    /// A block of `f64`, for sums.
    type Doubles: Copy;

    unsafe fn splat(value: f32) -> Self::Floats;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn sub(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn mul_add(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn abs(a: Self::Floats) -> Self::Floats;
    unsafe fn copy_sign(a: Self::Floats, sign: Self::Floats) -> Self::Floats;
    /// `a` where it is greater than `b`, else 0.
    unsafe fn where_greater(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// To the nearest integer.
    unsafe fn round(a: Self::Floats) -> Self::Floats;
    /// `a * 2^exponent`, for integers from -126 to 127.
    unsafe fn scale(a: Self::Floats, exponent: Self::Floats) -> Self::Floats;
    unsafe fn sum(a: Self::Floats) -> f32;
    unsafe fn maximum(a: Self::Floats) -> f32;

    unsafe fn widen(a: Self::Floats) -> Self::Doubles;
    unsafe fn splat_f64(value: f64) -> Self::Doubles;
    unsafe fn add_f64(a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    unsafe fn sub_f64(a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    unsafe fn mul_f64(a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;
    unsafe fn sum_f64(a: Self::Doubles) -> f64;
    unsafe fn load_f64(from: *const f64) -> Self::Doubles;
    unsafe fn store_f64(to: *mut f64, a: Self::Doubles);

    unsafe fn round_f16(a: Self::Floats) -> Self::Floats;
    unsafe fn round_bf16(a: Self::Floats) -> Self::Floats;

    unsafe fn load_f32(from: *const f32) -> Self::Floats;
    unsafe fn load_f16(from: *const u16) -> Self::Floats;
    unsafe fn load_bf16(from: *const u16) -> Self::Floats;
    unsafe fn load_u8(from: *const u8) -> Self::Floats;
    unsafe fn load_i32(from: *const i32) -> Self::Floats;

    unsafe fn store_f32<const STREAM: bool>(to: *mut f32, a: Self::Floats);
    unsafe fn store_f16<const STREAM: bool>(to: *mut u16, a: Self::Floats);
    unsafe fn store_bf16<const STREAM: bool>(to: *mut u16, a: Self::Floats);
    unsafe fn store_f8<const STREAM: bool>(to: *mut u8, a: Self::Floats);

    unsafe fn add_i8_u8<const STREAM: bool>(to: *mut i16, a: *const i8, b: *const u8);
    unsafe fn truncate_i32<const STREAM: bool>(to: *mut u8, from: *const i32);

    /// The side of the square that `transpose` takes, which is a cache line on AVX-512 and half of one on AVX2.
    const SIDE: usize;
    /// `to[i][j] = a[j][i] + b[i][j]` for a square; the strides are in elements.
    unsafe fn add_transposed<const STREAM: bool>(
        to: *mut f32,
        a: *const f32,
        b: *const f32,
        stride: usize,
    );
}
