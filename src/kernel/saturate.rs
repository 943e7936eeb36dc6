//! Conversions of real numbers that saturate: integers do not wrap, and floats do not overflow.
//!
//! A conversion to a float saturates between its two roundings: values are rounded to odd into the dtype in which the float is
//! computed, clamped to its largest finite number, and rounded. Integers are clamped before they are converted. Floats saturate
//! in every conversion to integers.

use std::borrow::Cow;

use super::cast::{self, CastCache};
use crate::array::Array;
use crate::dtype::float8::dispatch_float8;
use crate::dtype::format::Format;
use crate::dtype::{DType, Kind, Loss, bf16, compute_dtype, f16};
use crate::error::Error;
use crate::simd::{Kernel, map1};

/// The name in messages.
const OPERATION: &str = "cast_saturating";

/// Returns whether a conversion has to clamp.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, which have no order.
pub(crate) fn saturates(from: DType, to: DType) -> Result<bool, Error> {
    match (from.kind(), to.kind()) {
        (Kind::Complex, _) => Err(unsupported(from)),
        (_, Kind::Complex) => Err(unsupported(to)),
        (_, Kind::Bool) => Ok(false),
        (Kind::Float, Kind::Unsigned | Kind::Signed) => Ok(false),
        // Infinities, too.
        (Kind::Float, Kind::Float) => Ok(true),
        (Kind::Bool | Kind::Unsigned | Kind::Signed, _) => Ok(from.loss_to(to) == Loss::Range),
    }
}

fn unsupported(dtype: DType) -> Error {
    Error::UnsupportedDType {
        operation: OPERATION,
        dtype,
    }
}

/// Converts every element. A value beyond the finite numbers of the dtype becomes the nearest of them. An owned array
/// with elements of the same size gives its memory to the result.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
pub(crate) fn cast_saturating(x: Cow<'_, Array>, to: DType) -> Result<Array, Error> {
    static CACHE: CastCache = CastCache::new();
    let from = x.dtype();
    if !saturates(from, to)? {
        return cast::cast(x, to);
    }
    let chain = CACHE.get(from, to, |from, to| {
        steps(from, to)
            .into_iter()
            .map(|(kernel, _)| kernel)
            .collect()
    });
    cast::by_chain(x, chain, to).array()
}

/// Returns the loops of a conversion that [`saturates`], each with the dtype of its results.
pub(super) fn steps(from: DType, to: DType) -> Vec<(Kernel, DType)> {
    if to.kind() != Kind::Float {
        return integer(from, to)
            .map(|kernel| (kernel, to))
            .into_iter()
            .collect();
    }
    let compute = compute_dtype(to);
    let (mut steps, mut at) = (Vec::with_capacity(4), from);
    while at != compute {
        let next = match at == to {
            true => cast::decode(to).map(|kernel| (kernel, compute)),
            false => cast::step(at, to),
        };
        let Some((kernel, dtype)) = next else {
            break;
        };
        steps.push((kernel, dtype));
        at = dtype;
    }
    steps.push((clamp(to), compute));
    if to.is_small_float() {
        steps.extend(cast::encode(to).map(|kernel| (kernel, to)));
    }
    steps
}

/// Returns the loop that clamps to the finite numbers of a float, in its compute dtype.
fn clamp(to: DType) -> Kernel {
    match to {
        DType::F64 => map1(|x: f64| f64::saturate(x)),
        DType::F16 => map1(|x: f32| f16::saturate(x)),
        DType::BF16 => map1(|x: f32| bf16::saturate(x)),
        _ => {
            dispatch_float8!(to, E => map1(|x: f32| E::saturate(x)), _ => map1(|x: f32| f32::saturate(x)))
        }
    }
}

/// Returns the loop from one integer dtype to another that lacks some of its values.
fn integer(from: DType, to: DType) -> Option<Kernel> {
    macro_rules! loops {
        ($($from:ident $f:ident => [$($to:ident $t:ident),*];)*) => {
            match (from, to) {
                $($((DType::$from, DType::$to) => Some(map1(|x: $f| $t::saturate(x))),)*)*
                _ => None,
            }
        };
    }
    loops! {
        U8 u8 => [I8 i8];
        U16 u16 => [U8 u8, I8 i8, I16 i16];
        U32 u32 => [U8 u8, U16 u16, I8 i8, I16 i16, I32 i32];
        U64 u64 => [U8 u8, U16 u16, U32 u32, I8 i8, I16 i16, I32 i32, I64 i64];
        I8 i8 => [U8 u8, U16 u16, U32 u32, U64 u64];
        I16 i16 => [U8 u8, U16 u16, U32 u32, U64 u64, I8 i8];
        I32 i32 => [U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16];
        I64 i64 => [U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32];
    }
}
