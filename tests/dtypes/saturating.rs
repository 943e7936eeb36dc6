//! `cast_saturating` between all real dtypes, judged by an exact reference: every value of the dtypes of 8 and 16 bits, and the
//! extremes of the wider ones.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use core::marker::PhantomData;

use crate::exact::{Kind, Number, Tally, Tested, Value, adversarial};
use supremum::dtype::{bf16, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16};
use supremum::{
    DType, DynTensor, Element, Error, I32, Rank1, Rank2, StaticDType, Tensor, U8, U16, tensor,
};

/// Returns whether these are the bits of what a value saturates to.
fn saturates_to(value: &Value, kind: Kind, raw: u128) -> bool {
    match kind {
        Kind::Bool => {
            let zero = matches!(value.re, Number::Finite(exact) if exact.significand == 0);
            raw == u128::from(!zero)
        }
        Kind::Unsigned(bits) | Kind::Signed(bits) => {
            let (least, greatest) = kind.limits().expect("an integer's limits");
            let expected = match value.re {
                Number::NaN { .. } => 0,
                Number::Infinite { negative: true } => least,
                Number::Infinite { negative: false } => greatest,
                Number::Finite(exact) => exact.truncated().clamp(least, greatest),
            };
            raw == expected as u128 & ((1 << bits) - 1)
        }
        Kind::Float(format) => {
            let bound =
                |negative| format.decode(format.max() | u64::from(negative) << (format.bits() - 1));
            let expected = match value.re {
                Number::Infinite { negative } => bound(negative),
                Number::Finite(exact) if format.round(exact).is_none() => bound(exact.negative),
                other => other,
            };
            format.holds(expected, raw as u64)
        }
        Kind::Complex(_) => unreachable!("only real dtypes saturate"),
    }
}

/// The bits of every value of a small dtype, of the extremes of a wide one.
fn values<E: Tested>() -> Vec<u128> {
    match (E::KIND, size_of::<E>()) {
        (Kind::Bool, _) => vec![0, 1],
        (_, 1 | 2) => (0..1 << (8 * size_of::<E>())).collect(),
        _ => adversarial(PhantomData::<E>),
    }
}

/// A tensor of elements.
fn tensor<E: Tested + Element>(raws: &[u128]) -> DynTensor
where
    E::Marker: StaticDType<Element = E>,
{
    let elements = raws.iter().map(|raw| E::from_raw(*raw)).collect();
    let tensor = Tensor::<E::Marker, Rank1>::from_vec(elements, [raws.len()]);
    tensor.expect("a vector").into_dyn()
}

/// A dtype to convert to, without its type: the compiler takes its time for pairs of types.
struct Target {
    name: &'static str,
    kind: Kind,
    dtype: DType,
    /// The bits of a tensor's elements.
    raws: fn(&DynTensor) -> Vec<u128>,
}

impl Target {
    fn new<E: Tested + Element>() -> Self
    where
        E::Marker: StaticDType<Element = E>,
    {
        Self {
            name: E::NAME,
            kind: E::KIND,
            dtype: E::Marker::DTYPE,
            raws: |found| {
                let found = found.to_vec::<E::Marker>().expect("its dtype");
                found.into_iter().map(Tested::raw).collect()
            },
        }
    }
}

/// Judges all conversions from one dtype to another.
fn check<From: Tested + Element>(raws: &[u128], to: &Target, tally: &mut Tally)
where
    From::Marker: StaticDType<Element = From>,
{
    let converted = tensor::<From>(raws).cast_saturating(to.dtype);
    for (raw, found) in raws.iter().zip((to.raws)(&converted)) {
        let from = From::from_raw(*raw);
        let holds = saturates_to(&Value::of(from), to.kind, found);
        tally.record_conversion(holds, (From::NAME, &from, *raw), (to.name, found));
    }
}

macro_rules! every_pair {
    ($($test:ident: $from:ident;)*) => {$(
        #[test]
        fn $test() {
            let mut tally = Tally::default();
            let raws = values::<$from>();
            for to in every_pair!(@targets bool u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64) {
                check::<$from>(&raws, &to, &mut tally);
            }
            tally.finish(concat!("saturating casts of ", stringify!($from)));
        }
    )*};
    (@targets $($to:ident)*) => { [$(Target::new::<$to>()),*] };
}

every_pair! {
    truth_values: bool;
    every_u8: u8;
    every_i8: i8;
    every_u16: u16;
    every_i16: i16;
    extreme_u32: u32;
    extreme_i32: i32;
    extreme_u64: u64;
    extreme_i64: i64;
    every_f8e4m3fn: f8e4m3fn;
    every_f8e5m2: f8e5m2;
    every_f8e4m3fnuz: f8e4m3fnuz;
    every_f8e5m2fnuz: f8e5m2fnuz;
    every_f8e4m3b11fnuz: f8e4m3b11fnuz;
    every_bf16: bf16;
    every_f16: f16;
    extreme_f32: f32;
    extreme_f64: f64;
}

/// Around the largest finite number of each small float, where rounding decides between it and what is beyond.
#[test]
fn values_that_round_to_the_bound_saturate_to_it() {
    let mut tally = Tally::default();
    macro_rules! targets {
        ($($to:ident)*) => {$(
            let Kind::Float(format) = $to::KIND else { unreachable!("a float") };
            let tie = format.boundary_above(format.max());
            let tie = tie.significand as f64 * 2_f64.powi(tie.exponent);
            let around = [tie, tie.next_up(), tie.next_down(), -tie, tie * 2.0];
            let to = Target::new::<$to>();
            check::<f64>(&around.map(Tested::raw), &to, &mut tally);
            check::<f32>(&around.map(|x| (x as f32).raw()), &to, &mut tally);
            check::<i64>(&around.map(|x| (x as i64).raw()), &to, &mut tally);
        )*};
    }
    targets!(f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32);
    tally.finish("values around the bounds");
}

#[test]
fn complex_numbers_do_not_saturate() {
    let z = DynTensor::ones(DType::C64, [2]).expect("two elements");
    let unsupported = |dtype| Error::UnsupportedDType {
        operation: "cast_saturating",
        dtype,
    };
    assert_eq!(
        z.try_cast_saturating(DType::I8).unwrap_err(),
        unsupported(DType::C64)
    );
    let x = DynTensor::ones(DType::F32, [2]).expect("two elements");
    assert_eq!(
        x.try_cast_saturating(DType::C128).unwrap_err(),
        unsupported(DType::C128)
    );
}

#[test]
fn views_saturate_and_keep_their_shape() {
    let t: Tensor<I32, Rank2> = tensor![[1, 300], [-5, 70000]];
    assert_eq!(
        t.transpose().cast_saturating::<U8>().to_vec(),
        [1, 0, 255, 255]
    );
    assert_eq!(
        t.slice(1, 1..).cast_saturating::<U16>(),
        tensor![U16; [300], [65535]]
    );
}
