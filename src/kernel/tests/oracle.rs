//! Each operation on single elements, written a second time: no code is shared with the
//! kernels, except functions of our own code, which have tests of their own.
#![allow(clippy::as_conversions, reason = "the meaning of casts")]

use crate::dtype::cast::cast;
use crate::dtype::compute::{ComputeType, Functions};
use crate::dtype::*;
use crate::kernel::{BinaryOp, CompareOp, UnaryOp};
use crate::op::each_unary;
use crate::simd::Baseline;

/// The result of a function of one operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<E> {
    /// An element of the same dtype.
    Same(E),
    /// A part or the magnitude of a complex number.
    Part(f64),
    BoolByte(bool),
}

pub(super) trait Oracle: Element {
    /// Any value, from a random number; extremes more often than others.
    fn any(random: u64) -> Self;
    /// `None` if the operation has no meaning.
    fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self>;
    fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>>;
    fn less(a: Self, b: Self) -> bool;
    fn same(a: Self, b: Self) -> bool {
        a == b
    }
    /// Equal to the bit, or both NaN.
    fn alike(a: Self, b: Self) -> bool;
    /// Returns whether integers refuse this as a divisor (`Some(true)`) or exponent (`Some(false)`).
    fn refused(self) -> [bool; 2] {
        [false; 2]
    }

    fn compare(op: CompareOp, a: Self, b: Self) -> bool {
        match op {
            CompareOp::Eq => Self::same(a, b),
            CompareOp::Ne => !Self::same(a, b),
            CompareOp::Lt => Self::less(a, b),
            CompareOp::Gt => Self::less(b, a),
            CompareOp::Le => Self::less(a, b) || Self::same(a, b),
            CompareOp::Ge => Self::less(b, a) || Self::same(a, b),
        }
    }
}

impl Oracle for bool {
    fn any(random: u64) -> Self {
        random.is_multiple_of(3)
    }
    fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
        Some(match op {
            BinaryOp::Add | BinaryOp::Or | BinaryOp::Max => a || b,
            BinaryOp::Mul | BinaryOp::And | BinaryOp::Min => a && b,
            BinaryOp::Xor => a != b,
            _ => return None,
        })
    }
    fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>> {
        use UnaryOp::*;
        Some(match op {
            Not => Answer::Same(!a),
            Sign => Answer::Same(a),
            Abs | Floor | Ceil | Round | Trunc | Real | Conj | Relu => Answer::Same(a),
            Imag => Answer::Same(false),
            IsNan | IsInf | SignBit => Answer::BoolByte(false),
            IsFinite => Answer::BoolByte(true),
            _ => return None,
        })
    }
    fn less(a: Self, b: Self) -> bool {
        !a && b
    }
    fn alike(a: Self, b: Self) -> bool {
        a == b
    }
}

/// One above what lies halfway between two numbers of `bf16`: it may not be rounded to `f32` first, which has only what lies halfway.
const HALFWAY: i64 = (1 << 30) + (1 << 22) + 1;

macro_rules! integers {
    ($($integer:ident $wide:ident),*) => {$(
        impl Oracle for $integer {
            fn any(random: u64) -> Self {
                let extremes = [0, 1, 2, 3, Self::MAX, Self::MIN, Self::MAX - 1, Self::MIN + 1, Self::MAX / 2, !0, !1, 7, 31, 63, HALFWAY as Self];
                match random % 3 {
                    0 => (random >> 8) as Self,
                    1 => (random >> 8) as Self % 11,
                    _ => extremes[(random >> 8) as usize % extremes.len()],
                }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                let (x, y) = (i128::from(a), i128::from(b));
                let floor = |x: i128, y: i128| {
                    let truncated = x / y;
                    if truncated * y != x && (x < 0) != (y < 0) { truncated - 1 } else { truncated }
                };
                let bits = i128::from(Self::BITS);
                Some(match op {
                    BinaryOp::Add => (x + y) as Self,
                    BinaryOp::Sub => (x - y) as Self,
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::Div => (x / y) as Self,
                    BinaryOp::FloorDiv => floor(x, y) as Self,
                    BinaryOp::Rem => (x - floor(x, y) * y) as Self,
                    BinaryOp::Pow => {
                        // Powers repeat with a period that divides 2^62 once the exponent is large;
                        // square and multiply in the widest type, and cut off at the end.
                        let (mut result, mut square, mut exponent) = (1_u128, x as u128, y as u128);
                        while exponent > 0 {
                            if exponent % 2 == 1 { result = result.wrapping_mul(square); }
                            square = square.wrapping_mul(square);
                            exponent /= 2;
                        }
                        result as Self
                    }
                    BinaryOp::Min => a.min(b),
                    BinaryOp::Max => a.max(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shl => if y < 0 || y >= bits { 0 } else { (x << y) as Self },
                    BinaryOp::Shr => (x >> if y < 0 || y >= bits { 127 } else { y }) as Self,
                    BinaryOp::Atan2 | BinaryOp::Hypot | BinaryOp::LogAddExp | BinaryOp::CopySign | BinaryOp::NextAfter
                    | BinaryOp::LeakyRelu | BinaryOp::Elu => return None,
                })
            }
            fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>> {
                use UnaryOp::*;
                let x = i128::from(a);
                Some(match op {
                    Neg => Answer::Same((-x) as Self),
                    Abs => Answer::Same(x.unsigned_abs() as Self),
                    Sign => Answer::Same(x.signum() as Self),
                    Relu => Answer::Same(x.max(0) as Self),
                    Not => Answer::Same(!a),
                    Floor | Ceil | Round | Trunc | Real | Conj => Answer::Same(a),
                    Imag => Answer::Same(0),
                    IsNan | IsInf => Answer::BoolByte(false),
                    IsFinite => Answer::BoolByte(true),
                    SignBit => Answer::BoolByte(x < 0),
                    _ => return None,
                })
            }
            fn less(a: Self, b: Self) -> bool {
                a < b
            }
            fn alike(a: Self, b: Self) -> bool {
                a == b
            }
            #[allow(unused_comparisons, reason = "also for unsigned integers")]
            fn refused(self) -> [bool; 2] {
                [self == 0, self < 0]
            }
        }
    )*};
}

integers!(u8 i16, u16 i32, u32 i64, u64 i128, i8 i16, i16 i32, i32 i64, i64 i128);

macro_rules! floats {
    ($($float:ident $bits:ident $complex:ident),*) => {$(
        impl Oracle for $float {
            fn any(random: u64) -> Self {
                let extremes = [
                    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, Self::MAX, Self::MIN, Self::MIN_POSITIVE, Self::INFINITY,
                    Self::NEG_INFINITY, Self::NAN, Self::EPSILON, Self::from_bits(1), -Self::from_bits(1), 1.0 + Self::EPSILON,
                    65504.0, 65520.0, 1e10, 255.0, 256.0, -128.0, -129.0, 2147483648.0, 9223372036854775808.0, 18446744073709551616.0,
                    // A little above what lies halfway between two numbers of a small float: it may not be rounded to `f32` first.
                    1.125 + 1e-9, 1.0625 + 1e-9, 1.0 + 1.0 / 256.0 + 1e-9, 1.0 + 1.0 / 2048.0 + 1e-9,
                ];
                match random % 3 {
                    0 => Self::from_bits((random >> 2).wrapping_mul(0x9E37_79B9_7F4A_7C15) as $bits),
                    1 => ((random >> 8) % 2048) as Self / 8.0 - 100.0,
                    _ => extremes[(random >> 8) as usize % extremes.len()],
                }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                Some(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::FloorDiv => python_divmod_::$float(a, b).0,
                    BinaryOp::Rem => python_divmod_::$float(a, b).1,
                    // `functions.rs` measures the errors of powers.
                    BinaryOp::Pow => Functions::pow(a, b),
                    BinaryOp::Atan2 => Functions::atan2(a, b),
                    BinaryOp::Hypot => Functions::hypot(a, b),
                    BinaryOp::LogAddExp => Functions::log_add_exp(a, b),
                    BinaryOp::LeakyRelu => if a >= 0.0 { a } else { a * b },
                    BinaryOp::Elu => Functions::elu::<Baseline>(a, b),
                    BinaryOp::CopySign => if a.is_sign_negative() == b.is_sign_negative() { a } else { -a },
                    BinaryOp::NextAfter if a.is_nan() || b.is_nan() => Self::NAN,
                    BinaryOp::NextAfter if a == b => b,
                    BinaryOp::NextAfter => if b > a { a.next_up() } else { a.next_down() },
                    BinaryOp::Min | BinaryOp::Max if a.is_nan() || b.is_nan() => Self::NAN,
                    BinaryOp::Min => if a.total_cmp(&b).is_lt() { a } else { b },
                    BinaryOp::Max => if a.total_cmp(&b).is_gt() { a } else { b },
                    _ => return None,
                })
            }
            fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>> {
                use UnaryOp::*;
                Some(match op {
                    SignBit => Answer::BoolByte(a.is_sign_negative()),
                    IsNan => Answer::BoolByte(a.is_nan()),
                    IsInf => Answer::BoolByte(a.is_infinite()),
                    IsFinite => Answer::BoolByte(a.is_finite()),
                    Not => return None,
                    _ => Answer::Same(match op {
                        Neg => -a,
                        Abs => a.abs(),
                        Sign => if a > 0.0 { 1.0 } else if a < 0.0 { -1.0 } else { a },
                        Recip => a.recip(),
                        Sqrt => a.sqrt(),
                        Relu => if a <= 0.0 { 0.0 } else { a },
                        Floor => a.floor(),
                        Ceil => a.ceil(),
                        Round => a.round_ties_even(),
                        Trunc => a.trunc(),
                        Imag => 0.0,
                        Real | Conj => a,
                        // The errors of functions that call a library, or are our own code, are measured elsewhere.
                        other => code_of_row(other, a),
                    }),
                })
            }
            fn less(a: Self, b: Self) -> bool {
                a < b
            }
            fn alike(a: Self, b: Self) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
        }

        impl Oracle for $complex {
            fn any(random: u64) -> Self {
                Self::new($float::any(random), $float::any(random.rotate_left(29) ^ 0x55))
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                let nan = |z: Self| z.re.is_nan() || z.im.is_nan();
                Some(match op {
                    BinaryOp::Add => Self::new(a.re + b.re, a.im + b.im),
                    BinaryOp::Sub => Self::new(a.re - b.re, a.im - b.im),
                    BinaryOp::Mul => Self::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re),
                    BinaryOp::Div if b.re.abs() >= b.im.abs() && b.re == 0.0 => Self::new(a.re / 0.0, a.im / 0.0),
                    BinaryOp::Div if b.re.abs() >= b.im.abs() => {
                        let ratio = b.im / b.re;
                        let scale = 1.0 / (b.re + b.im * ratio);
                        Self::new((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
                    }
                    BinaryOp::Div => {
                        let ratio = b.re / b.im;
                        let scale = 1.0 / (b.im + b.re * ratio);
                        Self::new((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
                    }
                    // `tests/accuracy` measures the errors of powers and angles.
                    BinaryOp::Pow => ComputeType::pow::<Baseline>(a, b),
                    BinaryOp::Atan2 => ComputeType::atan2::<Baseline>(a, b),
                    BinaryOp::Min | BinaryOp::Max if nan(a) => a,
                    BinaryOp::Min | BinaryOp::Max if nan(b) => b,
                    BinaryOp::Min => if Self::less(a, b) { a } else { b },
                    BinaryOp::Max => if Self::less(b, a) { a } else { b },
                    _ => return None,
                })
            }
            fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>> {
                use UnaryOp::*;
                Some(match op {
                    IsNan => Answer::BoolByte(a.re.is_nan() || a.im.is_nan()),
                    IsInf => Answer::BoolByte(a.re.is_infinite() || a.im.is_infinite()),
                    IsFinite => Answer::BoolByte(a.re.is_finite() && a.im.is_finite()),
                    Abs => Answer::Part(Functions::hypot(a.re, a.im).into()),
                    Real => Answer::Part(a.re.into()),
                    Imag => Answer::Part(a.im.into()),
                    _ if !op.is_defined(<Self as Element>::DTYPE) => return None,
                    Round => Answer::Same(Self::new(a.re.round_ties_even(), a.im.round_ties_even())),
                    Neg => Answer::Same(-a),
                    Conj => Answer::Same(Self::new(a.re, -a.im)),
                    // Code of our own: the errors are measured by `tests/accuracy`, and those of `c64` in `functions.rs`.
                    Recip | Sign | Exp | Expm1 | Sin | Cos | Tan | Sinh | Cosh | Tanh => Answer::Same(code_of_row(op, a)),
                    // Computed in `c128` and rounded once.
                    _ => {
                        let exact = complex_function(op, c128::new(a.re.into(), a.im.into()));
                        Answer::Same(Self::new(exact.re as $float, exact.im as $float))
                    }
                })
            }
            fn less(a: Self, b: Self) -> bool {
                if a.re == b.re { a.im < b.im } else { a.re < b.re }
            }
            fn alike(a: Self, b: Self) -> bool {
                $float::alike(a.re, b.re) && $float::alike(a.im, b.im)
            }
        }
    )*};
}

/// The code of a function's row whose result has the dtype of the operand. It is no reference for results, but for how they get into
/// arrays.
fn code_of_row<T: ComputeType>(op: UnaryOp, x: T) -> T {
    macro_rules! rows {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {
            match op {
                $(UnaryOp::$Op => rows!(@$Result $name),)*
            }
        };
        (@Itself $name:ident) => { T::$name::<Baseline>(x) };
        (@$Result:ident $name:ident) => { panic!("no answer for {op:?}") };
    }
    each_unary!(kernels rows!)
}

/// A function of complex numbers. The errors of those that are our own code are measured by `tests/accuracy`.
fn complex_function(op: UnaryOp, z: c128) -> c128 {
    use UnaryOp::*;
    match op {
        Log2 => ComputeType::ln::<Baseline>(z) / core::f64::consts::LN_2,
        Log10 => ComputeType::ln::<Baseline>(z) / core::f64::consts::LN_10,
        other => code_of_row(other, z),
    }
}

floats!(f32 u32 c64, f64 u64 c128);

/// Python's `divmod` of floats, from the documentation of NumPy's `floor_divide` and `remainder`.
mod python_divmod_ {
    macro_rules! divmod {
        ($($float:ident),*) => {$(
            pub(super) fn $float(a: $float, b: $float) -> ($float, $float) {
                let rest = a % b;
                if b == 0.0 {
                    return (a / b, rest);
                }
                let wrong_sign = rest != 0.0 && rest.is_sign_negative() != b.is_sign_negative();
                let whole = (a - rest) / b - if wrong_sign { 1.0 } else { 0.0 };
                let quotient = if whole == 0.0 {
                    if (a / b).is_sign_negative() { -0.0 } else { 0.0 }
                } else if whole - whole.floor() > 0.5 {
                    whole.floor() + 1.0
                } else {
                    whole.floor()
                };
                let rest = match rest == 0.0 {
                    true if b.is_sign_negative() => -0.0,
                    true => 0.0,
                    false if wrong_sign => rest + b,
                    false => rest,
                };
                (quotient, rest)
            }
        )*};
    }
    divmod!(f32, f64);
}

macro_rules! small_floats {
    ($($float:ident $bits:ident),*) => {$(
        impl Oracle for $float {
            fn any(random: u64) -> Self {
                if random % 4 == 0 { cast(f32::any(random >> 2)) } else { Self::from_bits((random >> 8) as $bits) }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Option<Self> {
                let (x, y) = (a.to_f32(), b.to_f32());
                if op == BinaryOp::NextAfter && x != y && !x.is_nan() && !y.is_nan() {
                    // The nearest number on that side, among those whose bits could be it.
                    const SIGN: $bits = 1 << ($bits::BITS - 1);
                    let bits = [a.to_bits().wrapping_add(1), a.to_bits().wrapping_sub(1), 0, 1, SIGN | 1];
                    let numbers = bits.map(|bits| Self::from_bits(bits).to_f32()).into_iter();
                    let next = if y > x {
                        numbers.filter(|number| *number > x).min_by(f32::total_cmp)
                    } else {
                        numbers.filter(|number| *number < x).max_by(f32::total_cmp)
                    };
                    let next = next.expect("a number between both");
                    return Some(Self::from_f32(if next == 0.0 { next.copysign(x) } else { next }));
                }
                f32::binary(op, x, y).map(Self::from_f32)
            }
            fn unary(op: UnaryOp, a: Self) -> Option<Answer<Self>> {
                Some(match f32::unary(op, a.to_f32())? {
                    Answer::Same(value) => Answer::Same(Self::from_f32(value)),
                    Answer::BoolByte(truth) => Answer::BoolByte(truth),
                    Answer::Part(part) => Answer::Part(part),
                })
            }
            fn less(a: Self, b: Self) -> bool {
                a.to_f32() < b.to_f32()
            }
            fn alike(a: Self, b: Self) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
        }
    )*};
}

macro_rules! float8 {
    ($($(#[$doc:meta])* $marker:ident $element:ident { $($format:tt)* })*) => {
        small_floats!(f16 u16, bf16 u16 $(, $element u8)*);
    };
}

supremum_macros::with_float8!(float8);
