//! Conversions.

use super::{CheckOf, check, check_baseline, check_once, lend, sources_of, values};
use crate::array::Array;
use crate::dtype::{DType, Kind, StaticDType, for_each_marker};
use crate::kernel::fused::{Cast, Input, Loop, LoopBody, LoopExpression, PackByPack};
use crate::kernel::tests::cast;
use crate::kernel::tests::elementwise::for_each_element;
use crate::kernel::tests::oracle::Oracle;
use crate::simd::Baseline;

check_once! {
    check_cast<To: Oracle, From: Oracle>: Cast<Input<0, From>, To>, Cast::new(Input::NEW);
}

/// Returns whether the elements are read or written by instructions that not every instruction set has.
const fn is_coded_by_level(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16)
}

fn check_cast_by_level<To: Oracle, From: Oracle>(
    arrays: &[&Array],
    expected: &Array,
    context: &str,
) {
    let node = Cast::<_, To>::new(Input::<0, From>::NEW);
    check(((), node), arrays, expected, context);
}

/// Returns the check of a conversion, if it is one of its own.
const fn cast_of<To: Oracle, From: Oracle>() -> Option<CheckOf> {
    if !is_a_conversion_of_its_own(From::DTYPE, To::DTYPE) {
        None
    } else if is_coded_by_level(From::DTYPE) || is_coded_by_level(To::DTYPE) {
        Some(check_cast_by_level::<To, From>)
    } else {
        Some(check_cast::<To, From>)
    }
}

/// Small floats are read as `f32`, and all of them are written from it, rounded to odd: so conversions are the ones from each dtype
/// that is computed with to each, with two small floats to write (of more digits, and of more range), and those that read or write each
/// small float. The compiler takes its time for each.
const fn is_a_conversion_of_its_own(from: DType, to: DType) -> bool {
    use DType::{BF16, Bool, F16, F32, F64, I8, U8};
    let reads_small = matches!(from.kind(), Kind::Float) && from.size() < 4;
    match to {
        BF16 | F16 | F32 => true,
        // Among them those that need no rounding, and those whose NaN has more bits.
        _ if matches!(to.kind(), Kind::Float) && to.size() < 4 => {
            reads_small || matches!(from, Bool | U8 | I8 | F32 | F64)
        }
        _ => !reads_small,
    }
}

fn casts_of<From: Oracle>() {
    macro_rules! casts {
        ($($to:ident)*) => {
            const { &[$((DType::$to, cast_of::<<crate::dtype::$to as StaticDType>::Element, From>())),*] }
        };
    }
    let casts: &[(DType, Option<CheckOf>)] = for_each_marker!(casts);
    check_casts(casts, &values::<From>());
}

fn check_casts(casts: &[(DType, Option<CheckOf>)], x: &Array) {
    for (to, check) in casts {
        if let Some(check) = check {
            let expected = cast(lend(x), *to);
            check(&[x], &expected, &format!("{} to {to}", x.dtype()));
        }
    }
}

#[test]
fn conversions_agree() {
    for_each_element!(casts_of());
}
