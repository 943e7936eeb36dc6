//! The codec of small floats: one decoder and one encoder for every format that is narrower than `f32` in exponent and
//! mantissa, described by [`Codec`]'s constants.
//!
//! Both move the exponent and mantissa bits of the small float to where `f32` has them, and correct the exponent's bias by
//! an addition. The processor's adder normalises subnormal numbers: decoding subtracts the value of the hidden bit alone;
//! encoding adds a number whose last place is the unit of the subnormals, so that the sum is rounded to that unit. Nothing
//! branches, and with a constant codec every condition on the format folds away, so that the loops of the kernel vectorise.
//!
//! `bf16` is the upper half of an `f32`, so it does not use the codec. Its conversions are at the end of the file.
#![allow(clippy::as_conversions, reason = "bit manipulation of element formats")]

/// The values besides finite numbers that a format's bit patterns stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Specials {
    /// The largest exponent holds infinities and NaNs, as in IEEE 754.
    Ieee,
    /// Finite numbers and one NaN for each sign, which is all ones.
    Fn,
    /// Finite numbers and a single NaN, which stands where negative zero would.
    Fnuz,
}

/// A format of a sign, at most 7 exponent bits and at most 21 mantissa bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codec {
    pub(crate) exponent_bits: u32,
    pub(crate) mantissa_bits: u32,
    pub(crate) bias: u32,
    pub(crate) specials: Specials,
}

impl Codec {
    /// IEEE 754's half precision.
    pub(crate) const F16: Self = Self {
        exponent_bits: 5,
        mantissa_bits: 10,
        bias: 15,
        specials: Specials::Ieee,
    };

    /// The sign bit.
    #[inline(always)]
    pub(crate) const fn sign(self) -> u32 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// The number one.
    pub(crate) const fn one(self) -> u32 {
        self.bias << self.mantissa_bits
    }

    /// The smallest normal number.
    #[inline(always)]
    pub(crate) const fn min_positive(self) -> u32 {
        1 << self.mantissa_bits
    }

    /// Two to the power of minus the mantissa bits.
    pub(crate) const fn epsilon(self) -> u32 {
        match self.bias > self.mantissa_bits {
            true => (self.bias - self.mantissa_bits) << self.mantissa_bits,
            // A subnormal number.
            false => 1 << (self.bias - 1),
        }
    }

    /// All exponent bits.
    #[inline(always)]
    pub(crate) const fn exponent(self) -> u32 {
        self.sign() - self.min_positive()
    }

    /// The largest finite number.
    #[inline(always)]
    pub(crate) const fn max(self) -> u32 {
        match self.specials {
            Specials::Ieee => self.exponent() - 1,
            Specials::Fn => self.sign() - 2,
            Specials::Fnuz => self.sign() - 1,
        }
    }

    /// The NaN that conversions make, except for its sign.
    #[inline(always)]
    pub(crate) const fn nan(self) -> u32 {
        match self.specials {
            Specials::Ieee => self.exponent() | 1 << (self.mantissa_bits - 1),
            Specials::Fn => self.sign() - 1,
            Specials::Fnuz => self.sign(),
        }
    }

    /// Returns whether these bits are a NaN.
    #[inline(always)]
    pub(crate) const fn is_nan(self, bits: u32) -> bool {
        let magnitude = bits & (self.sign() - 1);
        match self.specials {
            Specials::Ieee => magnitude > self.exponent(),
            Specials::Fn => magnitude == self.nan(),
            Specials::Fnuz => bits == self.nan(),
        }
    }

    /// Returns whether these bits are a finite number.
    pub(crate) const fn is_finite(self, bits: u32) -> bool {
        bits & (self.sign() - 1) <= self.max() && !self.is_nan(bits)
    }

    /// Decodes; exact. NaN becomes quiet and keeps its sign, and its payload as far as the format has one.
    #[inline(always)]
    pub(crate) fn decode(self, bits: u32) -> f32 {
        let to_f32 = F32_MANTISSA - self.mantissa_bits;
        let rebias = (F32_BIAS - self.bias) << F32_MANTISSA;
        let hidden_bit = rebias + F32_HIDDEN_BIT;
        let magnitude = (bits & (self.sign() - 1)) << to_f32;
        let sign = (bits & self.sign()) << (31 - self.exponent_bits - self.mantissa_bits);
        let normal = magnitude + rebias;
        let subnormal =
            (f32::from_bits(magnitude + hidden_bit) - f32::from_bits(hidden_bit)).to_bits();
        let finite = if magnitude < F32_HIDDEN_BIT {
            subnormal
        } else {
            normal
        };
        let number = match self.specials {
            Specials::Ieee => {
                let infinity = self.exponent() << to_f32;
                let quiet = if magnitude > infinity { F32_QUIET } else { 0 };
                let special = (magnitude + (F32_INFINITY - infinity)) | quiet;
                if magnitude >= infinity {
                    special
                } else {
                    finite
                }
            }
            Specials::Fn | Specials::Fnuz if self.is_nan(bits) => F32_INFINITY | F32_QUIET,
            Specials::Fn | Specials::Fnuz => finite,
        };
        f32::from_bits(number | sign)
    }

    /// Rounds to nearest even. Above the largest number after rounding lies infinity, or NaN in formats without it. NaN
    /// becomes quiet and keeps its sign, and formats of more than eight bits keep the upper bits of its payload.
    #[inline(always)]
    pub(crate) fn encode(self, value: f32) -> u32 {
        let from_f32 = F32_MANTISSA - self.mantissa_bits;
        let rebias = (F32_BIAS - self.bias) << F32_MANTISSA;
        // Its last place is the unit of the subnormals.
        let subnormal_unit =
            (F32_BIAS + F32_MANTISSA + 1 - self.bias - self.mantissa_bits) << F32_MANTISSA;
        let bits = value.to_bits();
        let sign = (bits >> (31 - self.exponent_bits - self.mantissa_bits)) & self.sign();
        let magnitude = bits & 0x7fff_ffff;
        // Rebias the exponent and round half to even in one addition.
        let half_less_one = (1_u32 << (from_f32 - 1)) - 1;
        let normal = magnitude
            .wrapping_add(half_less_one.wrapping_sub(rebias))
            .wrapping_add((magnitude >> from_f32) & 1)
            >> from_f32;
        let subnormal = (f32::from_bits(magnitude) + f32::from_bits(subnormal_unit))
            .to_bits()
            .wrapping_sub(subnormal_unit);
        let finite = if magnitude < rebias + F32_HIDDEN_BIT {
            subnormal
        } else {
            normal
        };
        match self.specials {
            // Numbers that are too large come out above infinity.
            Specials::Ieee => {
                let number = finite.min(self.exponent());
                let has_payload = self.exponent_bits + self.mantissa_bits > 7;
                let payload = if has_payload {
                    magnitude >> from_f32
                } else {
                    0
                };
                let nan = self.nan() | payload & (self.min_positive() - 1);
                (if magnitude > F32_INFINITY {
                    nan
                } else {
                    number
                }) | sign
            }
            // NaN and numbers that are too large come out at all ones or above.
            Specials::Fn => finite.min(self.nan()) | sign,
            // NaN and numbers that are too large come out above the largest number.
            Specials::Fnuz => {
                let number = if finite == 0 { 0 } else { finite | sign };
                if finite > self.max() {
                    self.nan()
                } else {
                    number
                }
            }
        }
    }
}

const F32_MANTISSA: u32 = 23;
const F32_BIAS: u32 = 127;
const F32_HIDDEN_BIT: u32 = 1 << F32_MANTISSA;
const F32_INFINITY: u32 = 0x7f80_0000;
const F32_QUIET: u32 = 0x0040_0000;

/// Decodes a half-precision float; exact.
#[inline(always)]
pub(crate) fn f16_to_f32(bits: u16) -> f32 {
    Codec::F16.decode(bits.into())
}

/// Rounds to half precision, to nearest even; too large gives infinity.
#[inline(always)]
pub(crate) fn f32_to_f16(value: f32) -> u16 {
    Codec::F16.encode(value) as u16
}

/// Decodes a bfloat16; exact, NaN payloads kept.
#[inline(always)]
pub(crate) fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// Rounds to bfloat16, to nearest even; too large gives infinity.
#[inline(always)]
pub(crate) fn f32_to_bf16(value: f32) -> u16 {
    upper_half(bf16_bits(value, true))
}

/// The nearest bfloat16, as an `f32`.
#[inline(always)]
pub(crate) fn round_to_bf16(value: f32) -> f32 {
    cleared(bf16_bits(value, true))
}

/// Bits of which the upper half are those of the nearest bfloat16.
///
/// `any_nan` says whether a NaN may have more bits than a bfloat16. NaNs from arithmetic on bfloat16s have not: the processor
/// returns the NaN of an operand, or its default NaN, which has no payload.
#[inline(always)]
pub(crate) fn bf16_bits(value: f32, any_nan: bool) -> u32 {
    let bits = value.to_bits();
    debug_assert!(
        any_nan || !value.is_nan() || bits & 0xffff == 0,
        "a NaN of bfloat16s"
    );
    if any_nan && value.is_nan() {
        bits | 0x0040_0000
    } else {
        bits.wrapping_add(0x7fff).wrapping_add(bits >> 16 & 1)
    }
}

#[inline(always)]
pub(crate) fn upper_half(bits: u32) -> u16 {
    (bits >> 16) as u16
}

/// The float whose upper half the bits have.
#[inline(always)]
pub(crate) fn cleared(bits: u32) -> f32 {
    f32::from_bits(bits & 0xffff_0000)
}
