//! The functions of floats and complex numbers, each with the code that computes it.
#![expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]

use super::angles::{acos, asin, atan, atan2};
use super::functions::{acosh, asinh, atanh, cbrt, erfc, hypot, log_add_exp, rsqrt};
use super::gaussian::{erf, gelu};
use super::hyperbolic::{cosh, sinh};
use super::logarithm::{ln, ln_1p, log2, log10};
use super::power::{PowerBase, ShortPower, pow};
use super::single::{elu, exp, exp_m1, exp2, tanh};
use super::trigonometric::{cos, sin, tan};
use super::{activations, complex, complex_power, complex_single, double};
use crate::dtype::{c64, c128};
#[cfg(test)]
use crate::simd::Baseline;
use crate::simd::Isa;

/// `function: code for f32, code for f64;`, `function<I>: ..` if the code for `f32` depends on the instruction set, `function(other): ..` of
/// two operands
macro_rules! functions {
    ($($function:ident $(<$I:ident>)? $(($other:ident))?: $single:expr, $double:expr;)*) => {
        /// Functions of floats, which vectorise.
        pub(crate) trait Functions: Copy {
            $(fn $function $(<$I: Isa>)? (self $(, $other: Self)?) -> Self;)*
        }
        impl Functions for f32 {
            $(
                #[inline(always)]
                fn $function $(<$I: Isa>)? (self $(, $other: Self)?) -> Self {
                    $single(self $(, $other)?)
                }
            )*
        }
        impl Functions for f64 {
            $(
                #[inline(always)]
                fn $function $(<$I: Isa>)? (self $(, $other: Self)?) -> Self {
                    $double(self $(, $other)?)
                }
            )*
        }
        /// Name and code of each function of one operand.
        #[cfg(test)]
        pub(crate) const OF_ONE_OPERAND: &[Option<OfOneOperand>] =
            &[$(functions!(@one $function $(<$I>)? $($other)?)),*];
        /// Name and code of each function of one `f32` whose code depends on the instruction set.
        #[cfg(test)]
        pub(crate) fn by_instruction_set<I: Isa>() -> Vec<(&'static str, fn(f32) -> f32)> {
            [$(functions!(@dependent $function $(<$I>)? $($other)?)),*].into_iter().flatten().collect()
        }
    };
    (@dependent $function:ident <$I:ident>) => {
        Some((stringify!($function), <f32 as Functions>::$function::<I> as fn(f32) -> f32))
    };
    (@dependent $function:ident $(<$I:ident>)? $($other:ident)?) => { None };
    (@one $function:ident <$I:ident>) => {
        Some((stringify!($function), <f32 as Functions>::$function::<Baseline>, <f64 as Functions>::$function::<Baseline>))
    };
    (@one $function:ident) => {
        Some((stringify!($function), <f32 as Functions>::$function, <f64 as Functions>::$function))
    };
    (@one $function:ident $(<$I:ident>)? $other:ident) => { None };
}

#[cfg(test)]
pub(crate) type OfOneOperand = (&'static str, fn(f32) -> f32, fn(f64) -> f64);

functions! {
    exp<I>: exp::<I>, double::exponential::exp;
    exp2<I>: exp2::<I>, double::exponential::exp2;
    exp_m1<I>: exp_m1::<I>, double::exponential::exp_m1;
    ln: ln, double::logarithm::ln;
    ln_1p: ln_1p, double::logarithm::ln_1p;
    log2: log2, double::logarithm::log2;
    log10: log10, double::logarithm::log10;
    sin: sin, double::trigonometric::sin;
    cos: cos, double::trigonometric::cos;
    tan: tan, double::trigonometric::tan;
    asin: asin, double::angles::asin;
    acos: acos, double::angles::acos;
    atan: atan, double::angles::atan;
    sinh: sinh, double::exponential::sinh;
    cosh: cosh, double::exponential::cosh;
    tanh<I>: tanh::<I>, double::exponential::tanh;
    asinh: asinh, double::inverse_hyperbolic::asinh;
    acosh: acosh, double::inverse_hyperbolic::acosh;
    atanh: atanh, double::inverse_hyperbolic::atanh;
    sigmoid<I>: activations::sigmoid::<I>, double::activations::sigmoid;
    gelu<I>: gelu::<I>, double::activations::gelu;
    gelu_tanh<I>: activations::gelu_tanh::<I>, double::activations::gelu_tanh;
    silu<I>: activations::silu::<I>, double::activations::silu;
    softplus: |x| log_add_exp(x, 0.0), |x| double::logarithm::log_add_exp(x, 0.0);
    erf<I>: erf::<I>, double::error_function::erf;
    erfc: erfc, double::error_function::erfc;
    rsqrt: rsqrt, |x: f64| 1.0 / x.sqrt();
    cbrt: cbrt, double::roots::cbrt;
    atan2(other): atan2, double::angles::atan2;
    hypot(other): hypot, double::roots::hypot;
    elu<I>(other): elu::<I>, double::activations::elu;
    log_add_exp(other): log_add_exp, double::logarithm::log_add_exp;
    pow(other): pow, double::power::pow;
}

/// `function: code for c128;`, with the code for c64 in [`complex_single`]
macro_rules! complex_functions {
    ($($function:ident: $double:expr;)*) => {
        /// Functions that `c64` has in vectorised form; those of `c128` branch.
        pub(crate) trait ComplexFunctions: Copy {
            $(fn $function(self) -> Self;)*
        }
        impl ComplexFunctions for c64 {
            $(
                #[inline(always)]
                fn $function(self) -> Self {
                    complex_single::$function(self)
                }
            )*
        }
        impl ComplexFunctions for c128 {
            $(
                #[inline(always)]
                fn $function(self) -> Self {
                    $double(self)
                }
            )*
        }
        /// Name and code of each.
        #[cfg(test)]
        pub(crate) const COMPLEX: &[OfComplex] = &[$((
            stringify!($function),
            <c64 as ComplexFunctions>::$function,
            <c128 as ComplexFunctions>::$function,
        )),*];
    };
}

#[cfg(test)]
pub(crate) type OfComplex = (&'static str, fn(c64) -> c64, fn(c128) -> c128);

complex_functions! {
    sqrt: complex::sqrt;
    exp: complex::exp;
    exp_m1: complex::exp_m1;
    sin: complex::sin;
    cos: complex::cos;
    tan: complex::tan;
    sinh: complex::sinh;
    cosh: complex::cosh;
    tanh: complex::tanh;
}

/// Operations on complex numbers that are made of functions of floats.
pub(crate) trait ComplexOperations: Copy {
    fn sign(self) -> Self;
    fn pow(self, exponent: Self) -> Self;
    /// The same bits as [`Self::pow`] by the exponent that the power stands for.
    fn short_power(self, power: ShortPower) -> Self;
    /// -i ln((x + iy) / sqrt(x² + y²)), the continuation of the angle of real numbers; `self` is y.
    fn atan2(self, x: Self) -> Self;
}

/// `type, type of its parts, bound of the arguments that [`complex_power::pow`] computes to the digits of `f64` only;`
macro_rules! complex_operations {
    ($($complex:ident, $part:ident, $bound:literal;)*) => {$(
        impl ComplexOperations for $complex {
            #[inline(always)]
            fn sign(self) -> Self {
                const UP: $part = (1_u64 << 60) as $part;
                // Near the ends of the range the magnitude overflows or loses digits.
                let magnitude = Functions::hypot(self.re, self.im);
                let z = if magnitude == $part::INFINITY {
                    self * 0.25
                } else if magnitude < $part::MIN_POSITIVE {
                    self * UP
                } else {
                    self
                };
                let magnitude = Functions::hypot(z.re, z.im);
                if magnitude == 0.0 { Self::ZERO } else { z / magnitude }
            }
            #[inline(always)]
            fn pow(self, exponent: Self) -> Self {
                if exponent.im == 0.0
                    && let Some(power) = ShortPower::of(f64::from(exponent.re), PowerBase::Complex)
                {
                    return self.short_power(power);
                }
                let [base, exponent] = [self, exponent].map(|z| c128::new(f64::from(z.re), f64::from(z.im)));
                let power = complex_power::pow(base, exponent, $bound);
                Self::new(power.re as $part, power.im as $part)
            }
            #[inline(always)]
            fn short_power(self, power: ShortPower) -> Self {
                let wide = |z: Self| c128::new(f64::from(z.re), f64::from(z.im));
                let power = power.of_complex(wide(self), || wide(ComplexFunctions::sqrt(self)));
                Self::new(power.re as $part, power.im as $part)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                let [y, x] = [self, x].map(|z| c128::new(f64::from(z.re), f64::from(z.im)));
                let angle = complex::atan2(y, x);
                Self::new(angle.re as $part, angle.im as $part)
            }
        }
    )*};
}

complex_operations! {
    // An argument of the exponential that is off by 2^-32 changes no digit of `c64`.
    c64, f32, 1_048_576.0;
    c128, f64, 1.0;
}
