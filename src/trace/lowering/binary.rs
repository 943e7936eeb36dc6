//! Lowering of binary operations.

use crate::codec::Specials;
use crate::dtype::float8::{Float8, dispatch_float8};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::{BinaryOp, CompareOp};
use crate::trace::graph::{Graph, Node};

/// A complex divisor, with what Smith's method computes of it alone.
struct Divisor {
    /// A boolean: the magnitude of the real part is at least that of the imaginary part.
    by_real: Node,
    /// The smaller part divided by the larger one.
    ratio: Node,
    /// The larger part plus the product of the ratio and the smaller part.
    sum: Node,
    /// A boolean: both parts are zero.
    is_zero: Node,
    /// The magnitude of the real part.
    size: Node,
}

impl Graph {
    /// Lowers [`exec::binary`](crate::exec::binary). The compute dtype must have the operation.
    ///
    /// Integer division by zero and negative powers of integers give XLA's results. Supremum returns errors for them
    /// where it computes the elements itself.
    pub(in crate::trace) fn binary(
        &mut self,
        op: BinaryOp,
        compute: DType,
        operands: [Node; 2],
    ) -> Result<Node, Error> {
        let [a, b] = operands.map(|x| {
            let x = self.cast(x, compute);
            self.convert(x, op.loop_dtype(compute))
        });
        let [a, b] = self.broadcast_together(op.name(), [a, b])?;
        let result = match compute.kind() {
            Kind::Bool => self.of_truths(op, a, b),
            Kind::Unsigned | Kind::Signed => self.of_integers(op, a, b),
            Kind::Float if compute == DType::F32 && is_inaccurate(op) => {
                let [a, b] = [a, b].map(|x| self.convert(x, DType::F64));
                let wide = self.of_floats(op, a, b);
                self.convert(wide, DType::F32)
            }
            Kind::Float => self.of_floats(op, a, b),
            Kind::Complex => self.of_complex(op, a, b),
        };
        Ok(self.cast(result, compute))
    }

    fn of_truths(&mut self, op: BinaryOp, a: Node, b: Node) -> Node {
        match op {
            BinaryOp::Add | BinaryOp::Max | BinaryOp::Or => self.or(a, b),
            BinaryOp::Mul | BinaryOp::Min | BinaryOp::And => self.and(a, b),
            _ => self.same("xor", &[a, b]),
        }
    }

    fn of_integers(&mut self, op: BinaryOp, a: Node, b: Node) -> Node {
        match op {
            BinaryOp::FloorDiv => {
                let quotient = self.divide(a, b);
                let rest = self.same("remainder", &[a, b]);
                let one = self.constant_like(a, 1.0);
                let less = self.subtract(quotient, one);
                let crosses = self.crosses_zero(rest, b);
                self.select(crosses, less, quotient)
            }
            BinaryOp::Rem => {
                let rest = self.same("remainder", &[a, b]);
                let more = self.add(rest, b);
                let crosses = self.crosses_zero(rest, b);
                self.select(crosses, more, rest)
            }
            BinaryOp::Shl | BinaryOp::Shr => self.shifted(op, a, b),
            BinaryOp::And => self.and(a, b),
            BinaryOp::Or => self.or(a, b),
            BinaryOp::Xor => self.same("xor", &[a, b]),
            BinaryOp::Pow => self.same("power", &[a, b]),
            _ => self.of_floats(op, a, b),
        }
    }

    /// Returns whether a remainder is not zero and its sign differs from the divisor's.
    fn crosses_zero(&mut self, rest: Node, divisor: Node) -> Node {
        let [rest_below, divisor_below] = [rest, divisor].map(|x| self.is_below_zero(x));
        let differ = self.same("xor", &[rest_below, divisor_below]);
        let exact = self.is_zero(rest);
        let inexact = self.not(exact);
        self.and(inexact, differ)
    }

    /// Lowers a shift. A count that is negative or not below the dtype's bits gives zero, or the sign for a right shift
    /// of a signed integer. (StableHLO leaves such counts undefined.)
    fn shifted(&mut self, op: BinaryOp, a: Node, count: Node) -> Node {
        let dtype = self.dtype(a);
        let width = u64::try_from(dtype.size() * 8).unwrap_or(u64::MAX);
        let large = self.convert(count, dtype.bits_dtype()); // a negative count becomes at least 2^(bits - 1)
        let bound = self.number(large, dtype.bits_dtype(), width);
        let fits = self.compare("LT", large, bound);
        let is_signed = dtype.kind() == Kind::Signed;
        if op == BinaryOp::Shr && is_signed {
            let last = self.number(count, dtype, width - 1);
            let count = self.select(fits, count, last);
            return self.same("shift_right_arithmetic", &[a, count]);
        }
        let name = match op {
            BinaryOp::Shl => "shift_left",
            _ => "shift_right_logical",
        };
        let zero = self.constant_like(a, 0.0);
        let count = self.select(fits, count, zero);
        let shifted = self.same(name, &[a, count]);
        self.select(fits, shifted, zero)
    }

    /// Lowers an operation on floats, and on other numbers those that are written in the same way.
    fn of_floats(&mut self, op: BinaryOp, a: Node, b: Node) -> Node {
        match op {
            BinaryOp::Add => self.add(a, b),
            BinaryOp::Sub => self.subtract(a, b),
            BinaryOp::Mul => self.multiply(a, b),
            BinaryOp::Div => self.divide(a, b),
            BinaryOp::Min => self.same("minimum", &[a, b]),
            BinaryOp::Max => self.same("maximum", &[a, b]),
            BinaryOp::Atan2 => self.same("atan2", &[a, b]),
            BinaryOp::FloorDiv => self.floor_divided(a, b),
            BinaryOp::Rem => self.floor_remainder(a, b),
            BinaryOp::Pow => {
                let one = self.constant_like(a, 1.0);
                let (none, unit) = (self.is_zero(b), self.compare("EQ", a, one));
                let is_one = self.or(none, unit);
                let power = self.same("power", &[a, b]);
                self.select(is_one, one, power)
            }
            BinaryOp::Hypot => self.hypot(a, b),
            BinaryOp::LogAddExp => self.log_add_exp(a, b),
            BinaryOp::LeakyRelu => {
                let below = self.multiply(b, a);
                self.unless_negative(a, below)
            }
            BinaryOp::Elu => {
                let power = self.same("exponential_minus_one", &[a]);
                let below = self.multiply(b, power);
                self.unless_negative(a, below)
            }
            BinaryOp::CopySign => self.copysign(a, b),
            BinaryOp::NextAfter => self.next_after(a, b),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                unreachable!("floats have no {}", op.name())
            }
        }
    }

    /// A float where it is not negative, else another.
    fn unless_negative(&mut self, x: Node, below: Node) -> Node {
        let zero = self.constant_like(x, 0.0);
        let is_not = self.compare("GE", x, zero);
        self.select(is_not, x, below)
    }

    /// Lowers `hypot`: the larger magnitude times a root between 1 and √2, so that no square overflows.
    fn hypot(&mut self, a: Node, b: Node) -> Node {
        let [a, b] = [a, b].map(|x| self.same("abs", &[x]));
        let large = self.same("maximum", &[a, b]);
        let small = self.same("minimum", &[a, b]);
        let ratio = self.divide(small, large);
        let square = self.multiply(ratio, ratio);
        let one = self.constant_like(a, 1.0);
        let sum = self.add(one, square);
        let root = self.same("sqrt", &[sum]);
        let length = self.multiply(large, root);
        let none = self.is_zero(large);
        let length = self.select(none, large, length);
        let infinity = self.constant_like(a, f64::INFINITY);
        let [a_infinite, b_infinite] = [a, b].map(|x| self.compare("EQ", x, infinity));
        let is_infinite = self.or(a_infinite, b_infinite);
        self.select(is_infinite, infinity, length)
    }

    /// Lowers `log_add_exp`: the greater, and ln(1 + exp(-distance)). Equal infinities have no difference.
    fn log_add_exp(&mut self, a: Node, b: Node) -> Node {
        let greater = self.same("maximum", &[a, b]);
        let difference = self.subtract(a, b);
        let distance = self.same("abs", &[difference]);
        let equal = self.compare("EQ", a, b);
        let zero = self.constant_like(a, 0.0);
        let distance = self.select(equal, zero, distance);
        let negative = self.same("negate", &[distance]);
        let ratio = self.same("exponential", &[negative]);
        let more = self.same("log_plus_one", &[ratio]);
        self.add(greater, more)
    }

    /// Lowers `copysign`, by bits.
    fn copysign(&mut self, size: Node, sign: Node) -> Node {
        let dtype = self.dtype(size);
        let bits = dtype.bits_dtype();
        let [size, sign] = [size, sign].map(|x| self.bits(x, bits));
        let sign_bit = 1_u64 << (dtype.size() * 8 - 1);
        let [sign_bit, others] = [sign_bit, sign_bit - 1].map(|mask| self.number(size, bits, mask));
        let (size, sign) = (self.and(size, others), self.and(sign, sign_bit));
        let result = self.or(size, sign);
        self.bits(result, dtype)
    }

    /// Lowers `next_after`, by bits: a step up or down, or the least number beside zero. Devices that take subnormal
    /// numbers for zero compare the bits all the same.
    fn next_after(&mut self, a: Node, b: Node) -> Node {
        let dtype = self.dtype(a);
        let bits = dtype.bits_dtype();
        let [x, y] = [a, b].map(|x| self.bits(x, bits));
        let sign = 1_u64 << (dtype.size() * 8 - 1);
        let [one, sign_bit] = [1, sign].map(|number| self.number(x, bits, number));
        let [x_order, y_order] = [x, y].map(|bits| self.order(bits));
        let zero = self.constant_like(x_order, 0.0);
        let (rises, is_positive) = (
            self.compare("LT", x_order, y_order),
            self.compare("GT", x_order, zero),
        );
        let towards_zero = self.same("xor", &[rises, is_positive]);
        let (more, less) = (self.add(x, one), self.subtract(x, one));
        let mut stepped = self.select(towards_zero, less, more);
        let specials = dispatch_float8!(dtype, E => E::CODEC.specials, _ => Specials::Ieee);
        if specials == Specials::Fnuz {
            // There is no negative zero; its bits are a NaN.
            let is_sign = self.compare("EQ", stepped, sign_bit);
            let none = self.constant_like(x, 0.0);
            stepped = self.select(is_sign, none, stepped);
        }
        let sign = self.and(y, sign_bit);
        let least = self.or(sign, one);
        let is_zero = self.compare("EQ", x_order, zero);
        let next = self.select(is_zero, least, stepped);
        let equal = self.compare("EQ", x_order, y_order);
        let next = self.select(equal, y, next);
        let next = self.bits(next, dtype);
        let [x_nan, y_nan] = [a, b].map(|x| self.is_nan(x));
        let is_nan = self.or(x_nan, y_nan);
        let nan = self.constant_like(a, f64::NAN);
        self.select(is_nan, nan, next)
    }

    /// Signed integers in the order of the floats with these bits: the magnitude, negated below zero.
    fn order(&mut self, bits: Node) -> Node {
        let dtype = match self.dtype(bits) {
            DType::U8 => DType::I8,
            DType::U16 => DType::I16,
            DType::U32 => DType::I32,
            _ => DType::I64,
        };
        let bits = self.bits(bits, dtype);
        let greatest = (1_i64 << (dtype.size() * 8 - 2)) - 1 + (1_i64 << (dtype.size() * 8 - 2));
        let mask = self.number(bits, dtype, greatest);
        let magnitude = self.and(bits, mask);
        let negative = self.same("negate", &[magnitude]);
        let is_below = self.is_below_zero(bits);
        self.select(is_below, negative, magnitude)
    }

    /// Lowers floor division of floats as Python defines it: the exact remainder is subtracted first, then the
    /// difference is divided.
    fn floor_divided(&mut self, a: Node, b: Node) -> Node {
        let rest = self.same("remainder", &[a, b]);
        let divided = self.divide(a, b);
        let whole = self.subtract(a, rest);
        let quotient = self.divide(whole, b);
        let one = self.constant_like(a, 1.0);
        let less = self.subtract(quotient, one);
        let crosses = self.crosses_zero(rest, b);
        let quotient = self.select(crosses, less, quotient);
        let floor = self.same("floor", &[quotient]);
        let above = self.subtract(quotient, floor);
        let half = self.constant_like(a, 0.5);
        let is_above = self.compare("GT", above, half);
        let next = self.add(floor, one);
        let rounded = self.select(is_above, next, floor);
        let zero = self.zero_signed_as(divided);
        let is_none = self.is_zero(quotient);
        let rounded = self.select(is_none, zero, rounded);
        let by_zero = self.is_zero(b);
        self.select(by_zero, divided, rounded)
    }

    fn floor_remainder(&mut self, a: Node, b: Node) -> Node {
        let rest = self.same("remainder", &[a, b]);
        let more = self.add(rest, b);
        let crosses = self.crosses_zero(rest, b);
        let result = self.select(crosses, more, rest);
        let exact = self.is_zero(rest);
        let zero = self.zero_signed_as(b);
        let result = self.select(exact, zero, result);
        let by_zero = self.is_zero(b);
        self.select(by_zero, rest, result)
    }

    fn zero_signed_as(&mut self, x: Node) -> Node {
        let signed = self.has_sign(x);
        let [negative, positive] = [-0.0, 0.0].map(|zero| self.constant_like(x, zero));
        self.select(signed, negative, positive)
    }

    fn of_complex(&mut self, op: BinaryOp, a: Node, b: Node) -> Node {
        match op {
            BinaryOp::Mul => {
                let ([a, a_im], [b, b_im]) = (self.parts(a), self.parts(b));
                let [ab, im_im, a_b_im, a_im_b] =
                    [[a, b], [a_im, b_im], [a, b_im], [a_im, b]].map(|[x, y]| self.multiply(x, y));
                let (re, im) = (self.subtract(ab, im_im), self.add(a_b_im, a_im_b));
                self.complex(re, im)
            }
            BinaryOp::Div => self.complex_divided(a, b),
            BinaryOp::Pow => {
                let [one, zero] = [1.0, 0.0].map(|number| self.constant_like(a, number));
                let none = self.compare("EQ", b, zero);
                let power = self.same("power", &[a, b]);
                self.select(none, one, power)
            }
            BinaryOp::Atan2 => self.complex_angle(a, b),
            BinaryOp::Min => self.complex_extreme(CompareOp::Lt, a, b),
            BinaryOp::Max => self.complex_extreme(CompareOp::Gt, a, b),
            _ => self.of_floats(op, a, b),
        }
    }

    /// Lowers complex division by Smith's method, as the kernel does: scaling by the larger part of the divisor first
    /// avoids squares that overflow.
    pub(super) fn complex_divided(&mut self, a: Node, b: Node) -> Node {
        let [a, a_im] = self.parts(a);
        let divisor = self.divisor(b);
        let (by_real, ratio) = (divisor.by_real, divisor.ratio);
        let one = self.constant_like(a, 1.0);
        let scale = self.divide(one, divisor.sum);
        let along = self.select(by_real, a, a_im);
        let across = self.select(by_real, a_im, a);
        let (across_ratio, along_ratio) =
            (self.multiply(across, ratio), self.multiply(along, ratio));
        let re = self.add(along, across_ratio);
        let re = self.multiply(re, scale);
        let forwards = self.subtract(across, along_ratio);
        let backwards = self.subtract(along_ratio, across);
        let im = self.select(by_real, forwards, backwards);
        let im = self.multiply(im, scale);
        self.unless_by_zero(&divisor, [a, a_im], [re, im])
    }

    /// Lowers the reciprocal of a complex number, as the kernel does.
    pub(super) fn complex_reciprocal(&mut self, z: Node) -> Node {
        let divisor = self.divisor(z);
        let (by_real, ratio) = (divisor.by_real, divisor.ratio);
        let [zero, one] = [0.0, 1.0].map(|number| self.constant_like(ratio, number));
        let re = self.select(by_real, one, ratio);
        let across = self.select(by_real, ratio, one);
        let im = self.subtract(zero, across);
        let parts = [re, im].map(|part| self.divide(part, divisor.sum));
        self.unless_by_zero(&divisor, [one, zero], parts)
    }

    /// Computes what Smith's method needs of a divisor.
    fn divisor(&mut self, b: Node) -> Divisor {
        let [b, b_im] = self.parts(b);
        let [size, size_im] = [b, b_im].map(|part| self.same("abs", &[part]));
        let by_real = self.compare("GE", size, size_im);
        let large = self.select(by_real, b, b_im);
        let small = self.select(by_real, b_im, b);
        let ratio = self.divide(small, large);
        let scaled = self.multiply(small, ratio);
        let sum = self.add(large, scaled);
        let (re_zero, im_zero) = (self.is_zero(b), self.is_zero(b_im));
        let is_zero = self.and(re_zero, im_zero);
        Divisor {
            by_real,
            ratio,
            sum,
            is_zero,
            size,
        }
    }

    /// Returns a quotient of these parts. If the divisor is zero, each part is that of the dividend divided by the divisor's magnitude.
    fn unless_by_zero(&mut self, divisor: &Divisor, dividend: [Node; 2], parts: [Node; 2]) -> Node {
        let by_zero = dividend.map(|part| self.divide(part, divisor.size));
        let re = self.select(divisor.is_zero, by_zero[0], parts[0]);
        let im = self.select(divisor.is_zero, by_zero[1], parts[1]);
        self.complex(re, im)
    }

    /// Lowers `atan2` of complex numbers: -i ln((x + iy) / sqrt(x² + y²)).
    fn complex_angle(&mut self, y: Node, x: Node) -> Node {
        let iy = self.times_i(y);
        let direction = self.add(x, iy);
        let [xx, yy] = [x, y].map(|z| self.multiply(z, z));
        let squares = self.add(xx, yy);
        let length = self.same("sqrt", &[squares]);
        let unit = self.complex_divided(direction, length);
        let log = self.same("log", &[unit]);
        let turned = self.times_i(log);
        self.same("negate", &[turned])
    }

    pub(super) fn times_i(&mut self, z: Node) -> Node {
        let [re, im] = self.parts(z);
        let im = self.same("negate", &[im]);
        self.complex(im, re)
    }
}

/// Returns whether results that are computed in `f32` may be off by more than a unit in the last place.
fn is_inaccurate(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Hypot | BinaryOp::LogAddExp | BinaryOp::Elu)
}
