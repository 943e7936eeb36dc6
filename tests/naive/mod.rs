//! A naive oracle for operations on tensors: plain vectors, index arithmetic and Rust's operators on
//! single elements. Conversions and the rounding of small floats are those of `exact/mod.rs`. It
//! shares no code with the library.
#![allow(dead_code, reason = "each test binary uses its part of the oracle")]
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};
use supremum::{DType, StaticDType};

use crate::exact::{Exact, Format, Kind, Number, Tested, Value};

/// The dtypes of indices.
pub(crate) const INTEGERS: [DType; 8] = [
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
];

/// A dtype whose elements the oracle computes with.
pub(crate) trait Typed: StaticDType<Element: Arith> {}
impl<D: StaticDType<Element: Arith>> Typed for D {}

/// Calls a macro with every dtype of the library's list: `each_dtype!(callback [arguments])` is
/// `callback!([arguments] Bool U8 ..)`.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_dtype {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_dtype @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [$($dtype:ident)*]) => {
        $callback!($arguments $($dtype)*)
    };
}

/// Calls a macro with every dtype but `Bool`, which begins the list.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_number {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_number @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [Bool $($number:ident)*]) => {
        $callback!($arguments $($number)*)
    };
}

/// Calls a macro with every dtype but the complex ones, which end the list.
#[allow(unused_macros, reason = "each test binary uses its part of the oracle")]
macro_rules! each_real {
    ($callback:ident $arguments:tt) => {
        supremum::__private::with_markers!(each_real @all $callback $arguments)
    };
    (@all $callback:ident $arguments:tt [$($dtype:ident)*]) => {
        each_real!(@next $callback $arguments [] $($dtype)*)
    };
    (@next $callback:ident $arguments:tt [$($real:ident)*] C64 C128) => {
        $callback!($arguments $($real)*)
    };
    (@next $callback:ident $arguments:tt [$($real:ident)*] $dtype:ident $($rest:ident)*) => {
        each_real!(@next $callback $arguments [$($real)* $dtype] $($rest)*)
    };
}
#[allow(
    unused_imports,
    reason = "each test binary uses its part of the oracle"
)]
pub(crate) use {each_dtype, each_number, each_real};

/// Two operands, one result of their common dtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    FloorDiv,
    Atan2,
    Hypot,
    LogAddExp,
    CopySign,
    NextAfter,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// An element that the oracle computes with.
pub(crate) trait Arith: Tested + PartialEq + Default + Send + Sync {
    /// The result; `None` for integers divided by zero.
    fn apply(op: Op, a: Self, b: Self) -> Option<Self>;
    fn less(a: Self, b: Self) -> bool;
    fn negated(a: Self) -> Self;
    fn inverted(a: Self) -> Self;
}

fn undefined<T>(op: Op) -> T {
    panic!("{op:?} is not defined here")
}

impl Arith for bool {
    fn apply(op: Op, a: Self, b: Self) -> Option<Self> {
        Some(match op {
            Op::Add | Op::Or | Op::Max => a || b,
            Op::Mul | Op::And | Op::Min => a && b,
            Op::Xor => a != b,
            _ => undefined(op),
        })
    }
    fn less(a: Self, b: Self) -> bool {
        !a && b
    }
    fn negated(_: Self) -> Self {
        panic!("booleans have no sign")
    }
    fn inverted(a: Self) -> Self {
        !a
    }
}

macro_rules! integers {
    ($($integer:ident)*) => {$(
        impl Arith for $integer {
            fn apply(op: Op, a: Self, b: Self) -> Option<Self> {
                let (x, y) = (i128::from(a), i128::from(b));
                let floor = || (y != 0).then(|| x / y - i128::from(x % y != 0 && (x < 0) != (y < 0)));
                let in_width = (0..i128::from(Self::BITS)).contains(&y);
                Some(match op {
                    Op::Add => (x + y) as Self,
                    Op::Sub => (x - y) as Self,
                    Op::Mul => x.wrapping_mul(y) as Self,
                    Op::FloorDiv => floor()? as Self,
                    Op::Rem => (x - y * floor()?) as Self,
                    Op::And => (x & y) as Self,
                    Op::Or => (x | y) as Self,
                    Op::Xor => (x ^ y) as Self,
                    Op::Shl => if in_width { (x << y) as Self } else { 0 },
                    Op::Shr => (if in_width { x >> y } else { x >> 127 }) as Self,
                    Op::Min => if y < x { b } else { a },
                    Op::Max => if y > x { b } else { a },
                    Op::Div | Op::Atan2 | Op::Hypot | Op::LogAddExp | Op::CopySign | Op::NextAfter => undefined(op),
                })
            }
            fn less(a: Self, b: Self) -> bool {
                i128::from(a) < i128::from(b)
            }
            fn negated(a: Self) -> Self {
                (-i128::from(a)) as Self
            }
            fn inverted(a: Self) -> Self {
                (-1 - i128::from(a)) as Self
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 i8 i16 i32 i64 }

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Arith for $float {
            fn apply(op: Op, a: Self, b: Self) -> Option<Self> {
                let (floor, rest) = {
                    // Python's `divmod` for floats.
                    let rest = a % b;
                    let quotient = (a - rest) / b;
                    if b == 0.0 {
                        (a / b, rest)
                    } else if rest == 0.0 {
                        (quotient, (0.0 as Self).copysign(b))
                    } else if (rest < 0.0) == (b < 0.0) {
                        (quotient, rest)
                    } else {
                        (quotient - 1.0, rest + b)
                    }
                };
                let floor = if b == 0.0 {
                    floor
                } else if floor == 0.0 {
                    (0.0 as Self).copysign(a / b)
                } else {
                    let below = floor.floor();
                    if floor - below > 0.5 { below + 1.0 } else { below }
                };
                let smaller = a < b || (a == b && a.is_sign_negative());
                Some(match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div => a / b,
                    Op::FloorDiv => floor,
                    Op::Rem => rest,
                    Op::Atan2 => f64::from(a).atan2(f64::from(b)) as Self,
                    Op::Hypot => a.hypot(b),
                    Op::LogAddExp => {
                        let (a, b) = (f64::from(a), f64::from(b));
                        let ratio = if a == b { 1.0 } else { (-(a - b).abs()).exp() };
                        if a.is_nan() || b.is_nan() { Self::NAN } else { (a.max(b) + ratio.ln_1p()) as Self }
                    }
                    Op::CopySign => a.copysign(b),
                    Op::NextAfter if a.is_nan() || b.is_nan() => Self::NAN,
                    Op::NextAfter if a == b => b,
                    Op::NextAfter => if b > a { a.next_up() } else { a.next_down() },
                    Op::Min | Op::Max if a.is_nan() || b.is_nan() => Self::NAN,
                    Op::Min => if smaller { a } else { b },
                    Op::Max => if smaller { b } else { a },
                    _ => undefined(op),
                })
            }
            fn less(a: Self, b: Self) -> bool {
                a < b
            }
            fn negated(a: Self) -> Self {
                -a
            }
            fn inverted(_: Self) -> Self {
                panic!("floats have no bits to invert")
            }
        }
    )*};
}

floats! { f32 f64 }

/// The nearest number of a small float towards another: the one that has no other in between, of all bit patterns that
/// could be it.
fn neighbour<E: Tested>(a: E, towards: E) -> E {
    let [x, y]: [f64; 2] = [convert(a), convert(towards)];
    if x == y || x.is_nan() || y.is_nan() {
        return if x == y { towards } else { convert(f64::NAN) };
    }
    let mask = (1_u128 << (size_of::<E>() * 8)) - 1;
    let sign = (mask >> 1) + 1;
    let bits = [
        a.raw().wrapping_add(1),
        a.raw().wrapping_sub(1),
        0,
        1,
        sign | 1,
    ];
    let numbers = bits.map(|bits| convert::<E, f64>(E::from_raw(bits & mask)));
    let next = if y > x {
        numbers
            .into_iter()
            .filter(|number| *number > x)
            .min_by(f64::total_cmp)
    } else {
        numbers
            .into_iter()
            .filter(|number| *number < x)
            .max_by(f64::total_cmp)
    };
    let next = next.expect("a number between both");
    // A step to zero keeps the sign.
    convert(if next == 0.0 { next.copysign(x) } else { next })
}

macro_rules! small_floats {
    ($($float:ident)*) => {$(
        impl Arith for $float {
            fn apply(op: Op, a: Self, b: Self) -> Option<Self> {
                if op == Op::NextAfter {
                    return Some(neighbour(a, b));
                }
                f32::apply(op, convert(a), convert(b)).map(convert)
            }
            fn less(a: Self, b: Self) -> bool {
                convert::<_, f32>(a) < convert::<_, f32>(b)
            }
            fn negated(a: Self) -> Self {
                convert(-convert::<_, f32>(a))
            }
            fn inverted(_: Self) -> Self {
                panic!("floats have no bits to invert")
            }
        }
    )*};
}

small_floats! { f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 }

macro_rules! complexes {
    ($($complex:ident)*) => {$(
        impl Arith for $complex {
            fn apply(op: Op, a: Self, b: Self) -> Option<Self> {
                let (re, im) = match op {
                    Op::Add => (a.re + b.re, a.im + b.im),
                    Op::Sub => (a.re - b.re, a.im - b.im),
                    Op::Mul => (a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re),
                    Op::Div => {
                        let square = b.re * b.re + b.im * b.im;
                        ((a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square)
                    }
                    _ => undefined(op),
                };
                Some(Self::new(re, im))
            }
            fn less(_: Self, _: Self) -> bool {
                panic!("complex numbers have no order")
            }
            fn negated(a: Self) -> Self {
                Self::new(-a.re, -a.im)
            }
            fn inverted(_: Self) -> Self {
                panic!("floats have no bits to invert")
            }
        }
    )*};
}

complexes! { c64 c128 }

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

/// An array in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plain<E> {
    pub(crate) shape: Vec<usize>,
    pub(crate) elements: Vec<E>,
}

/// Every index of a shape, in row-major order.
pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for size in shape {
        all = all
            .iter()
            .flat_map(|start| {
                (0..*size).map(move |next| {
                    let mut index = start.clone();
                    index.push(next);
                    index
                })
            })
            .collect();
    }
    all
}

/// The shape that two broadcast to.
pub(crate) fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let size = |shape: &[usize], axis: usize| {
        let missing = rank - shape.len();
        if axis < missing {
            1
        } else {
            shape[axis - missing]
        }
    };
    (0..rank)
        .map(|axis| match (size(a, axis), size(b, axis)) {
            (a, b) if a == b => Some(a),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

impl<E: Copy> Plain<E> {
    pub(crate) fn new(shape: &[usize], elements: Vec<E>) -> Self {
        assert_eq!(elements.len(), shape.iter().product::<usize>());
        Self {
            shape: shape.to_vec(),
            elements,
        }
    }

    /// The element at an index; axes of size one repeat, missing ones in front do too.
    pub(crate) fn at(&self, index: &[usize]) -> E {
        let index = &index[index.len() - self.shape.len()..];
        let position = index
            .iter()
            .zip(&self.shape)
            .fold(0, |position, (at, size)| {
                position * size + if *size == 1 { 0 } else { *at }
            });
        self.elements[position]
    }

    /// Of another shape: the element at each index is the one at the index that `from` gives.
    pub(crate) fn mapped(&self, shape: &[usize], from: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let elements = indices(shape)
            .iter()
            .map(|index| self.at(&from(index)))
            .collect();
        Self::new(shape, elements)
    }

    pub(crate) fn map<F: Copy>(&self, f: impl FnMut(E) -> F) -> Plain<F> {
        Plain::new(&self.shape, self.elements.iter().copied().map(f).collect())
    }

    pub(crate) fn zip<B: Copy, F: Copy>(
        &self,
        b: &Plain<B>,
        mut f: impl FnMut(E, B) -> F,
    ) -> Plain<F> {
        let shape = broadcast(&self.shape, &b.shape).expect("shapes that fit together");
        let elements = indices(&shape)
            .iter()
            .map(|index| f(self.at(index), b.at(index)))
            .collect();
        Plain::new(&shape, elements)
    }
}
