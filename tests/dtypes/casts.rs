//! Conversions between all element types, judged by an exact reference (`exact/mod.rs`): every
//! value of the small floats, every rounding boundary, and the extremes of the wide types.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use core::marker::PhantomData;

use crate::exact::{
    BFLOAT16, BINARY16, BINARY32, BINARY64, E4M3B11FNUZ, E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ, Exact,
    Format, Tally, Tested, adversarial, check, check_all,
};
use supremum::dtype::cast::cast;
use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};

fn every_value<E: Tested>() {
    let mut tally = Tally::default();
    for raw in 0..1_u128 << (8 * size_of::<E>()) {
        check_all(E::from_raw(raw), &mut tally);
    }
    tally.finish(&format!("every {} to all types", E::NAME));
}

#[test]
fn every_8_bit_float_converts() {
    every_value::<f8e4m3fn>();
    every_value::<f8e5m2>();
    every_value::<f8e4m3fnuz>();
    every_value::<f8e5m2fnuz>();
    every_value::<f8e4m3b11fnuz>();
}

#[test]
fn every_bf16_converts() {
    every_value::<bf16>();
}

#[test]
fn every_f16_converts() {
    every_value::<f16>();
}

#[test]
fn every_8_and_16_bit_integer_converts() {
    every_value::<u8>();
    every_value::<i8>();
    every_value::<u16>();
    every_value::<i16>();
}

/// Offsets that a conversion through fewer digits would lose.
const OFFSETS: [i128; 15] = [
    0, 1, -1, 2, -2, 3, -3, 1023, -1023, 1024, -1024, 1025, -1025, 2049, -2049,
];

/// Checks both signs of an integer in every integer type that has it.
fn check_integer<To: Tested>(magnitude: i128, tally: &mut Tally) {
    macro_rules! in_types {
        ($value:ident: $($integer:ident)*) => {$(
            if let Ok(value) = $integer::try_from($value) {
                check::<$integer, To>(value, tally);
            }
        )*};
    }
    for value in [magnitude, -magnitude] {
        in_types!(value: u8 u16 u32 u64 i8 i16 i32 i64);
    }
}

/// Checks a rounding boundary of `To`, and the next numbers on both sides, from every wider type.
fn check_boundary<To: Tested>(tie: Exact, tally: &mut Tally) {
    let wide = f64::from_bits(BINARY64.exactly(tie));
    let around = [
        wide,
        wide.next_up(),
        wide.next_down(),
        // Inside half a unit of f32, so that rounding to f32 first would make a tie of it.
        wide * (1.0 + 1.0 / (1_u64 << 26) as f64),
        wide * (1.0 - 1.0 / (1_u64 << 26) as f64),
    ];
    for value in around {
        check::<f64, To>(value, tally);
        check::<f64, To>(-value, tally);
        check::<c128, To>(c128::new(value, -value), tally);
    }
    if (0..64).contains(&tie.exponent) {
        let integer = i128::from(tie.significand);
        for offset in OFFSETS {
            check_integer::<To>((integer << tie.exponent) + offset, tally);
        }
    }
}

fn every_boundary<To: Tested>(format: Format) {
    let mut tally = Tally::default();
    for magnitude in 0..=format.max() {
        let tie = format.boundary_above(magnitude);
        check_boundary::<To>(tie, &mut tally);
        let narrow = f32::from_bits(BINARY32.exactly(tie) as u32);
        for value in [narrow, narrow.next_up(), narrow.next_down()] {
            check::<f32, To>(value, &mut tally);
            check::<f32, To>(-value, &mut tally);
            check::<c64, To>(c64::new(value, 1.0), &mut tally);
            for value in [value, -value] {
                let wide = f64::from(value);
                for value in [wide, wide.next_up(), wide.next_down()] {
                    check::<f64, To>(value, &mut tally);
                }
            }
        }
        // The number itself: what is next to it rounds to it.
        let itself = To::from_raw(u128::from(magnitude));
        check_all(itself, &mut tally);
        let wide: f64 = cast(itself);
        check::<f64, To>(wide.next_up(), &mut tally);
        check::<f64, To>(wide.next_down(), &mut tally);
    }
    tally.finish(&format!("every rounding boundary of {}", To::NAME));
}

#[test]
fn every_boundary_of_8_bit_floats_rounds_once() {
    every_boundary::<f8e4m3fn>(E4M3FN);
    every_boundary::<f8e5m2>(E5M2);
    every_boundary::<f8e4m3fnuz>(E4M3FNUZ);
    every_boundary::<f8e5m2fnuz>(E5M2FNUZ);
    every_boundary::<f8e4m3b11fnuz>(E4M3B11FNUZ);
}

#[test]
fn every_boundary_of_bf16_rounds_once() {
    every_boundary::<bf16>(BFLOAT16);
}

#[test]
fn every_boundary_of_f16_rounds_once() {
    every_boundary::<f16>(BINARY16);
}

/// Bits without a pattern (xorshift64*).
fn random(count: usize) -> impl Iterator<Item = u64> {
    let step = |&state: &u64| {
        let state = state ^ state >> 12;
        let state = state ^ state << 25;
        Some(state ^ state >> 27)
    };
    core::iter::successors(Some(0x9e37_79b9_7f4a_7c15), step)
        .skip(1)
        .map(|state: u64| state.wrapping_mul(0x2545_f491_4f6c_dd1d))
        .take(count)
}

/// Magnitudes of f32 around the subnormals, in every binade, and at random.
fn f32_magnitudes() -> Vec<u64> {
    let max = BINARY32.max();
    let edges = (0..=254_u64).flat_map(|field| {
        let power = field << 23;
        [
            0, 1, 2, 3, 0x3f_ffff, 0x40_0000, 0x7f_fffd, 0x7f_fffe, 0x7f_ffff,
        ]
        .map(|low| power | low)
    });
    (0..2_000)
        .chain(0x7f_fc00..0x80_0400)
        .chain(max - 2_000..=max)
        .chain(edges)
        .chain(random(20_000).map(|bits| bits % max))
        .collect()
}

#[test]
fn f32_rounds_once_from_f64_and_integers() {
    let mut tally = Tally::default();
    for magnitude in f32_magnitudes() {
        let tie = BINARY32.boundary_above(magnitude);
        check_boundary::<f32>(tie, &mut tally);
        check_boundary::<c64>(tie, &mut tally);
    }
    tally.finish("rounding boundaries of f32 and c64");
}

#[test]
fn f64_rounds_once_from_integers() {
    let mut tally = Tally::default();
    for k in 1..=11 {
        for bits in random(2_000).chain([0, 1, 2, 3, u64::MAX, u64::MAX - 1]) {
            let significand = 1 << 52 | bits >> 12;
            let tie = i128::from(2 * significand + 1) << (k - 1);
            for offset in OFFSETS {
                check_integer::<f64>(tie + offset, &mut tally);
                check_integer::<c128>(tie + offset, &mut tally);
            }
        }
    }
    tally.finish("integer ties of f64 and c128");
}

/// The traps by name: each rounds wrongly through f32, f64 or both.
#[test]
fn double_rounding_traps_do_not_spring() {
    let mut tally = Tally::default();
    let mut holds = |holds: bool, what: &str| tally.record(holds, || what.to_owned());
    let one_up = |digits: u32| 1.0 + 1.0 / f64::from(1_u32 << digits);
    holds(
        cast::<f64, f16>(one_up(11).next_up()) == f16::from_f64(one_up(10)),
        "f64 to f16",
    );
    holds(
        cast::<f64, bf16>(one_up(8).next_up()).to_bits() == 0x3f81,
        "f64 to bf16",
    );
    holds(
        cast::<f64, f8e4m3fn>(one_up(4).next_up()).to_bits() == 0x39,
        "f64 to f8e4m3fn",
    );
    holds(
        cast::<f64, f8e5m2>(one_up(3).next_up()).to_bits() == 0x3d,
        "f64 to f8e5m2",
    );
    // 2^62 + 2^54 is a tie in bf16; one more is lost in f64, and in f32 all the more.
    holds(
        cast::<i64, bf16>((1 << 62) + (1 << 54)).to_bits() == 0x5e80,
        "i64 tie to bf16",
    );
    holds(
        cast::<i64, bf16>((1 << 62) + (1 << 54) + 1).to_bits() == 0x5e81,
        "i64 to bf16",
    );
    holds(
        cast::<u64, bf16>((1 << 63) + (1 << 55) + 1).to_bits() == 0x5f01,
        "u64 to bf16",
    );
    holds(
        cast::<i64, bf16>(-(1 << 62) - (1 << 54) - 1).to_bits() == 0xde81,
        "negative i64 to bf16",
    );
    holds(
        cast::<i64, f32>((1 << 60) + (1 << 36) + 1).to_bits() == 0x5d80_0001,
        "i64 to f32",
    );
    holds(
        cast::<u64, f64>((1 << 53) + 1) == 9_007_199_254_740_992.0,
        "u64 tie to f64",
    );
    tally.finish("double-rounding traps");
}

fn extremes<E: Tested>(tally: &mut Tally) {
    for raw in adversarial(PhantomData::<E>) {
        check_all(E::from_raw(raw), tally);
    }
}

#[test]
fn integer_extremes_convert() {
    let mut tally = Tally::default();
    extremes::<u8>(&mut tally);
    extremes::<u16>(&mut tally);
    extremes::<u32>(&mut tally);
    extremes::<u64>(&mut tally);
    extremes::<i8>(&mut tally);
    extremes::<i16>(&mut tally);
    extremes::<i32>(&mut tally);
    extremes::<i64>(&mut tally);
    tally.finish("extremes of the integers to all types");
}

#[test]
fn float_extremes_convert() {
    let mut tally = Tally::default();
    extremes::<f32>(&mut tally);
    extremes::<f64>(&mut tally);
    tally.finish("extremes of f32 and f64 to all types");
}

#[test]
fn complex_extremes_convert() {
    let mut tally = Tally::default();
    extremes::<c64>(&mut tally);
    extremes::<c128>(&mut tally);
    tally.finish("extremes of c64 and c128 to all types");
}

#[test]
fn booleans_convert_both_ways() {
    let mut tally = Tally::default();
    check_all(false, &mut tally);
    check_all(true, &mut tally);
    let specials = [
        0.0,
        -0.0,
        f64::MIN_POSITIVE,
        5e-324,
        0.5,
        -1.0,
        f64::INFINITY,
        f64::NAN,
    ];
    for re in specials {
        check::<f64, bool>(re, &mut tally);
        check::<f32, bool>(re as f32, &mut tally);
        for im in specials {
            check::<c128, bool>(c128::new(re, im), &mut tally);
            check::<c64, bool>(c64::new(re as f32, im as f32), &mut tally);
        }
    }
    for integer in [0, 1, 2, 256, 65_536, 1 << 32, 1 << 62] {
        check_integer::<bool>(integer, &mut tally);
    }
    tally.finish("booleans both ways");
}

#[test]
fn random_bits_convert() {
    let mut tally = Tally::default();
    for bits in random(10_000) {
        check_all(f64::from_bits(bits), &mut tally);
        check_all(f32::from_bits(bits as u32), &mut tally);
        check_all(bits >> (bits % 64), &mut tally);
        check_all((bits as i64) >> (bits % 64), &mut tally);
        check_all(bits as u32, &mut tally);
        check_all(bits as i32, &mut tally);
    }
    tally.finish("random f64, f32, u64, i64, u32 and i32 to all types");
}

/// Saturating conversions differ from the others where these leave the finite numbers, only.
macro_rules! saturates {
    ($($test:ident $element:ident $format:ident)*) => {$(
        #[test]
        fn $test() {
            let mut tally = Tally::default();
            let boundaries = (0..=$format.max()).map(|magnitude| $format.boundary_above(magnitude));
            let narrow = boundaries.map(|tie| f32::from_bits(BINARY32.exactly(tie) as u32));
            let specials = [0.0, f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE];
            let around = narrow.flat_map(|tie| [tie, tie.next_up(), tie.next_down()]).chain(specials);
            for value in around.flat_map(|value| [value, -value]) {
                let plain = $element::from_f32(value);
                let end = if value < 0.0 { $element::MIN } else { $element::MAX };
                let expected = if plain.is_finite() || value.is_nan() { plain } else { end };
                for wide in [f64::from(value), f64::from(value) * 1e200] {
                    let plain = $element::from_f64(wide);
                    let expected = if plain.is_finite() || wide.is_nan() { plain } else { end };
                    let got = $element::from_f64_saturating(wide);
                    tally.record(got.to_bits() == expected.to_bits(), || format!("{wide:?} to {got:?}"));
                }
                let got = $element::from_f32_saturating(value);
                tally.record(got.to_bits() == expected.to_bits(), || format!("{value:?} to {got:?}"));
            }
            tally.finish(concat!("saturating conversions to ", stringify!($element)));
        }
    )*};
}

saturates! {
    f8e4m3fn_saturates f8e4m3fn E4M3FN
    f8e5m2_saturates f8e5m2 E5M2
    f8e4m3fnuz_saturates f8e4m3fnuz E4M3FNUZ
    f8e5m2fnuz_saturates f8e5m2fnuz E5M2FNUZ
    f8e4m3b11fnuz_saturates f8e4m3b11fnuz E4M3B11FNUZ
}

/// Reads the conversions of all 2^32 `f32` by ml_dtypes, as runs: the first input of each and the result, in hex.
fn published_runs(runs: &str) -> Vec<(u32, u8)> {
    let parse = |line: &str| {
        let (start, code) = line.split_once(' ')?;
        let start = u32::from_str_radix(start, 16).ok()?;
        Some((start, u8::from_str_radix(code, 16).ok()?))
    };
    let lines = runs.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| parse(line).expect("two hex numbers"))
        .collect()
}

/// The runs of each 8-bit float, and our conversion.
macro_rules! runs {
    ($($element:ident)*) => {
        const RUNS: &[(&str, fn(f32) -> u8)] = &[$((
            include_str!(concat!("../data/ml_dtypes_", stringify!($element), ".txt")),
            |value| $element::from_f32(value).to_bits(),
        )),*];
    };
}
runs! { f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz }

#[test]
fn float8_agrees_with_ml_dtypes_at_both_ends_of_every_run() {
    let mut tally = Tally::default();
    let mut check = |runs: &str, encode: fn(f32) -> u8| {
        let runs = published_runs(runs);
        let ends = runs
            .iter()
            .skip(1)
            .map(|&(start, _)| start - 1)
            .chain([u32::MAX]);
        for (&(start, code), end) in runs.iter().zip(ends) {
            for bits in [start, start + (end - start) / 2, end] {
                let got = encode(f32::from_bits(bits));
                tally.record(got == code, || {
                    format!("{bits:#x}: {got:#x}, published {code:#x}")
                });
            }
        }
    };
    for (runs, encode) in RUNS {
        check(runs, *encode);
    }
    tally.finish("ends and middles of the runs of ml_dtypes");
}

#[test]
#[ignore = "every f32: a minute, in a release build"]
fn float8_agrees_with_ml_dtypes_on_every_f32() {
    let mut tally = Tally::default();
    let mut check = |runs: &str, encode: fn(f32) -> u8| {
        let runs = published_runs(runs);
        let mut next = runs.iter().peekable();
        let mut expected = 0;
        for bits in 0..=u32::MAX {
            if let Some((_, code)) = next.next_if(|(start, _)| *start == bits) {
                expected = *code;
            }
            let got = encode(f32::from_bits(bits));
            tally.record(got == expected, || {
                format!("{bits:#x}: {got:#x}, published {expected:#x}")
            });
        }
    };
    for (runs, encode) in RUNS {
        check(runs, *encode);
    }
    tally.finish("every f32 against ml_dtypes");
}
