//! Lowering of conversions between dtypes.

use crate::dtype::float8::dispatch_float8;
use crate::dtype::{DType, Kind, bf16, compute_dtype, f16};
use crate::trace::graph::{Graph, Node};

use super::part_of;

impl Graph {
    /// Lowers [`exec::cast`](crate::exec::cast).
    ///
    /// A float that is converted to an integer saturates, and NaN becomes zero. XLA does this; StableHLO leaves it
    /// undefined.
    pub(in crate::trace) fn cast(&mut self, x: Node, to: DType) -> Node {
        let from = self.dtype(x);
        if from == to {
            return x;
        }
        if from.is_small_float() {
            let decoded = self.convert(x, DType::F32);
            return self.cast(decoded, to);
        }
        if to == DType::Bool {
            return self.is_not_zero(x);
        }
        match (from.kind(), to.kind()) {
            (Kind::Complex, Kind::Complex) => self.convert(x, to),
            (Kind::Complex, _) => {
                let [re, _] = self.parts(x);
                self.cast(re, to)
            }
            (_, Kind::Complex) => {
                let re = self.cast(x, part_of(to));
                let im = self.constant_like(re, 0.0);
                self.complex(re, im)
            }
            _ if to.is_small_float() => {
                let rounded = self.rounded_to_odd(x);
                self.encoded(rounded, to)
            }
            _ => self.convert(x, to),
        }
    }

    /// Lowers [`exec::cast_saturating`](crate::exec::cast_saturating) where it clamps: integers before they are converted,
    /// floats before they are rounded.
    pub(in crate::trace) fn saturated(&mut self, x: Node, to: DType) -> Node {
        let from = self.dtype(x);
        if to.kind() != Kind::Float {
            let [(least, greatest), (low, high)] = [from, to].map(DType::integer_bounds);
            let [low, high] =
                [low.max(least), high.min(greatest)].map(|bound| match i64::try_from(bound) {
                    Ok(bound) => self.number(x, from, bound),
                    // Only the greatest `u64`.
                    Err(_) => self.number(x, from, u64::MAX),
                });
            let x = self.same("clamp", &[low, x, high]);
            return self.cast(x, to);
        }
        let x = match to.is_small_float() {
            true => self.rounded_to_odd(x),
            false => self.cast(x, to),
        };
        let greatest = match to {
            DType::F32 => f32::MAX.into(),
            DType::F64 => f64::MAX,
            DType::F16 => f16::MAX.into(),
            DType::BF16 => bf16::MAX.into(),
            _ => dispatch_float8!(to, E => E::MAX.into(), _ => f64::MAX),
        };
        let [low, high] = [-greatest, greatest].map(|bound: f64| self.constant_like(x, bound));
        let x = self.same("clamp", &[low, x, high]);
        self.convert(x, to)
    }

    /// Rounds to the dtype `compute`, then converts to the dtype in which it is computed (`f32` for small floats).
    pub(super) fn in_compute_dtype(&mut self, x: Node, compute: DType) -> Node {
        let x = self.cast(x, compute);
        self.convert(x, compute_dtype(compute))
    }

    fn is_not_zero(&mut self, x: Node) -> Node {
        if self.dtype(x).kind() != Kind::Complex {
            let zero = self.constant_like(x, 0.0);
            return self.compare("NE", x, zero);
        }
        let [re, im] = self.parts(x).map(|part| self.is_not_zero(part));
        self.or(re, im)
    }

    /// Rounds `f32` to a small float, to nearest even.
    fn encoded(&mut self, x: Node, to: DType) -> Node {
        if to != DType::F8E4M3FN {
            return self.convert(x, to);
        }
        // Magnitudes up to 464 round to the greatest value, 448: 464 is a tie, and 448 is even. XLA would convert 464
        // to NaN.
        let magnitude = self.same("abs", &[x]);
        let [greatest, tie] = [448.0, 464.0].map(|bound| self.constant_like(x, bound));
        let least = self.constant_like(x, -448.0);
        let fits = self.compare("LE", magnitude, tie);
        let clamped = self.same("clamp", &[least, x, greatest]);
        let x = self.select(fits, clamped, x);
        self.convert(x, to)
    }

    /// Converts to `f32`, rounding to odd. A further rounding to a small float then gives the same result as a single
    /// rounding. (XLA rounds an `f64` to nearest twice: to `f32`, then to the small float.)
    fn rounded_to_odd(&mut self, x: Node) -> Node {
        match self.dtype(x) {
            DType::I64 | DType::U64 => {
                let x = self.sticky(x);
                self.rounded_to_odd(x)
            }
            DType::I32 | DType::U32 => {
                let x = self.convert(x, DType::F64);
                self.rounded_to_odd(x)
            }
            DType::F64 => {
                let nearest = self.convert(x, DType::F32);
                let back = self.convert(nearest, DType::F64);
                let [far, near] = [back, x].map(|x| self.same("abs", &[x]));
                let bits = self.bits(nearest, DType::U32);
                // Truncate (subtract one from the bits if rounding went away from zero), then set the last bit if
                // inexact.
                let beyond = self.compare("GT", far, near);
                let beyond = self.convert(beyond, DType::U32);
                let towards_zero = self.subtract(bits, beyond);
                let inexact = self.compare("NE", back, x);
                let inexact = self.convert(inexact, DType::U32);
                let odd = self.or(towards_zero, inexact);
                self.bits(odd, DType::F32)
            }
            _ => self.convert(x, DType::F32),
        }
    }

    /// Converts a 64-bit integer to `f64` so that a later rounding to odd sees whether low bits were lost. Above 2^53
    /// in magnitude, `f64` cannot hold all bits: the lowest eleven are replaced by one sticky bit, which is set if any
    /// of them was.
    fn sticky(&mut self, x: Node) -> Node {
        const LOW: u64 = 0x7ff;
        let dtype = self.dtype(x);
        let mask = self.number(x, dtype, LOW);
        let low = self.and(x, mask);
        let high = self.same("xor", &[x, low]);
        let [zero, half] = [0, 0x400_u64].map(|number| self.number(x, dtype, number));
        let is_some = self.compare("NE", low, zero);
        let rest = self.select(is_some, half, zero);
        let merged = self.or(high, rest);
        let bound = self.number(x, dtype, 1_u64 << 53);
        let mut is_large = self.compare("GT", x, bound);
        if dtype == DType::I64 {
            let bound = self.number(x, dtype, -(1_i64 << 53));
            let is_low = self.compare("LT", x, bound);
            is_large = self.or(is_large, is_low);
        }
        let x = self.select(is_large, merged, x);
        self.convert(x, DType::F64)
    }
}
