//! An exact reference for conversions between elements, by definition from each format's
//! parameters; it shares no code with the library.
//!
//! Every finite element is an integer below 2^64 times a power of two, so `u128` arithmetic is
//! exact throughout.
#![allow(dead_code, reason = "each test binary uses its part of the reference")]
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use core::fmt::Debug;
use core::marker::PhantomData;

use supremum::dtype::cast::{CastElement, cast};
use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};

/// A finite number: plus or minus `significand` times two to the power of `exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) negative: bool,
    pub(crate) significand: u64,
    pub(crate) exponent: i32,
}

impl Exact {
    /// Returns whether both are the same number; zeros of either sign are.
    pub(crate) fn same_number(self, other: Self) -> bool {
        let key = |x: Self| {
            let zeros = x.significand.trailing_zeros();
            match x.significand {
                0 => (false, 0, 0),
                odd_part => (x.negative, odd_part >> zeros, x.exponent + zeros as i32),
            }
        };
        key(self) == key(other)
    }

    /// Towards zero; what is too large for any element stays too large.
    pub(crate) fn truncated(self) -> i128 {
        let significand = i128::from(self.significand);
        let magnitude = match self.exponent {
            _ if significand == 0 => 0,
            up @ 0..=60 => significand << up,
            61.. => 1 << 125,
            down @ -63..=-1 => significand >> -down,
            _ => 0,
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Finite(Exact),
    Infinite { negative: bool },
    NaN { negative: bool },
}

/// A binary floating-point format, after IEEE 754 but for `infinities`: without them the largest
/// exponent holds numbers, and only all ones are NaN; or, without a negative zero, that alone is NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    infinities: bool,
    negative_zero: bool,
}

pub(crate) const E4M3FN: Format = Format::new(4, 3, false);
pub(crate) const E5M2: Format = Format::new(5, 2, true);
pub(crate) const E4M3FNUZ: Format = Format::without_negative_zero(4, 3, 8);
pub(crate) const E5M2FNUZ: Format = Format::without_negative_zero(5, 2, 16);
pub(crate) const E4M3B11FNUZ: Format = Format::without_negative_zero(4, 3, 11);
pub(crate) const BFLOAT16: Format = Format::new(8, 7, true);
pub(crate) const BINARY16: Format = Format::new(5, 10, true);
pub(crate) const BINARY32: Format = Format::new(8, 23, true);
pub(crate) const BINARY64: Format = Format::new(11, 52, true);

impl Format {
    const fn new(exponent_bits: u32, mantissa_bits: u32, infinities: bool) -> Self {
        Self {
            exponent_bits,
            mantissa_bits,
            bias: (1 << (exponent_bits - 1)) - 1,
            infinities,
            negative_zero: true,
        }
    }

    const fn without_negative_zero(exponent_bits: u32, mantissa_bits: u32, bias: i32) -> Self {
        Self {
            bias,
            negative_zero: false,
            ..Self::new(exponent_bits, mantissa_bits, false)
        }
    }

    pub(crate) fn bits(&self) -> u32 {
        1 + self.exponent_bits + self.mantissa_bits
    }

    pub(crate) fn infinities(&self) -> bool {
        self.infinities
    }

    /// The exponent of the last place of the subnormals.
    fn least_unit(&self) -> i32 {
        1 - self.bias - self.mantissa_bits as i32
    }

    pub(crate) fn negative_zero(&self) -> bool {
        self.negative_zero
    }

    pub(crate) fn hidden_bit(&self) -> u64 {
        1 << self.mantissa_bits
    }

    /// All exponent bits set.
    pub(crate) fn special(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    /// The bits of the largest finite number.
    pub(crate) fn max(&self) -> u64 {
        if self.infinities {
            self.special() - 1
        } else {
            self.special() + self.hidden_bit() - 1 - u64::from(self.negative_zero)
        }
    }

    /// Significand and unit of a finite magnitude.
    fn parts(&self, magnitude: u64) -> (u64, i32) {
        let field = magnitude >> self.mantissa_bits;
        let mantissa = magnitude & (self.hidden_bit() - 1);
        match field {
            0 => (mantissa, self.least_unit()),
            _ => (
                mantissa + self.hidden_bit(),
                self.least_unit() + field as i32 - 1,
            ),
        }
    }

    /// The number halfway between this finite magnitude and the next one, or the one that would be
    /// next if the format went on.
    pub(crate) fn boundary_above(&self, magnitude: u64) -> Exact {
        let (significand, unit) = self.parts(magnitude);
        Exact {
            negative: false,
            significand: 2 * significand + 1,
            exponent: unit - 1,
        }
    }

    pub(crate) fn decode(&self, bits: u64) -> Number {
        let negative = bits >> (self.bits() - 1) & 1 == 1;
        let magnitude = bits & ((1 << (self.bits() - 1)) - 1);
        if negative && magnitude == 0 && !self.negative_zero {
            Number::NaN { negative }
        } else if magnitude <= self.max() {
            let (significand, exponent) = self.parts(magnitude);
            Number::Finite(Exact {
                negative,
                significand,
                exponent,
            })
        } else if self.infinities && magnitude == self.special() {
            Number::Infinite { negative }
        } else {
            Number::NaN { negative }
        }
    }

    /// The bits of the nearest magnitude, of two the even one; none if that is beyond the largest.
    pub(crate) fn round(&self, value: Exact) -> Option<u64> {
        if value.significand == 0 {
            return Some(0);
        }
        let width = 64 - value.significand.leading_zeros() as i32;
        let digits = self.mantissa_bits as i32 + 1;
        let unit = (value.exponent + width - digits).max(self.least_unit());
        let rounded = nearest_even(value.significand, unit - value.exponent);
        let (significand, unit) = if rounded == 2 * self.hidden_bit() {
            (self.hidden_bit(), unit + 1)
        } else {
            (rounded, unit)
        };
        let (max_significand, max_unit) = self.parts(self.max());
        if unit > max_unit || (unit == max_unit && significand > max_significand) {
            return None;
        }
        let binade = (unit - self.least_unit()) as u64;
        Some((binade << self.mantissa_bits) + significand)
    }

    pub(crate) fn is_nan(&self, bits: u64) -> bool {
        matches!(self.decode(bits), Number::NaN { .. })
    }

    /// Returns whether these bits are what the number converts to.
    pub(crate) fn holds(&self, number: Number, bits: u64) -> bool {
        if !self.negative_zero {
            let sign = 1 << (self.bits() - 1);
            let signed = |value: Exact, magnitude| match magnitude {
                0 => 0,
                _ if value.negative => magnitude | sign,
                _ => magnitude,
            };
            return bits
                == match number {
                    Number::Finite(value) => self
                        .round(value)
                        .map_or(sign, |magnitude| signed(value, magnitude)),
                    Number::Infinite { .. } | Number::NaN { .. } => sign,
                };
        }
        let sign_is = |negative| bits >> (self.bits() - 1) == u64::from(negative);
        let magnitude = bits & ((1 << (self.bits() - 1)) - 1);
        let overflowed = if self.infinities {
            magnitude == self.special()
        } else {
            self.is_nan(bits)
        };
        match number {
            Number::Finite(value) => {
                sign_is(value.negative)
                    && match self.round(value) {
                        Some(expected) => magnitude == expected,
                        None => overflowed,
                    }
            }
            Number::Infinite { negative } => sign_is(negative) && overflowed,
            Number::NaN { negative } => {
                // The bit of quiet NaNs; small floats are made by the library, wider ones by the machine.
                let small = self.bits() <= 16;
                let quiet = magnitude >> (self.mantissa_bits - 1) & 1 == 1;
                self.is_nan(bits) && (quiet || !small) && (sign_is(negative) || !NAN_SIGNS_ARE_KEPT)
            }
        }
    }

    /// The bits of a number that the format has exactly.
    pub(crate) fn exactly(&self, value: Exact) -> u64 {
        let magnitude = self.round(value).expect("a number in range");
        match self.decode(magnitude) {
            Number::Finite(back) => assert!(back.same_number(Exact {
                negative: false,
                ..value
            })),
            _ => panic!("rounding made no number"),
        }
        magnitude | u64::from(value.negative) << (self.bits() - 1)
    }
}

/// Rust leaves the sign of a converted NaN to the machine; these keep it.
const NAN_SIGNS_ARE_KEPT: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The significand divided by two to the power of `shift`, rounded.
fn nearest_even(significand: u64, shift: i32) -> u64 {
    if shift <= 0 {
        return significand << -shift;
    }
    if shift > 64 {
        return 0; // below a half
    }
    let (dividend, divisor) = (u128::from(significand), 1_u128 << shift);
    let (floor, rest) = ((dividend / divisor) as u64, dividend % divisor);
    let up = 2 * rest > divisor || (2 * rest == divisor && floor % 2 == 1);
    floor + u64::from(up)
}

/// The way in which an element's bits make a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Bool,
    Unsigned(u32),
    Signed(u32),
    Float(Format),
    Complex(Format),
}

impl Kind {
    /// Least and largest integer, for the kinds without fractions.
    pub(crate) fn limits(self) -> Option<(i128, i128)> {
        match self {
            Self::Bool => Some((0, 1)),
            Self::Unsigned(bits) => Some((0, (1 << bits) - 1)),
            Self::Signed(bits) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Self::Float(_) | Self::Complex(_) => None,
        }
    }
}

/// An element type, and its bits (of a complex one, the real part's are the lower ones).
pub(crate) trait Tested: CastElement + Copy + Debug + 'static {
    const NAME: &'static str;
    const KIND: Kind;
    fn from_raw(raw: u128) -> Self;
    fn raw(self) -> u128;
}

macro_rules! tested {
    ($($element:ident $kind:expr, $raw:ident => $from_raw:expr, $value:ident => $to_raw:expr;)*) => {
        $(impl Tested for $element {
            const NAME: &'static str = stringify!($element);
            const KIND: Kind = $kind;
            fn from_raw($raw: u128) -> Self {
                $from_raw
            }
            fn raw(self) -> u128 {
                let $value = self;
                $to_raw
            }
        })*

        /// Judges the conversions of an element to every element type.
        pub(crate) fn check_all<From: Tested>(from: From, tally: &mut Tally) {
            let value = Value::of(from);
            $(check_value(from, &value, ($element::KIND, $element::NAME), cast_to_raw::<From, $element>, tally);)*
        }
    };
}

tested! {
    bool Kind::Bool, raw => raw == 1, x => u128::from(x);
    u8 Kind::Unsigned(8), raw => raw as Self, x => u128::from(x);
    u16 Kind::Unsigned(16), raw => raw as Self, x => u128::from(x);
    u32 Kind::Unsigned(32), raw => raw as Self, x => u128::from(x);
    u64 Kind::Unsigned(64), raw => raw as Self, x => u128::from(x);
    i8 Kind::Signed(8), raw => raw as Self, x => u128::from(x.cast_unsigned());
    i16 Kind::Signed(16), raw => raw as Self, x => u128::from(x.cast_unsigned());
    i32 Kind::Signed(32), raw => raw as Self, x => u128::from(x.cast_unsigned());
    i64 Kind::Signed(64), raw => raw as Self, x => u128::from(x.cast_unsigned());
    f8e4m3fn Kind::Float(E4M3FN), raw => Self::from_bits(raw as u8), x => u128::from(x.to_bits());
    f8e5m2 Kind::Float(E5M2), raw => Self::from_bits(raw as u8), x => u128::from(x.to_bits());
    f8e4m3fnuz Kind::Float(E4M3FNUZ), raw => Self::from_bits(raw as u8), x => u128::from(x.to_bits());
    f8e5m2fnuz Kind::Float(E5M2FNUZ), raw => Self::from_bits(raw as u8), x => u128::from(x.to_bits());
    f8e4m3b11fnuz Kind::Float(E4M3B11FNUZ), raw => Self::from_bits(raw as u8), x => u128::from(x.to_bits());
    bf16 Kind::Float(BFLOAT16), raw => Self::from_bits(raw as u16), x => u128::from(x.to_bits());
    f16 Kind::Float(BINARY16), raw => Self::from_bits(raw as u16), x => u128::from(x.to_bits());
    f32 Kind::Float(BINARY32), raw => Self::from_bits(raw as u32), x => u128::from(x.to_bits());
    f64 Kind::Float(BINARY64), raw => Self::from_bits(raw as u64), x => u128::from(x.to_bits());
    c64 Kind::Complex(BINARY32), raw => Self::new(f32::from_bits(raw as u32), f32::from_bits((raw >> 32) as u32)),
        x => u128::from(x.re.to_bits()) | u128::from(x.im.to_bits()) << 32;
    c128 Kind::Complex(BINARY64), raw => Self::new(f64::from_bits(raw as u64), f64::from_bits((raw >> 64) as u64)),
        x => u128::from(x.re.to_bits()) | u128::from(x.im.to_bits()) << 64;
}

/// The value of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) re: Number,
    pub(crate) im: Number,
    /// Integers wrap where floats saturate.
    pub(crate) integer: bool,
}

impl Value {
    pub(crate) fn of<E: Tested>(element: E) -> Self {
        let raw = element.raw();
        let whole = |value: i128| {
            Number::Finite(Exact {
                negative: value < 0,
                significand: value.unsigned_abs() as u64,
                exponent: 0,
            })
        };
        let zero = whole(0);
        let (re, im, integer) = match E::KIND {
            Kind::Bool | Kind::Unsigned(_) => (whole(raw as i128), zero, true),
            Kind::Signed(bits) => {
                let (_, max) = E::KIND.limits().expect("an integer's limits");
                let value = raw as i128;
                (
                    whole(if value > max {
                        value - (1 << bits)
                    } else {
                        value
                    }),
                    zero,
                    true,
                )
            }
            Kind::Float(format) => (format.decode(raw as u64), zero, false),
            Kind::Complex(format) => {
                let im = format.decode((raw >> format.bits()) as u64);
                let low = raw & ((1 << format.bits()) - 1);
                (format.decode(low as u64), im, false)
            }
        };
        Self { re, im, integer }
    }

    /// The parts, if both are finite.
    pub(crate) fn finite(&self) -> Option<(Exact, Exact)> {
        match (self.re, self.im) {
            (Number::Finite(re), Number::Finite(im)) => Some((re, im)),
            _ => None,
        }
    }

    /// Returns whether `raw` are the bits of what this converts to.
    fn converts_to(&self, kind: Kind, raw: u128) -> bool {
        let is_zero = |part| matches!(part, Number::Finite(Exact { significand: 0, .. }));
        match kind {
            Kind::Bool => raw == u128::from(!is_zero(self.re) || !is_zero(self.im)),
            Kind::Unsigned(bits) | Kind::Signed(bits) => {
                let (min, max) = kind.limits().expect("an integer's limits");
                let expected = match self.re {
                    Number::NaN { .. } => 0,
                    Number::Infinite { negative: true } => min,
                    Number::Infinite { negative: false } => max,
                    Number::Finite(value) if self.integer => value.truncated(),
                    Number::Finite(value) => value.truncated().clamp(min, max),
                };
                raw == expected as u128 & ((1 << bits) - 1)
            }
            Kind::Float(format) => format.holds(self.re, raw as u64),
            Kind::Complex(format) => {
                let low = raw & ((1 << format.bits()) - 1);
                format.holds(self.re, low as u64)
                    && format.holds(self.im, (raw >> format.bits()) as u64)
            }
        }
    }

    /// Returns whether the real part, its fraction aside, lies outside what the integers of `kind` can be.
    pub(crate) fn is_outside(&self, kind: Kind) -> bool {
        match (self.re, kind.limits()) {
            (Number::Finite(value), Some((min, max))) => !(min..=max).contains(&value.truncated()),
            _ => false,
        }
    }
}

/// Counts what was checked, and keeps the first failures.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) checked: u64,
    failed: u64,
    failures: Vec<String>,
}

impl Tally {
    pub(crate) fn record(&mut self, holds: bool, describe: impl FnOnce() -> String) {
        self.checked += 1;
        if !holds {
            self.failed += 1;
            if self.failures.len() < 10 {
                self.failures.push(describe());
            }
        }
    }

    /// Counts a conversion of an element of a dtype to bits of another. It knows no types, because the compiler would compile it for
    /// each pair of dtypes.
    pub(crate) fn record_conversion(
        &mut self,
        holds: bool,
        (from, element, bits): (&str, &dyn Debug, u128),
        (to, found): (&str, u128),
    ) {
        self.record(holds, || {
            format!("{from} {element:?} ({bits:#x}) became {to} {found:#x}")
        });
    }

    /// Prints the count; panics if nothing was checked or something failed.
    pub(crate) fn finish(self, what: &str) {
        println!("{what}: {} cases checked", self.checked);
        assert_ne!(self.checked, 0, "{what}: nothing was checked");
        assert_eq!(self.failed, 0, "{what}: {:#?}", self.failures);
    }
}

/// Judges one conversion.
pub(crate) fn check<From: Tested, To: Tested>(from: From, tally: &mut Tally) {
    let to = (To::KIND, To::NAME);
    check_value(from, &Value::of(from), to, cast_to_raw::<From, To>, tally);
}

/// Converts an element to the bits of another. (The only function of two element types, so that a conversion of each pair is compiled
/// once.)
#[inline(never)]
pub(crate) fn cast_to_raw<From: Tested, To: Tested>(from: From) -> u128 {
    cast::<From, To>(from).raw()
}

fn check_value<From: Tested>(
    from: From,
    value: &Value,
    (kind, name): (Kind, &str),
    cast: fn(From) -> u128,
    tally: &mut Tally,
) {
    let to = cast(from);
    let holds = value.converts_to(kind, to);
    tally.record_conversion(holds, (From::NAME, &from, from.raw()), (name, to));
}

/// The bits of integers and floats that are most likely to go wrong: for integers zero, the
/// extremes and the neighbours of every power of two; for floats in every binade the power of two,
/// its neighbours and all ones, with infinities and NaNs; both signs. Complex numbers have each of
/// these in either part.
pub(crate) fn adversarial<E: Tested>(_: PhantomData<E>) -> Vec<u128> {
    let floats = |format: &Format| {
        let mut magnitudes: Vec<u64> = (0..=format.special() >> format.mantissa_bits)
            .map(|field| field << format.mantissa_bits)
            .flat_map(|power| {
                let half = format.hidden_bit() / 2;
                let ones = format.hidden_bit() - 1;
                [0, 1, 2, half - 1, half, half + 1, ones - 1, ones].map(|low| power | low)
            })
            .chain((0..format.mantissa_bits).map(|bit| 1 << bit))
            .collect();
        magnitudes.sort_unstable();
        magnitudes.dedup();
        let sign = 1_u64 << (format.bits() - 1);
        let signed = magnitudes
            .into_iter()
            .flat_map(move |low| [low, low | sign]);
        signed.map(u128::from).collect::<Vec<_>>()
    };
    match E::KIND {
        Kind::Bool => vec![0, 1],
        Kind::Unsigned(bits) | Kind::Signed(bits) => {
            let mask = (1_u128 << bits) - 1;
            let near_powers = (0..=bits).flat_map(|k| {
                let power = 1_i128 << k;
                [-2, -1, 0, 1, 2].map(|delta| power + delta)
            });
            let mut values: Vec<u128> = near_powers
                .flat_map(|value| [value, -value])
                .map(|value| value as u128 & mask)
                .collect();
            values.sort_unstable();
            values.dedup();
            values
        }
        Kind::Float(format) => floats(&format),
        Kind::Complex(format) => {
            let one = u128::from((format.special() / 2) & format.special());
            let parts = floats(&format);
            let pair = |re: u128, im: u128| re | im << format.bits();
            parts
                .iter()
                .flat_map(|&part| {
                    [
                        pair(part, 0),
                        pair(0, part),
                        pair(part, part),
                        pair(one, part),
                    ]
                })
                .collect()
        }
    }
}
