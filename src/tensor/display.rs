//! Printing in NumPy's layout: columns are aligned, and long axes are shortened.

use core::fmt;

use super::Tensor;
use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::{DType, StaticDType, dispatch_dtype};
use crate::exec;
use crate::literals::Scalar;
use crate::rank::Rank;
use crate::rules::Rules;

/// The number of elements from which on long axes are shortened.
const SHORTEN_FROM: usize = 1_001;
/// The number of positions that are shown at each end of a shortened axis.
const EDGE: usize = 3;

/// Prints the aligned elements, then dtype and shape: `[1.0, 2.5] f32 [2]`. A precision such as `{:.2}` sets the digits
/// after the point.
///
/// ```
/// use supremum::{F32, I32, Tensor, tensor};
/// let t: Tensor<F32> = tensor![[1.0, -2.5], [10.25, 0.0]];
/// assert_eq!(t.to_string(), "[[ 1.0 , -2.5 ],\n [10.25,  0.0 ]] f32 [2, 2]");
/// let many = Tensor::<I32>::zeros([5000]);
/// assert_eq!(many.to_string(), "[0, 0, 0, ..., 0, 0, 0] i32 [5000]");
/// ```
impl<D: StaticDType, N: Rank, R: Rules> fmt::Display for Tensor<D, N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.array(), D::WEAK)
    }
}

/// The same text as `Display`.
impl<D: StaticDType, N: Rank, R: Rules> fmt::Debug for Tensor<D, N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Prints a tensor, given its array and whether its dtype is weak.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, array: &Array, weak: bool) -> fmt::Result {
    exec::expect_concrete("printing", array);
    if array.is_empty() {
        // Return early: the other axes may be long.
        f.write_str("[]")?;
    } else {
        Shown::new(array, f.precision()).write(f, 0, &mut 0)?;
    }
    let star = if weak { "*" } else { "" };
    write!(f, " {}{star} {:?}", array.dtype(), array.shape())
}

/// The cells to print, in order, and their width.
struct Shown<'a> {
    shape: &'a [usize],
    shorten: bool,
    cells: Vec<Cell>,
    /// The largest number of characters before the decimal point, and from it on.
    width: (usize, usize),
}

/// A number split at its decimal point, to align the points.
struct Cell {
    whole: String,
    fraction: String,
}

impl<'a> Shown<'a> {
    fn new(array: &'a Array, precision: Option<usize>) -> Self {
        let mut shown = Self {
            shape: array.shape(),
            shorten: array.len() >= SHORTEN_FROM,
            cells: Vec::new(),
            width: (0, 0),
        };
        shown.collect(array, precision, &mut Vec::new());
        let widest =
            |part: fn(&Cell) -> &str| shown.cells.iter().map(|cell| part(cell).len()).max();
        shown.width = (
            widest(|cell| &cell.whole).unwrap_or(0),
            widest(|cell| &cell.fraction).unwrap_or(0),
        );
        shown
    }

    /// The positions of an axis that are shown, before and after the omitted ones.
    fn positions(&self, axis: usize) -> (core::ops::Range<usize>, core::ops::Range<usize>) {
        let size = self.shape[axis];
        if self.shorten && size > 2 * EDGE {
            (0..EDGE, size - EDGE..size)
        } else {
            (0..size, size..size)
        }
    }

    fn collect(&mut self, array: &Array, precision: Option<usize>, index: &mut Vec<usize>) {
        if index.len() == self.shape.len() {
            if let Some(element) = Scalar::at(array, index) {
                self.cells
                    .push(Cell::new(element, array.dtype(), precision));
            }
            return;
        }
        let (head, tail) = self.positions(index.len());
        for position in head.chain(tail) {
            index.push(position);
            self.collect(array, precision, index);
            index.pop();
        }
    }

    /// Writes the block of all axes from `axis` on; `next` is its first cell.
    fn write(&self, f: &mut fmt::Formatter<'_>, axis: usize, next: &mut usize) -> fmt::Result {
        if axis == self.shape.len() {
            if let Some(cell) = self.cells.get(*next) {
                write!(
                    f,
                    "{:>2$}{:<3$}",
                    cell.whole, cell.fraction, self.width.0, self.width.1
                )?;
            }
            *next += 1;
            return Ok(());
        }
        let last = axis + 1 == self.shape.len();
        let separate = |f: &mut fmt::Formatter<'_>| {
            if last {
                return f.write_str(", ");
            }
            // One line break for rows, one more for each further axis, as NumPy does.
            f.write_str(",")?;
            (axis + 1..self.shape.len()).try_for_each(|_| f.write_str("\n"))?;
            (0..=axis).try_for_each(|_| f.write_str(" "))
        };
        let (head, tail) = self.positions(axis);
        f.write_str("[")?;
        for position in head {
            if position > 0 {
                separate(f)?;
            }
            self.write(f, axis + 1, next)?;
        }
        if !tail.is_empty() {
            separate(f)?;
            f.write_str("...")?;
        }
        for _ in tail {
            separate(f)?;
            self.write(f, axis + 1, next)?;
        }
        f.write_str("]")
    }
}

impl Cell {
    fn new(element: Scalar, dtype: DType, precision: Option<usize>) -> Self {
        let text = match element {
            Scalar::Float(value) => float(value, dtype, precision),
            Scalar::Complex(value) => {
                let sign = if value.im.is_sign_negative() {
                    "-"
                } else {
                    "+"
                };
                let re = float(value.re, dtype, precision);
                let im = float(value.im.abs(), dtype, precision);
                return Self {
                    whole: format!("{re}{sign}{im}i"),
                    fraction: String::new(),
                };
            }
            Scalar::Bool(_) | Scalar::Int(_) => element.to_string(),
        };
        let point = text.find('.').unwrap_or(text.len());
        Self {
            whole: text[..point].to_owned(),
            fraction: text[point..].to_owned(),
        }
    }
}

/// Formats a float: an integer in full, another number as the shortest decimal that parses to it in its dtype, with at
/// most 9 significant digits. Very large and very small numbers get an exponent.
fn float(value: f64, dtype: DType, precision: Option<usize>) -> String {
    if let Some(places) = precision {
        return format!("{value:.places$}");
    }
    if !value.is_finite() || value.fract() == 0.0 && value.abs() < 1e8 {
        return format!("{value:?}");
    }
    let rounded = |decimals: usize| -> f64 {
        // Round to this many digits; Rust prints the shortest form of the rounded number.
        format!("{value:.decimals$e}").parse().unwrap_or(value)
    };
    let is_same = |decimal: &f64| {
        dispatch_dtype!(dtype, D => {
            let [shorter, whole] = [*decimal, value].map(cast::<f64, <D as StaticDType>::Element>);
            shorter == whole
        })
    };
    let shortest = (0..8).map(rounded).find(is_same);
    let decimal = shortest.unwrap_or_else(|| rounded(8));
    if (1e-4..1e8).contains(&decimal.abs()) {
        format!("{decimal:?}")
    } else {
        format!("{decimal:e}")
    }
}
