//! Functions of `f32` that use a fused multiply-add give the same bits where the processor has none.

use super::functions::sample;
use crate::dtype::compute::{by_instruction_set, elu, exp_or_zero};
use crate::simd::{Baseline, Isa, LANES};

/// An instruction set whose fused multiply-add rounds once, on every processor.
struct RoundedOnce;

#[expect(unsafe_code, reason = "conversions that are not called")]
impl Isa for RoundedOnce {
    const REGISTER_BYTES: usize = Baseline::REGISTER_BYTES;
    unsafe fn decode_f16(_: [u16; LANES]) -> [f32; LANES] {
        unreachable!("functions of `f32` decode nothing")
    }
    unsafe fn encode_f16(_: [f32; LANES]) -> [u16; LANES] {
        unreachable!("functions of `f32` encode nothing")
    }
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// The functions that use a fused multiply-add.
fn with_mul_add<I: Isa>() -> Vec<(&'static str, fn(f32) -> f32)> {
    let mut functions = by_instruction_set::<I>();
    functions.push(("exp_or_zero", |x| exp_or_zero::<I>(-x.abs())));
    functions.push(("elu of 1", |x| elu::<I>(-x.abs(), 1.0)));
    functions.push(("elu of 1.67", |x| elu::<I>(-x.abs(), 1.673_263_2)));
    functions.push(("elu of 1e-30", |x| elu::<I>(-x.abs(), 1e-30)));
    functions
}

/// Compares the functions with a fused multiply-add, which rounds once, and with that of the baseline, which may round twice.
#[track_caller]
fn assert_second_roundings_change_nothing(arguments: impl Iterator<Item = f32> + Clone) {
    let functions = with_mul_add::<RoundedOnce>();
    for ((name, once), (_, twice)) in functions.iter().zip(with_mul_add::<Baseline>()) {
        for x in arguments.clone() {
            let (once, twice) = (once(x), twice(x));
            assert!(
                once.to_bits() == twice.to_bits() || once.is_nan() && twice.is_nan(),
                "{name}({x:e}) is {once:e}, and {twice:e} without fused multiply-add"
            );
        }
    }
}

#[test]
fn second_roundings_change_nothing() {
    assert_second_roundings_change_nothing(sample().into_iter());
}

#[test]
#[ignore = "ten minutes in release: every `f32`"]
fn second_roundings_change_nothing_of_all_arguments() {
    assert_second_roundings_change_nothing((0..=u32::MAX).map(f32::from_bits));
}
