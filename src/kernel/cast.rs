//! Conversion between dtypes, with the semantics of `dtype/cast.rs`.
//!
//! Conversions between all pairs of dtypes are made of about 80 loops; a conversion is a chain of at most four. Small
//! floats are decoded to `f32` and encoded from it. Complex numbers are made from their real part, and give it. Integers, `f32`
//! and `f64` are converted into one another directly. On the way to a small float, values are rounded to odd
//! into `f32`, so that the conversion rounds once.
#![allow(unsafe_code, reason = "loops over raw memory")]
#![expect(
    clippy::as_conversions,
    reason = "conversions of elements, which `as` defines"
)]

use std::borrow::Cow;
use std::sync::OnceLock;

use super::drive::block::CastChain;
use super::elementwise::ElementwisePlan;
use crate::array::{Array, OpResult};
use crate::dtype::cast::{bf16_bits, bf16_to_f32, f32_to_bf16, f32_to_f16, round_to_bf16};
use crate::dtype::float8::{Float8, dispatch_float8};
use crate::dtype::format::{self, is_exact};
use crate::dtype::odd::{
    f64_to_f32_odd, i32_to_f32_odd, i64_to_f32_odd, u32_to_f32_odd, u64_to_f32_odd,
};
use crate::dtype::{DType, Kind, c64, c128, compute_dtype};
use crate::error::Error;
use crate::simd::{self, Isa, SimdLevel};
use crate::simd::{
    Body, Kernel, LANES, black_box_usize, each_pack, for_level, for_types, lanes, load, map1, store,
};

/// Conversion chains by SIMD level and dtypes: computing a chain takes longer than converting a small array.
pub(super) struct CastCache([[[OnceLock<Vec<Kernel>>; DTYPES]; DTYPES]; SimdLevel::COUNT]);

const DTYPES: usize = DType::ALL.len();

impl CastCache {
    pub(super) const fn new() -> Self {
        Self([const { [const { [const { OnceLock::new() }; DTYPES] }; DTYPES] }; SimdLevel::COUNT])
    }

    #[inline]
    pub(super) fn get(
        &'static self,
        from: DType,
        to: DType,
        find: fn(DType, DType) -> Vec<Kernel>,
    ) -> CastChain {
        let found = &self.0[simd::level().index()][from.index()][to.index()];
        found.get_or_init(|| find(from, to))
    }
}

/// Returns the chain from elements of one dtype to those of another.
#[inline]
pub(super) fn chain(from: DType, to: DType) -> CastChain {
    static CACHE: CastCache = CastCache::new();
    if from == to {
        return &[];
    }
    CACHE.get(from, to, steps)
}

fn steps(from: DType, to: DType) -> Vec<Kernel> {
    let (mut chain, mut from) = (Vec::with_capacity(4), from);
    while let Some((kernel, result)) = step(from, to) {
        chain.push(kernel);
        from = result;
    }
    chain
}

/// Returns the chain from elements of one dtype to the compute type of another, rounded to that dtype.
#[inline]
pub(super) fn chain_to_compute(from: DType, compute: DType) -> CastChain {
    static CACHE: CastCache = CastCache::new();
    if compute_dtype(compute) == compute {
        return chain(from, compute);
    }
    CACHE.get(from, compute, |from, compute| {
        let mut chain = steps(from, compute);
        // The last step would encode, to be decoded again at once; rounding replaces both, if the conversion is not
        // exact.
        if chain.pop().is_none() {
            return decode(compute).into_iter().collect();
        }
        if !is_exact(from, compute) {
            chain.extend(round(compute));
        }
        chain
    })
}

/// Returns the chain from the compute type of a dtype to its elements.
#[inline]
pub(super) fn chain_from_compute(compute: DType) -> CastChain {
    chain(compute_dtype(compute), compute)
}

/// Returns the first loop of a conversion and the dtype of its results; `None` if the bytes stay the same.
pub(super) fn step(from: DType, to: DType) -> Option<(Kernel, DType)> {
    use DType::{Bool, C64, C128, F32, F64};
    if from == to {
        return None;
    }
    if let Some(kernel) = decode(from) {
        return Some((kernel, F32));
    }
    if to == Bool {
        return Some((truth(from), Bool));
    }
    match (from, to) {
        (C64, C128) => {
            return Some((map1(|z: c64| c128::new(z.re.into(), z.im.into())), C128));
        }
        (C128, C64) => return Some((map1(|z: c128| c64::new(z.re as f32, z.im as f32)), C64)),
        (C64, _) => return Some((map1(|z: c64| z.re), F32)),
        (C128, _) => return Some((map1(|z: c128| z.re), F64)),
        (F32, C64) => return Some((for_level::<RealToC64>(), C64)),
        (F64, C128) => return Some((map1(|x: f64| c128::new(x, 0.0)), C128)),
        (_, C64) => return step(from, F32),
        (_, C128) => return step(from, F64),
        _ => {}
    }
    if let Some(encode) = encode(to) {
        if from == F32 {
            return Some((encode, to));
        }
        return match to_f32_odd(from) {
            Some(odd) => Some((odd, F32)),
            None => step(from, F32),
        };
    }
    between(from, to).map(|kernel| (kernel, to))
}

/// Decodes half precision, with an intrinsic.
struct DecodeF16;
/// Encodes half precision, with an intrinsic.
struct EncodeF16;

/// Makes complex numbers of their real parts.
struct RealToC64;

/// Rounds `f32` to half precision and back.
struct RoundF16;

impl Body for RealToC64 {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` `f32` to read and `len` `c64` to write. The bits of a `f32` are a `u32`.
        unsafe {
            each_pack((*inputs).cast::<u32>(), output, len, |re| {
                // The imaginary part is +0, whose bits are zeros. LLVM widens integers by vectors, and interleaves floats one by one.
                let wide: [u64; LANES] = lanes(|lane| match cfg!(target_endian = "little") {
                    true => u64::from(re[lane]),
                    false => u64::from(re[lane]) << 32,
                });
                bytemuck::cast::<_, [c64; LANES]>(wide)
            });
        }
    }
}

impl Body for RoundF16 {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` `f32` to read and to write, and a processor with `I`.
        unsafe {
            each_pack((*inputs).cast::<f32>(), output, len, |values| {
                I::decode_f16(I::encode_f16(values))
            });
        }
    }
}

impl Body for DecodeF16 {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` 16-bit elements to read, `len` `f32` to write, and a processor with
        // `I`.
        unsafe {
            each_pack((*inputs).cast::<u16>(), output, len, |bits| {
                I::decode_f16(bits)
            });
        }
    }
}

impl Body for EncodeF16 {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` `f32` to read, `len` 16-bit elements to write, and a processor with
        // `I`.
        unsafe {
            let from = (*inputs).cast::<f32>();
            if len == 1 {
                // The last step of a sum: faster as a single element than as a pack.
                return output.cast::<u16>().write(f32_to_f16(from.read()));
            }
            each_pack(from, output, len, |values| I::encode_f16(values));
        }
    }
}

struct EncodeBf16;

impl Body for EncodeBf16 {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` `f32` to read, `len` 16-bit elements to write, and a processor with
        // `I`. Whole packs are handled while `LANES` elements are left, then single ones while `done < len`.
        unsafe {
            let (from, to) = ((*inputs).cast::<f32>(), output.cast::<u16>());
            let mut done = 0;
            while len - done >= LANES {
                let values: [f32; LANES] = load(from.add(done));
                let words = lanes(|lane| bf16_bits(values[lane], true));
                store(to.add(done), I::upper_halves(words));
                done = black_box_usize(done + LANES);
            }
            while done < len {
                to.add(done).write(f32_to_bf16(from.add(done).read()));
                done = black_box_usize(done + 1);
            }
        }
    }
}

/// Returns the loop that decodes a small float to `f32`, exactly.
pub(super) fn decode(from: DType) -> Option<Kernel> {
    Some(match from {
        DType::F16 => for_level::<DecodeF16>(),
        DType::BF16 => map1(bf16_to_f32),
        _ => dispatch_float8!(from, E => map1(E::decode), _ => return None),
    })
}

/// Returns the loop that rounds `f32` to a small float.
pub(super) fn encode(to: DType) -> Option<Kernel> {
    Some(match to {
        DType::F16 => for_level::<EncodeF16>(),
        DType::BF16 => for_level::<EncodeBf16>(),
        _ => dispatch_float8!(to, E => map1(E::encode), _ => return None),
    })
}

/// Returns the loop that does what [`encode`] and then [`decode`] do.
pub(super) fn round(to: DType) -> Option<Kernel> {
    Some(match to {
        DType::F16 => for_level::<RoundF16>(),
        DType::BF16 => map1(round_to_bf16),
        _ => dispatch_float8!(to, E => map1(E::round), _ => return None),
    })
}

/// Returns the loop that rounds to odd into `f32`, for dtypes with values that `f32` does not represent.
fn to_f32_odd(from: DType) -> Option<Kernel> {
    Some(match from {
        DType::I32 => map1(i32_to_f32_odd),
        DType::U32 => map1(u32_to_f32_odd),
        DType::I64 => map1(i64_to_f32_odd),
        DType::U64 => map1(u64_to_f32_odd),
        DType::F64 => map1(f64_to_f32_odd),
        _ => return None,
    })
}

/// Returns the loop that tests for zero, from any dtype except small floats.
fn truth(from: DType) -> Kernel {
    for_types!(from, T in [
        DType::U16 | DType::I16 => u16, DType::U32 | DType::I32 => u32, DType::U64 | DType::I64 => u64,
    ] => map1(|x: T| x != 0), _ => match from {
        DType::F32 => map1(|x: f32| x != 0.0),
        DType::F64 => map1(|x: f64| x != 0.0),
        DType::C64 => map1(|z: c64| z.re != 0.0 || z.im != 0.0),
        DType::C128 => map1(|z: c128| z.re != 0.0 || z.im != 0.0),
        _ => map1(|x: u8| x != 0),
    })
}

/// Returns the loop between booleans, integers, `f32` and `f64`, but not to booleans; `None` if the bytes stay the
/// same.
fn between(from: DType, to: DType) -> Option<Kernel> {
    // A boolean is the integer 0 or 1; the sign of an integer only matters for wider results.
    let from = if from == DType::Bool { DType::U8 } else { from };
    let (from, to) = match (from.kind(), to.kind()) {
        (Kind::Float, _) | (_, Kind::Float) => (from, to),
        _ if to.size() > from.size() => (from, to.bits_dtype()),
        _ => (from.bits_dtype(), to.bits_dtype()),
    };
    macro_rules! loops {
        ($($from:ident $f:ident => [$($to:ident $t:ident),*];)*) => {
            match (from, to) {
                $($((DType::$from, DType::$to) => Some(map1(|x: $f| <$t as format::Format>::convert(x))),)*)*
                _ => None,
            }
        };
    }
    loops! {
        U8 u8 => [U16 u16, U32 u32, U64 u64, F32 f32, F64 f64];
        U16 u16 => [U8 u8, U32 u32, U64 u64, F32 f32, F64 f64];
        U32 u32 => [U8 u8, U16 u16, U64 u64, F32 f32, F64 f64];
        U64 u64 => [U8 u8, U16 u16, U32 u32, F32 f32, F64 f64];
        I8 i8 => [U16 u16, U32 u32, U64 u64, F32 f32, F64 f64];
        I16 i16 => [U32 u32, U64 u64, F32 f32, F64 f64];
        I32 i32 => [U64 u64, F32 f32, F64 f64];
        I64 i64 => [F32 f32, F64 f64];
        F32 f32 => [U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F64 f64];
        F64 f64 => [U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32];
    }
}

/// Converts every element; `dtype/cast.rs` defines the values. An owned array with elements of the same size gives
/// its memory to the result.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[inline(always)] // Inlined, so that the array is written where the caller keeps it, and not moved there.
pub(crate) fn cast(x: Cow<'_, Array>, to: DType) -> Result<Array, Error> {
    if x.dtype() == to {
        return Ok(x.into_owned());
    }
    converted(x, to).array()
}

/// Casts the result of an operation, which has dtype `from`, to another dtype.
#[inline]
pub(super) fn cast_result(made: OpResult, from: DType, to: DType) -> OpResult {
    if from == to {
        return made;
    }
    match made.array() {
        Ok(array) => converted(Cow::Owned(array), to),
        Err(error) => error.into(),
    }
}

#[inline(never)]
fn converted(x: Cow<'_, Array>, to: DType) -> OpResult {
    let chain = chain(x.dtype(), to);
    by_chain(x, chain, to)
}

/// Runs a chain over an array; its results have the dtype `to`.
pub(super) fn by_chain(x: Cow<'_, Array>, chain: CastChain, to: DType) -> OpResult {
    // The last step writes the result.
    let (kernel, before) = match chain.split_last() {
        Some((last, before)) => (*last, before),
        None => (copy(to), chain),
    };
    ElementwisePlan::plain(kernel, to, 1).run_alone(x, before)
}

/// Copies the elements to new memory, in row-major order.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn copied(x: &Array) -> Result<Array, Error> {
    let apply = ElementwisePlan::plain(copy(x.dtype()), x.dtype(), 1);
    apply.run_alone(Cow::Borrowed(x), &[]).array()
}

/// Returns the loop that copies elements.
pub(super) fn copy(dtype: DType) -> Kernel {
    simd::copy(dtype.size())
}
