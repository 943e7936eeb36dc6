//! Conversion that fails unless every value is preserved.
//!
//! The elements before and after the conversion are both converted to the widest dtype of their kind, which loses nothing, and compared there.

use std::borrow::Cow;

use super::cast::cast;
use crate::array::Array;
use crate::dtype::{DType, Element, Kind, Loss, c128, cast as elements};
use crate::error::Error;

/// Converts every element if the dtype represents each value exactly. NaN counts as preserved if it stays NaN, and
/// negative zero if it becomes zero.
///
/// # Errors
/// The error that `inexact` makes from the position, in row-major order, of the first value that is not preserved;
/// [`Error::OutOfMemory`].
pub(crate) fn try_cast(
    x: &Array,
    to: DType,
    inexact: impl FnOnce(usize) -> Error,
) -> Result<Array, Error> {
    let converted = cast(Cow::Borrowed(x), to)?;
    if x.dtype().loss_to(to) == Loss::None {
        return Ok(converted);
    }
    match first_difference(&exactly(x)?, &exactly(&converted)?) {
        Some(position) => Err(inexact(position)),
        None => Ok(converted),
    }
}

/// Converts values to the widest dtype of their kind, exactly.
fn exactly(x: &Array) -> Result<Array, Error> {
    let widest = match x.dtype().kind() {
        Kind::Bool | Kind::Unsigned => DType::U64,
        Kind::Signed => DType::I64,
        Kind::Float => DType::F64,
        Kind::Complex => DType::C128,
    };
    cast(Cow::Borrowed(x), widest)
}

/// Returns the position of the first value that differs between two arrays that [`exactly`] returned.
fn first_difference(before: &Array, after: &Array) -> Option<usize> {
    match before.dtype() {
        DType::U64 => difference_to::<u64>(before, after),
        DType::I64 => difference_to::<i64>(before, after),
        DType::F64 => difference_to::<f64>(before, after),
        _ => difference_to::<c128>(before, after),
    }
}

fn difference_to<A>(before: &Array, after: &Array) -> Option<usize>
where
    A: Element + Equals<u64> + Equals<i64> + Equals<f64> + Equals<c128>,
{
    match after.dtype() {
        DType::U64 => difference::<A, u64>(before, after),
        DType::I64 => difference::<A, i64>(before, after),
        DType::F64 => difference::<A, f64>(before, after),
        _ => difference::<A, c128>(before, after),
    }
}

fn difference<A: Element + Equals<B>, B: Element>(before: &Array, after: &Array) -> Option<usize> {
    /// Blocks are compared without a branch for each value, so that the compiler makes a loop of vectors.
    const BLOCK: usize = 256;
    let (Some(before), Some(after)) = (before.as_slice::<A>(), after.as_slice::<B>()) else {
        // A view of another array, which was of the widest dtype already.
        let mut pairs = before.iter::<A>().zip(after.iter::<B>());
        return pairs.position(|(before, after)| !before.equals(after));
    };
    let mut blocks = before.chunks(BLOCK).zip(after.chunks(BLOCK)).enumerate();
    blocks.find_map(|(at, (before, after))| {
        let mut pairs = before.iter().zip(after);
        let is_same = |same, (before, after): (&A, &B)| same & before.surely_equals(*after);
        if pairs.clone().fold(true, is_same) {
            return None;
        }
        let within = pairs.position(|(before, after)| !before.equals(*after));
        within.map(|within| at * BLOCK + within)
    })
}

/// Equality of values of two of the widest dtypes, without rounding. NaN equals itself.
trait Equals<B>: Copy {
    fn equals(self, other: B) -> bool;
    /// Returns `true` only for equal values, but not for all of them where that takes less time.
    fn surely_equals(self, other: B) -> bool;
}

/// Integers up to here are exact as `f64`.
const EXACT: u64 = 1 << 53;

macro_rules! equals {
    ($($A:ty, $B:ty: |$a:ident, $b:ident| $equals:expr $(, surely $surely:expr)?;)*) => {$(
        impl Equals<$B> for $A {
            #[inline(always)]
            fn equals(self, $b: $B) -> bool {
                let $a = self;
                $equals
            }
            #[inline(always)]
            fn surely_equals(self, $b: $B) -> bool {
                let $a = self;
                equals!(@surely $equals $(, $surely)?)
            }
        }
    )*};
    (@surely $equals:expr) => { $equals };
    (@surely $equals:expr, $surely:expr) => { $surely };
}

macro_rules! equals_in_both_orders {
    ($($A:ty, $B:ty: |$a:ident, $b:ident| $equals:expr $(, surely $surely:expr)?;)*) => {
        equals! {$(
            $A, $B: |$a, $b| $equals $(, surely $surely)?;
            $B, $A: |$b, $a| $equals $(, surely $surely)?;
        )*}
    };
}

equals! {
    u64, u64: |a, b| a == b;
    i64, i64: |a, b| a == b;
    f64, f64: |a, b| (a == b) | (a.is_nan() & b.is_nan());
    c128, c128: |a, b| a.re.equals(b.re) & a.im.equals(b.im);
}

equals_in_both_orders! {
    u64, i64: |a, b| (b >= 0) & (a == elements::cast::<i64, u64>(b));
    // Conversions to integers saturate, and 2^63 and 2^64 are beyond the largest integers: so these would equal themselves.
    f64, i64: |a, b| (a < 9_223_372_036_854_775_808.0) & (elements::cast::<f64, i64>(a) == b) & (elements::cast::<i64, f64>(b) == a),
        surely (b.unsigned_abs() <= EXACT) & (elements::cast::<i64, f64>(b) == a);
    f64, u64: |a, b| (a < 18_446_744_073_709_551_616.0) & (elements::cast::<f64, u64>(a) == b) & (elements::cast::<u64, f64>(b) == a),
        surely (b <= EXACT) & (elements::cast::<u64, f64>(b) == a);
    c128, u64: |a, b| (a.im == 0.0) & a.re.equals(b);
    c128, i64: |a, b| (a.im == 0.0) & a.re.equals(b);
    c128, f64: |a, b| (a.im == 0.0) & a.re.equals(b);
}
