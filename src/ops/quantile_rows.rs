//! The arithmetic of quantiles: numbers between two elements, and rows that skip NaN.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::DType;
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{BinaryOp, CompareOp, ReduceOp, SortOrder, UnaryOp};

/// The value of a quantile that lies between two elements: the `method` of NumPy's and JAX's `quantile`, and the `interpolation` of PyTorch's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QuantileMethod {
    /// The straight line between both.
    #[default]
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// The nearer one; in the middle, the one at an even position.
    Nearest,
    /// The mean of both.
    Midpoint,
}

/// Rows along an axis, sorted, whose quantiles skip NaN.
///
/// NaN are last in the sorted rows. So each row has a position of its own, which follows from its number of other elements.
pub(super) struct Numbers {
    operation: &'static str,
    sorted: Array,
    axis: usize,
    /// In each sorted row, the position of the last element that is not NaN, as an `f64`. It is 0 if all elements are NaN.
    last: Array,
}

impl Numbers {
    pub(super) fn new(operation: &'static str, x: &Array, axis: usize) -> Result<Self, Error> {
        let sorted = exec::sort(x, axis, SortOrder::Ascending);
        let sorted = named(operation, sorted)?;
        let numbers = is_number(&sorted)?;
        let count =
            exec::reduce(ReduceOp::Sum, &numbers, Some(&[axis]), true, DType::I64).array()?;
        let count = exec::cast(Cow::Owned(count), DType::F64)?;
        let last = binary(BinaryOp::Sub, datum(&count), scalar(1.0))?;
        // Rows without numbers begin with NaN, their quantile.
        let last = binary(BinaryOp::Max, datum(&last), scalar(0.0))?;
        Ok(Self {
            operation,
            sorted,
            axis,
            last,
        })
    }

    /// Returns quantiles along the axis of the elements that are not NaN; NaN for rows without such elements.
    pub(super) fn quantile(
        &self,
        quantile: f64,
        method: QuantileMethod,
        out: DType,
    ) -> Result<Array, Error> {
        let (dtype, axis) = (DType::F64, self.axis);
        let position = binary(BinaryOp::Mul, datum(&self.last), scalar(quantile))?;
        let rounded = |op| exec::unary(op, dtype, dtype, Cow::Borrowed(&position)).array();
        let low = rounded(UnaryOp::Floor)?;
        let high = rounded(UnaryOp::Ceil)?;
        let at = |position: &Array| {
            let positions = exec::cast(Cow::Borrowed(position), DType::I64)?;
            let elements = exec::take_along_axis(&self.sorted, &positions, axis)?;
            exec::squeeze(&elements, axis)
        };
        let at = |position: &Array| named(self.operation, at(position));
        let share = match method {
            QuantileMethod::Lower => return exec::cast(Cow::Owned(at(&low)?), out),
            QuantileMethod::Higher => return exec::cast(Cow::Owned(at(&high)?), out),
            QuantileMethod::Nearest => {
                return exec::cast(Cow::Owned(at(&rounded(UnaryOp::Round)?)?), out);
            }
            QuantileMethod::Linear => binary(BinaryOp::Sub, datum(&position), datum(&low))?,
            QuantileMethod::Midpoint => {
                let distance = binary(BinaryOp::Sub, datum(&high), datum(&low))?;
                binary(BinaryOp::Mul, datum(&distance), scalar(0.5))?
            }
        };
        let share = exec::squeeze(&share, axis)?;
        let (low, high) = (at(&low)?, at(&high)?);
        // Weights of zero would make NaN of infinities: elements at whole positions are taken as they are.
        let is_between =
            exec::compare(CompareOp::Ne, [dtype; 2], datum(&share), scalar(0.0)).array()?;
        let is_near =
            exec::compare(CompareOp::Lt, [dtype; 2], datum(&share), scalar(0.5)).array()?;
        let rest = binary(BinaryOp::Sub, scalar(1.0), datum(&share))?;
        let low = exec::cast(Cow::Owned(low), dtype)?;
        let high = exec::cast(Cow::Owned(high), dtype)?;
        let distance = binary(BinaryOp::Sub, datum(&high), datum(&low))?;
        let step = binary(BinaryOp::Mul, datum(&distance), datum(&share))?;
        let from_low = binary(BinaryOp::Add, datum(&low), datum(&step))?;
        let step = binary(BinaryOp::Mul, datum(&distance), datum(&rest))?;
        let from_high = binary(BinaryOp::Sub, datum(&high), datum(&step))?;
        let between = choose(is_near, &from_low, &from_high, dtype)?;
        let lower = binary(BinaryOp::Mul, datum(&low), datum(&rest))?;
        let higher = binary(BinaryOp::Mul, datum(&high), datum(&share))?;
        let weighed = binary(BinaryOp::Add, datum(&lower), datum(&higher))?;
        let is_finite = exec::unary(UnaryOp::IsFinite, dtype, DType::Bool, Cow::Owned(distance));
        let between = choose(is_finite.array()?, &between, &weighed, dtype)?;
        choose(is_between, &between, &low, out)
    }
}

fn scalar(value: f64) -> Datum<'static> {
    Datum::ScalarBits(ScalarBits::new(value))
}

/// Returns a mask of the elements that are not NaN.
fn is_number(x: &Array) -> Result<Array, Error> {
    let dtype = x.dtype();
    exec::compare(CompareOp::Eq, [dtype; 2], datum(x), datum(x)).array()
}

fn datum(array: &Array) -> Datum<'_> {
    Datum::borrowed(array)
}

fn binary(op: BinaryOp, a: Datum<'_>, b: Datum<'_>) -> Result<Array, Error> {
    exec::binary(op, DType::F64, DType::F64, a, b).array()
}

fn choose(condition: Array, a: &Array, b: &Array, out: DType) -> Result<Array, Error> {
    exec::select(Cow::Owned(condition), DType::F64, out, datum(a), datum(b)).array()
}

/// Returns the numbers between two others, in `f64` and rounded once. As in NumPy, the nearer one is the start, so that the results do not
/// leave the interval.
pub(super) fn interpolated(
    low: Array,
    high: Array,
    share: f64,
    out: DType,
) -> Result<Array, Error> {
    let dtype = DType::F64;
    let low = exec::cast(Cow::Owned(low), dtype)?;
    let high = exec::cast(Cow::Owned(high), dtype)?;
    let scaled = |x: &Array, by: f64| {
        let by = Datum::ScalarBits(ScalarBits::new(by));
        binary(BinaryOp::Mul, datum(x), by)
    };
    let distance = binary(BinaryOp::Sub, datum(&high), datum(&low))?;
    let between = match share < 0.5 {
        true => {
            let step = scaled(&distance, share)?;
            binary(BinaryOp::Add, datum(&low), datum(&step))?
        }
        false => {
            let step = scaled(&distance, 1.0 - share)?;
            binary(BinaryOp::Sub, datum(&high), datum(&step))?
        }
    };
    // The distance of infinities, and that of numbers far apart, is not finite; these are weighed.
    let (lower, higher) = (scaled(&low, 1.0 - share)?, scaled(&high, share)?);
    let weighed = binary(BinaryOp::Add, datum(&lower), datum(&higher))?;
    let distance = Cow::Owned(distance);
    let is_finite = exec::unary(UnaryOp::IsFinite, dtype, DType::Bool, distance).array()?;
    choose(is_finite, &between, &weighed, out)
}
