//! Conversions of single elements, their equality, and elements to test with.

use crate::exact::{Exact, Format, Kind, Number, Tested, Value};

/// Bits of a float from a number, rounded to nearest even.
fn float_bits(format: &Format, number: Number) -> u128 {
    let sign = 1 << (format.bits() - 1);
    if !format.negative_zero() {
        // The sign bit alone is NaN, which stands for numbers out of range too.
        return match number {
            Number::Finite(value) => match format.round(value) {
                Some(magnitude) if value.negative && magnitude != 0 => u128::from(magnitude) | sign,
                Some(magnitude) => magnitude.into(),
                None => sign,
            },
            Number::Infinite { .. } | Number::NaN { .. } => sign,
        };
    }
    let infinity = if format.infinities() {
        format.special()
    } else {
        format.max() + 1
    };
    let (negative, magnitude) = match number {
        Number::Finite(value) => (value.negative, format.round(value).unwrap_or(infinity)),
        Number::Infinite { negative } => (negative, infinity),
        Number::NaN { negative } => (negative, infinity | (format.hidden_bit() - 1)),
    };
    u128::from(magnitude) | if negative { sign } else { 0 }
}

/// As Rust's `as`, with small floats rounded once.
pub(crate) fn convert<A: Tested, B: Tested>(a: A) -> B {
    B::from_raw(converted(Value::of(a), B::KIND))
}

/// The bits of what a value converts to.
pub(crate) fn converted(value: Value, to: Kind) -> u128 {
    let is_zero = |part| matches!(part, Number::Finite(Exact { significand: 0, .. }));
    match to {
        Kind::Bool => u128::from(!is_zero(value.re) || !is_zero(value.im)),
        Kind::Unsigned(bits) | Kind::Signed(bits) => {
            let (min, max) = to.limits().expect("an integer's limits");
            let whole = match value.re {
                Number::NaN { .. } => 0,
                Number::Infinite { negative: true } => min,
                Number::Infinite { negative: false } => max,
                Number::Finite(number) if value.integer => number.truncated(),
                Number::Finite(number) => number.truncated().clamp(min, max),
            };
            whole as u128 & ((1 << bits) - 1)
        }
        Kind::Float(format) => float_bits(&format, value.re),
        Kind::Complex(format) => {
            float_bits(&format, value.re) | float_bits(&format, value.im) << format.bits()
        }
    }
}

/// The float nearest to a number that a test writes.
pub(crate) fn number<E: Tested>(value: f64) -> E {
    convert(value)
}

/// Returns whether both have the same bits, any NaN counting as any other.
pub(crate) fn same<E: Tested>(a: E, b: E) -> bool {
    let same_part =
        |format: &Format, a: u64, b: u64| a == b || (format.is_nan(a) && format.is_nan(b));
    let (a, b) = (a.raw(), b.raw());
    match E::KIND {
        Kind::Float(format) => same_part(&format, a as u64, b as u64),
        Kind::Complex(format) => {
            let low = |raw: u128| (raw & ((1 << format.bits()) - 1)) as u64;
            same_part(&format, low(a), low(b))
                && same_part(
                    &format,
                    (a >> format.bits()) as u64,
                    (b >> format.bits()) as u64,
                )
        }
        _ => a == b,
    }
}

/// Asserts that both are the same elements, by bits.
#[track_caller]
pub(crate) fn assert_same<E: Tested>(found: &[E], expected: &[E], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: number of elements");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            same(*found, *expected),
            "{what}: element {at} is {found:?}, expected {expected:?}"
        );
    }
}

/// Values at which operations go wrong: extremes, neighbours of zero and one, numbers that round, and
/// for floats subnormals, both zeros, infinities and NaN.
pub(crate) fn edges<E: Tested>() -> Vec<E> {
    edges_of(E::KIND).into_iter().map(E::from_raw).collect()
}

/// Returns the bits of [`edges`]. It has no type parameter, so the compiler compiles it once.
fn edges_of(kind: Kind) -> Vec<u128> {
    let floats = |format: &Format| -> Vec<u128> {
        let one = (format.special() / 2) & format.special();
        let unit = format.hidden_bit();
        let mut all = vec![
            0,
            1,
            unit - 1,
            unit,
            one,
            one | 1,
            one + unit / 2,
            one + unit + unit / 2,
            one + 3 * unit - 1,
            format.max(),
            format.special(),
            format.max() + 1,
            // Quiet: C's functions answer signalling NaN otherwise.
            format.special() | (format.hidden_bit() - 1),
        ];
        all.retain(|raw| *raw < 1 << (format.bits() - 1));
        let sign = 1_u64 << (format.bits() - 1);
        all.iter()
            .flat_map(|raw| [*raw, *raw | sign])
            .map(u128::from)
            .collect()
    };
    match kind {
        Kind::Bool => vec![0, 1],
        Kind::Unsigned(bits) | Kind::Signed(bits) => {
            let (min, max) = kind.limits().expect("an integer's limits");
            let bits_wide = i128::from(bits);
            let mut all = vec![
                min,
                min + 1,
                min + 2,
                min / 2,
                -100,
                -bits_wide,
                -7,
                -3,
                -2,
                -1,
                0,
                1,
                2,
                3,
                7,
                bits_wide - 1,
                bits_wide,
                100,
                max / 2,
                max / 2 + 1,
                max / 3,
                max - 1,
                max,
            ];
            all.retain(|value| (min..=max).contains(value));
            all.sort_unstable();
            all.dedup();
            all.iter()
                .map(|value| *value as u128 & ((1 << bits) - 1))
                .collect()
        }
        Kind::Float(format) => floats(&format),
        Kind::Complex(format) => {
            let parts = floats(&format);
            let picked: Vec<u128> = [0, 1, 3, 8, 13, 18, 20, 24]
                .iter()
                .filter_map(|at| parts.get(*at).copied())
                .collect();
            picked
                .iter()
                .flat_map(|re| picked.iter().map(move |im| re | im << format.bits()))
                .collect()
        }
    }
}

/// Numbers of moderate size that every dtype has or rounds to, in an order without pattern.
pub(crate) fn sample<E: Tested>(count: usize, seed: u64) -> Vec<E> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let small = ((state >> 40) % 33) as f64 - 16.0;
            let value = match E::KIND {
                Kind::Bool => ((state >> 40) & 1) as f64,
                Kind::Unsigned(_) => small.abs(),
                Kind::Signed(_) => small,
                Kind::Float(_) | Kind::Complex(_) => small / 4.0,
            };
            match E::KIND {
                Kind::Complex(format) => {
                    let im = ((state >> 50) % 17) as f64 - 8.0;
                    E::from_raw(
                        float_bits(&format, Value::of(value).re)
                            | float_bits(&format, Value::of(im / 2.0).re) << format.bits(),
                    )
                }
                _ => convert(value),
            }
        })
        .collect()
}
