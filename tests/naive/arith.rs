//! Operations on single elements, by Rust's operators.

use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};

use super::convert;
use crate::exact::Tested;

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
    LeakyRelu,
    Elu,
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
                    Op::Div | Op::Atan2 | Op::Hypot | Op::LogAddExp | Op::CopySign | Op::NextAfter | Op::LeakyRelu | Op::Elu => {
                        undefined(op)
                    },
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
                    Op::LeakyRelu => if a >= 0.0 { a } else { a * b },
                    Op::Elu => if a >= 0.0 { a } else { (f64::from(b) * f64::from(a).exp_m1()) as Self },
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
