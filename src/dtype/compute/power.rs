//! Powers of `f32`, as code that vectorises: they compute in `f64`, without branches, as [`functions`](super::functions) do.
#![expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]

use core::f64::consts::LOG2_E;

use super::arithmetic::{complex_mul, complex_recip};
use crate::dtype::{DType, Kind, c128};

use super::double::power::{cube, fourth, root};
use super::functions::{ROUND, polynomial, power_of_two, split_mantissa};

/// The base of a power of floats, on which it depends which powers are products or quotients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PowerBase {
    /// A float that is narrower than `f64`. The power is computed in `f64` and rounded once to the dtype of the base.
    Narrow,
    /// An `f64`, as the power is.
    Wide,
    /// A complex number. The power is computed in `c128` and rounded once to the dtype of the base; the root in the dtype of the base.
    Complex,
    /// Another base, or a power of another dtype.
    Other,
}

impl PowerBase {
    /// Returns the base of a power with these dtypes: of the base, of the computation and of the result.
    #[inline(always)]
    pub(crate) const fn of([base, compute, out]: [DType; 3]) -> Self {
        let is_float = matches!(base.kind(), Kind::Float) && base.index() == out.index();
        let keeps_digits =
            compute.index() == base.index() || compute.index() == DType::C128.index();
        let is_complex = matches!(base.kind(), Kind::Complex) && base.index() == out.index();
        if is_complex && keeps_digits {
            Self::Complex
        } else if !is_float || compute.index() != DType::F64.index() {
            Self::Other
        } else if base.size() <= DType::F32.size() {
            Self::Narrow
        } else {
            Self::Wide
        }
    }
}

/// The powers that are computed as products, quotients or roots.
///
/// The square is the rounded product in each dtype, and the power by one half the rounded root. [`pow`] gives both too, so they do not depend
/// on the base. The others of a [narrow base](PowerBase::Narrow) are computed in `f64` and rounded once to the dtype of the base. They then
/// have the bits of the rounded `pow` of `f64`: a test compares them for each small float, and they were compared for each `f32`. Those of a
/// [wide base](PowerBase::Wide) are the powers that `pow` of `f64` computes in the same way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ShortPower {
    Square,
    Root,
    Cube,
    Fourth,
    Reciprocal,
    ReciprocalSquare,
}

impl ShortPower {
    /// Returns the power with an exponent, if it is one of these.
    #[inline(always)]
    pub(crate) fn of(exponent: f64, base: PowerBase) -> Option<Self> {
        if exponent == 2.0 {
            Some(Self::Square)
        } else if exponent == 0.5 {
            Some(Self::Root)
        } else if base == PowerBase::Other {
            None
        } else if exponent == 3.0 {
            Some(Self::Cube)
        } else if exponent == 4.0 {
            Some(Self::Fourth)
        } else if exponent == -1.0 {
            Some(Self::Reciprocal)
        } else if exponent == -2.0 && base != PowerBase::Wide {
            Some(Self::ReciprocalSquare)
        } else {
            None
        }
    }

    /// Computes the power of a number of a narrow dtype, before it is rounded to that.
    #[inline(always)]
    pub(crate) fn of_narrow(self, x: f64) -> f64 {
        let square = x * x;
        match self {
            Self::Square => square,
            Self::Root => root(x),
            Self::Cube => square * x,
            Self::Fourth => square * square,
            Self::Reciprocal => 1.0 / x,
            Self::ReciprocalSquare => 1.0 / square,
        }
    }

    /// Computes the power of an `f32`, rounded to that. The root needs no wider dtype.
    #[inline(always)]
    pub(crate) fn of_single(self, x: f32) -> f32 {
        match self {
            Self::Root => single_root(x),
            _ => self.of_narrow(f64::from(x)) as f32,
        }
    }

    /// Computes the power of a complex number, before it is rounded to the dtype of that. `root` computes its root in that dtype.
    ///
    /// At zeros, infinities and NaN it is what NumPy gives. The root of an infinity is that of `exp(ln(z) / 2)`.
    #[inline(always)]
    pub(crate) fn of_complex(self, z: c128, root: impl FnOnce() -> c128) -> c128 {
        let square = complex_mul(z, z);
        let (power, of_zero) = match self {
            Self::Square => (square, 0.0),
            Self::Root => (root(), 0.0),
            Self::Cube => (complex_mul(square, z), 0.0),
            Self::Fourth => (complex_mul(square, square), 0.0),
            Self::Reciprocal => (complex_recip(z), f64::NAN),
            Self::ReciprocalSquare => (complex_recip(square), f64::NAN),
        };
        let is_nan = z.re.is_nan() | z.im.is_nan();
        let has_limit = (self == Self::Root) & !(z.re.is_finite() & z.im.is_finite());
        let limit = if is_nan { f64::NAN } else { f64::INFINITY };
        let (real, imaginary) = (
            if has_limit { limit } else { power.re },
            if has_limit { f64::NAN } else { power.im },
        );
        let is_zero = (z.re == 0.0) & (z.im == 0.0);
        c128::new(
            if is_zero { of_zero } else { real },
            if is_zero { of_zero } else { imaginary },
        )
    }

    /// Computes the power of an `f64`.
    #[inline(always)]
    pub(crate) fn of_wide(self, x: f64) -> f64 {
        match self {
            Self::Cube => cube(x),
            Self::Fourth => fourth(x),
            Self::Square | Self::Root | Self::Reciprocal | Self::ReciprocalSquare => {
                self.of_narrow(x)
            }
        }
    }
}

/// `base` to the power of `exponent`, as IEEE 754 defines `pow`; a square is the rounded product, and a power by one half the rounded root.
///
/// |base|^exponent is 2^(exponent * log2 |base|). The exponential magnifies the error of the logarithm by up to 150, which is why the
/// logarithm has ten more bits here than a result has.
#[inline(always)]
pub(super) fn pow(base: f32, exponent: f32) -> f32 {
    let (x, y) = (f64::from(base), f64::from(exponent));
    let size = x.abs();
    // NaN has none either; the sum of the operands restores it at the end.
    let has_logarithm = size > 0.0 && size < f64::INFINITY;
    let edge = if size > 0.0 {
        f64::INFINITY
    } else {
        f64::NEG_INFINITY
    };
    let logarithm = if has_logarithm { log2(size) } else { edge };
    // One to an infinite power is one, but zero times infinity would be NaN.
    let product = if size == 1.0 { 0.0 } else { y * logarithm };
    let power = power_of_two(product) as f32;

    // From 2²⁴ on all floats are even integers, and so are infinities here.
    let bounded = if y.abs() < 33_554_432.0 {
        y
    } else {
        33_554_432.0
    };
    let shifted = bounded + ROUND;
    let is_integer = shifted - ROUND == bounded;
    let is_odd = is_integer & (shifted.to_bits() & 1 == 1);
    let signed = if is_odd { power.copysign(base) } else { power };
    let is_root = (base < 0.0) & has_logarithm & !is_integer;
    let result = if is_root { f32::NAN } else { signed };

    let result = if base.is_nan() | exponent.is_nan() {
        base + exponent
    } else {
        result
    };
    let result = if exponent == 2.0 { base * base } else { result };
    let result = if exponent == 0.5 {
        single_root(base)
    } else {
        result
    };
    // A signalling NaN must not matter where a quiet one does not.
    if (exponent == 0.0) | (base == 1.0) {
        1.0
    } else {
        result
    }
}

/// [`root`] of an `f32`.
#[inline(always)]
fn single_root(x: f32) -> f32 {
    if x == f32::NEG_INFINITY {
        f32::INFINITY
    } else {
        (x + 0.0).sqrt()
    }
}

/// Returns whether the operands have neither signs nor limits that matter, and the power is not a root, so that loops may take the short way.
#[inline(always)]
pub(super) fn is_usual(base: f32, exponent: f32) -> bool {
    (base > 1e-37) & (base < 1e38) & (exponent.abs() < 1e38) & (exponent != 0.5)
}

/// The logarithm to base 2 of a positive finite number, within 2⁻³⁸ of itself.
#[inline(always)]
fn log2(x: f64) -> f64 {
    let (exponent, part) = split_mantissa(x);
    // ln(1 + x) / x for √½ <= 1 + x <= √2, within 2⁻³⁸·⁴
    let slope = polynomial!(
        part;
        0.999_999_999_998_344,
        -0.499_999_999_918_944_8,
        0.333_333_334_608_679_4,
        -0.250_000_022_815_872_36,
        0.199_999_852_738_167_4,
        -0.166_664_767_463_197_22,
        0.142_862_571_294_210_8,
        -0.125_069_225_939_871_55,
        0.111_053_731_267_299_2,
        -0.098_772_521_374_037_79,
        0.090_300_170_523_511_43,
        -0.093_317_935_965_984_31,
        0.091_850_355_874_842_6,
        -0.048_339_499_707_471_895
    );
    exponent + part * slope * LOG2_E
}
