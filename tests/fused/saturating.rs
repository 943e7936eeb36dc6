//! `cast_saturating` in expressions gives what it gives alone, which `tests/dtypes/saturating.rs` judges.

use supremum::prelude::*;

/// Extremes, values around the bounds of the 8-bit dtypes, and special values.
fn floats() -> Vec<f64> {
    let around = [
        0.0, 0.5, 30.0, 31.0, 127.5, 240.0, 248.0, 255.5, 448.0, 464.0, 465.0, 57344.0, 61440.0,
        65504.0, 65520.0,
    ];
    let large = [
        2e9,
        5e9,
        1e19,
        2e19,
        3.4028234e38,
        3.5e38,
        f64::MAX,
        f64::INFINITY,
    ];
    let positive = around.into_iter().chain(large);
    positive.flat_map(|x| [x, -x]).chain([f64::NAN]).collect()
}

macro_rules! alone {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        let x = operand::<$from>()?;
        let fused: Tensor<$to, Rank1> = fuse!(x.cast_saturating::<$to>());
        assert_eq!(bits(&fused), bits(&x.cast_saturating::<$to>()), "{} to {}", $from::DTYPE, $to::DTYPE);
    )*)*};
}

/// Between operations, where nothing is stored.
macro_rules! between {
    ($($from:ident => $($to:ident)*;)*) => {$($(
        let x = operand::<$from>()?;
        let doubled = fuse!((x.cast_saturating::<$to>() + x.cast_saturating::<$to>()).cast::<F32>());
        let alone = x.cast_saturating::<$to>();
        assert_eq!(bits(&doubled), bits(&(&alone + &alone).cast::<F32>()), "{} to {}", $from::DTYPE, $to::DTYPE);
    )*)*};
}

fn operand<D: StaticDType>() -> Result<Tensor<D, Rank1>, Error> {
    Ok(Tensor::<F64, Rank1>::from_vec(floats(), [floats().len()])?.cast())
}

fn bits<D: StaticDType>(t: &Tensor<D, Rank1>) -> Vec<u8> {
    t.clone().into_dyn().to_bytes().expect("memory")
}

#[test]
fn saturating_casts_are_the_same_in_expressions() -> Result<(), Error> {
    alone! {
        F64 => I8 U8 F8E4M3FN F8E5M2 F8E4M3B11FNUZ F16 BF16 F32;
        F16 => I8 U8 F8E4M3FN F8E5M2 BF16 F16;
        I64 => I8 U8 U64 I32 F8E4M3FN F8E5M2 F16;
        U16 => I8 I16 F8E4M3FNUZ;
    }
    between! {
        F64 => I8 U8 F8E4M3FN F8E5M2 F8E4M3B11FNUZ F16 BF16 F32;
        I64 => U64 I32;
        U16 => I16 F8E4M3FNUZ;
    }
    Ok(())
}

/// Weights are quantised with a scale for each column, in one pass, and come back within half a step.
#[test]
fn quantised_by_channel() -> Result<(), Error> {
    let weights = Tensor::<F32, Rank2>::from_fn([16, 5], |at| {
        ((at[0] * 7 + at[1] * 3) as f32).sin() * (at[1] + 1) as f32
    });
    let scale = fuse!(weights.abs().max_keepdims(0)) / 127.0;
    let quantised: Tensor<I8, Rank2> = fuse!((weights / scale).round().cast_saturating::<I8>());
    let by_hand: Vec<i8> = weights
        .iter()
        .enumerate()
        .map(|(number, weight)| (weight / scale.to_vec()[number % 5]).round_ties_even() as i8)
        .collect();
    assert_eq!(quantised.to_vec(), by_hand);
    let back: Tensor<F32, Rank2> = fuse!(quantised.cast::<F32>() * scale);
    let error: Tensor<F32, Rank2> = fuse!((back - weights).abs() / scale);
    assert!(error.max().item()? <= 0.5001);
    // A scale that is too small saturates.
    let narrow: Tensor<I8, Rank2> = fuse!((weights / scale * 2.0).round().cast_saturating::<I8>());
    assert_eq!((narrow.max().item()?, narrow.min().item()?), (127, -128));
    Ok(())
}
