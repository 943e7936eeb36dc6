//! Conversions into small floats round once: right beside each tie, where a conversion to `f32` before would give the tie
//! itself, arrays convert as single elements do. (Those are compared with exact numbers in `tests/dtypes/casts.rs`.)
#![expect(clippy::as_conversions, reason = "floats that are integers")]

use std::borrow::Cow;

use super::elementwise::at_each_level;
use super::oracle::Oracle;
use super::{cast, unary};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Element, bf16, f8e4m3fn, f8e5m2, f16};
use crate::kernel::UnaryOp;
use crate::simd::{SimdLevel, with_level};

/// Signs of floats of 16 bits are changed without a conversion, of NaNs too, whose bits are those of the conversions.
#[test]
fn signs_change_as_in_single_precision() {
    fn check<E: Element>(bits: impl Fn(E) -> u16) {
        let patterns: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
        let all = Array::from_bytes(E::DTYPE, &[1 << 16], &patterns).expect("as many bytes");
        let same = |op: UnaryOp, of: fn(f32) -> f32| {
            let found = unary(op, E::DTYPE, Cow::Borrowed(&all)).to_vec::<E>();
            for (element, found) in all.to_vec::<E>().into_iter().zip(found) {
                let expected = cast_element::<f32, E>(of(cast_element(element)));
                let (element, found, expected) = (bits(element), bits(found), bits(expected));
                assert_eq!(found, expected, "{op:?} of {element:#x}");
            }
        };
        for level in SimdLevel::ALL {
            with_level(level, || same(UnaryOp::Neg, |x| -x));
            with_level(level, || same(UnaryOp::Abs, f32::abs));
        }
    }
    check(f16::to_bits);
    check(bf16::to_bits);
}

/// The ties between neighbours of a small float, with the next `f64` on either side.
fn beside_ties(dtype: DType) -> Vec<f64> {
    let count = 1_usize << (8 * dtype.size() - 1);
    let bits = (0..count).map(usize::to_le_bytes);
    let bytes: Vec<u8> = bits
        .flat_map(|bits| bits.into_iter().take(dtype.size()))
        .collect();
    let positive = Array::from_bytes(dtype, &[count], &bytes).expect("as many bytes");
    let positive = cast(Cow::Owned(positive), DType::F64).to_vec::<f64>();
    let neighbours = positive
        .windows(2)
        .filter(|pair| pair[0].is_finite() && pair[1].is_finite());
    let ties = neighbours.map(|pair| f64::midpoint(pair[0], pair[1]));
    ties.flat_map(|tie| [tie.next_down(), tie, tie.next_up()])
        .flat_map(|number| [number, -number])
        .collect()
}

fn round_as_elements<From: Element, To: Oracle>(numbers: &[From]) {
    let array = Array::from_elements(numbers, &[numbers.len()]).expect("as many elements");
    let found = cast(Cow::Owned(array), To::DTYPE).to_vec::<To>();
    for (number, found) in numbers.iter().zip(found) {
        let expected = cast_element::<From, To>(*number);
        let (from, to) = (From::DTYPE, To::DTYPE);
        assert!(
            To::alike(expected, found),
            "{number:?} of {from} as {to}: expected {expected:?}, found {found:?}"
        );
    }
}

fn rounds_once<To: Oracle>() {
    let floats = beside_ties(To::DTYPE);
    round_as_elements::<f64, To>(&floats);
    // `f32` has every integer below 2^24, and all that are beside a tie below 2^62 are integers of 64 bits.
    let large = floats
        .iter()
        .filter(|x| (2_f64.powi(24)..2_f64.powi(62)).contains(&x.abs()));
    let i64s: Vec<i64> = large.flat_map(|x| [*x as i64 - 1, *x as i64 + 1]).collect();
    let u64s: Vec<u64> = i64s.iter().filter_map(|x| (*x).try_into().ok()).collect();
    let i32s: Vec<i32> = i64s.iter().filter_map(|x| (*x).try_into().ok()).collect();
    let u32s: Vec<u32> = i64s.iter().filter_map(|x| (*x).try_into().ok()).collect();
    if To::DTYPE == DType::BF16 {
        assert!(!i32s.is_empty() && !u32s.is_empty() && u64s.len() > u32s.len());
    }
    round_as_elements::<i64, To>(&i64s);
    round_as_elements::<u64, To>(&u64s);
    round_as_elements::<i32, To>(&i32s);
    round_as_elements::<u32, To>(&u32s);
}

#[test]
fn conversions_into_small_floats_round_once() {
    at_each_level(|| {
        rounds_once::<f8e4m3fn>();
        rounds_once::<f8e5m2>();
        rounds_once::<f16>();
        rounds_once::<bf16>();
    });
}
