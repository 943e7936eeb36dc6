//! Padding, and triangles of matrices.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::ops::Range;

use super::assign::copy_rows;
use super::cast::copied;
use super::drive::block::Operand;
use super::elementwise::operand;
use crate::array::{Array, Dims, ScalarBits, Strides, Uninit, element_count, row_major};
use crate::error::{Error, check_axes};

/// Returns the shape of the result of [`pad`].
///
/// # Errors
/// [`Error::LengthMismatch`] if there is not one pair for each axis, [`Error::ShapeTooLarge`].
pub(crate) fn pad_shape(x: &Array, padding: &[[usize; 2]]) -> Result<Dims, Error> {
    if padding.len() != x.rank() {
        return Err(Error::LengthMismatch {
            operation: "pad",
            what: "pairs, one for each axis",
            expected: x.rank(),
            found: padding.len(),
        });
    }
    let mut shape = *x.dims();
    for (size, [before, after]) in shape.iter_mut().zip(padding) {
        *size = size.saturating_add(*before).saturating_add(*after);
    }
    element_count("pad", &shape)?;
    Ok(shape)
}

/// The size of a result that is filled first, in bytes, and the array copied into it: to fill the padding alone takes longer.
const SMALL_BYTES: usize = 1 << 15;

/// Pads each axis by a number of positions before it and another one after it. All new positions hold `value`.
///
/// # Errors
/// The errors of [`pad_shape`], [`Error::OutOfMemory`].
pub(crate) fn pad(x: &Array, padding: &[[usize; 2]], value: ScalarBits) -> Result<Array, Error> {
    let shape = pad_shape(x, padding)?;
    if x.rank() == 0 {
        return Ok(x.clone());
    }
    if x.is_empty() {
        return value.full(&shape);
    }
    if element_count("pad", &shape)? * x.dtype().size() <= SMALL_BYTES {
        let mut padded = value.full(&shape)?;
        let first = padded
            .unique_mut_ptr()
            .expect("a fresh array has a single owner");
        let places = Places::new(x, padding, &shape, first);
        // SAFETY: `first` is the address of an array of the shape without other owners, of which `x` is no part.
        unsafe { places.copy_inner(x) };
        return Ok(padded);
    }
    let value = value.to_array()?;
    let repeated = |places: &Places, axis: usize, positions: Range<usize>| {
        let dims = places.beside(axis, positions.len());
        let from = operand(&value, &dims, &[]);
        // SAFETY: the value is another array, which broadcasts.
        unsafe { places.copy(&dims, from, places.at(axis, positions.start)) };
    };
    padded(x, padding, &shape, &repeated)
}

/// Pads each axis by a number of positions before it and another one after it. A new position of an axis has the elements of one of its
/// old positions: of that which `source` gives for the distance from the first old position and for the axis's size. The array is not
/// empty, and `shape` is that of the result.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn pad_with(
    x: &Array,
    padding: &[[usize; 2]],
    shape: &Dims,
    source: &dyn Fn(isize, usize) -> usize,
) -> Result<Array, Error> {
    let copied = |places: &Places, axis: usize, positions: Range<usize>| {
        let (first, size) = (places.padding[axis][0], places.inner[axis]);
        let source = |position: usize| {
            let found = source(position.wrapping_sub(first).cast_signed(), size);
            assert!(found < size, "a position of the axis");
            first + found
        };
        let (mut start, mut from) = (positions.start, source(positions.start));
        while start < positions.end {
            // A run of positions whose sources have equal distances.
            let (mut end, mut last, mut next, mut along) = (start + 1, from, from, 0);
            while end < positions.end {
                next = source(end);
                let step = next.cast_signed() - last.cast_signed();
                if end > start + 1 && step != along {
                    break;
                }
                (last, along, end) = (next, step, end + 1);
            }
            let mut strides = places.strides;
            strides[axis] *= along;
            let sources = Operand {
                pointer: places.at(axis, from),
                strides,
                size: places.size,
                chain: &[],
            };
            let dims = places.beside(axis, end - start);
            // SAFETY: the sources are old positions of the axis, of which the elements beside the positions of the axes before it, and
            // with the padding of those after it, were written.
            unsafe { places.copy(&dims, sources, places.at(axis, start)) };
            (start, from) = (end, next);
        }
    };
    padded(x, padding, shape, &copied)
}

/// Copies an array into a larger one, and calls `fill` for the new positions of each axis, from the last axis to the first. The array is
/// not empty. `fill` writes all elements of [`Places::beside`] the positions.
///
/// # Errors
/// [`Error::OutOfMemory`].
fn padded(
    x: &Array,
    padding: &[[usize; 2]],
    shape: &Dims,
    fill: &dyn Fn(&Places, usize, Range<usize>),
) -> Result<Array, Error> {
    let len: usize = shape.iter().product();
    let mut buffer = Uninit::new(len * x.dtype().size())?;
    let places = Places::new(x, padding, shape, buffer.as_mut_ptr());
    // SAFETY: the buffer has room for an array of the shape, and is no part of `x`.
    unsafe { places.copy_inner(x) };
    for (axis, [before, after]) in padding.iter().copied().enumerate().rev() {
        let end = shape[axis];
        for positions in [0..before, end - after..end] {
            if !positions.is_empty() {
                fill(&places, axis, positions);
            }
        }
    }
    // SAFETY: the old elements were copied. A new one has a first axis with a position in the padding, and was written by `fill` for it.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, x.dtype(), *shape))
}

/// The places of elements in a padded array.
struct Places<'a> {
    first: *mut u8,
    /// The size of an element in bytes.
    size: usize,
    padding: &'a [[usize; 2]],
    /// The shape without the padding.
    inner: &'a Dims,
    shape: &'a Dims,
    strides: Strides,
}

impl<'a> Places<'a> {
    /// The places of an array with padding, whose first element is at `first`.
    fn new(x: &'a Array, padding: &'a [[usize; 2]], shape: &'a Dims, first: *mut u8) -> Self {
        Self {
            first,
            size: x.dtype().size(),
            padding,
            inner: x.dims(),
            shape,
            strides: row_major(shape),
        }
    }

    /// Copies the array without padding to its places.
    ///
    /// # Safety
    /// The places, which are those of this array, can be written. The array is no part of them.
    unsafe fn copy_inner(&self, x: &Array) {
        let inner = operand(x, x.dims(), &[]);
        // SAFETY: the caller guarantees the places; the shape is that of the old elements.
        unsafe { self.copy(x.dims(), inner, self.at_inner(x.rank())) };
    }

    /// The shape of `count` positions of an axis, beside the old positions of the axes before it and all positions of those after it.
    fn beside(&self, axis: usize, count: usize) -> Dims {
        let mut dims = *self.shape;
        dims[..axis].copy_from_slice(&self.inner[..axis]);
        dims[axis] = count;
        dims
    }

    /// The address of the first old position of the axes before `axis`, and of the first position of the others.
    fn at_inner(&self, axis: usize) -> *mut u8 {
        let offset = |axis: usize| self.padding[axis][0] * self.strides[axis].unsigned_abs();
        let offset: usize = (0..axis).map(offset).sum();
        self.first.wrapping_add(offset * self.size)
    }

    /// The address of a position of an axis, beside the first old position of the axes before it.
    fn at(&self, axis: usize, position: usize) -> *mut u8 {
        let offset = position * self.strides[axis].unsigned_abs();
        self.at_inner(axis).wrapping_add(offset * self.size)
    }

    /// Copies elements along a shape to the places from `to` on.
    ///
    /// # Safety
    /// The shape is that of the old elements, or one of [`Self::beside`] with `to` from [`Self::at`] for the same axis. The elements of the
    /// operand along the shape can be read, have the size of these, and are not those that are written.
    unsafe fn copy(&self, dims: &Dims, from: Operand, to: *mut u8) {
        let place = Operand {
            pointer: to,
            strides: self.strides,
            size: self.size,
            chain: &[],
        };
        // SAFETY: along the shape, the caller guarantees places of the padded array, whose memory is exclusive until it is complete, and
        // elements of the same size to read elsewhere.
        unsafe { copy_rows(dims, &[place, from], to) };
    }
}

/// Which part of a matrix is kept; the other one becomes zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangle {
    /// At and below a diagonal.
    Lower,
    /// At and above a diagonal.
    Upper,
}

impl Triangle {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lower => "tril",
            Self::Upper => "triu",
        }
    }
}

/// Replaces the elements on one side of a diagonal of each matrix (the last two axes) by zeros. The diagonal begins
/// `offset` columns to the right of the main one.
///
/// # Errors
/// [`Error::TooFewAxes`] below rank 2, [`Error::OutOfMemory`].
pub(crate) fn triangle(kept: Triangle, x: &Array, offset: isize) -> Result<Array, Error> {
    check_axes(kept.name(), 2, x.shape())?;
    let mut result = copied(x)?;
    let [.., rows, columns] = *x.shape() else {
        unreachable!("a matrix has two axes");
    };
    let size = x.dtype().size();
    let first = result
        .unique_mut_ptr()
        .expect("a fresh copy has a single owner");
    for row in 0..x.len() / columns.max(1) {
        let diagonal = (row % rows).cast_signed().saturating_add(offset);
        let (start, end) = match kept {
            Triangle::Lower => (diagonal.saturating_add(1), columns.cast_signed()),
            Triangle::Upper => (0, diagonal),
        };
        let within = |column: isize| column.clamp(0, columns.cast_signed()).unsigned_abs();
        let (start, end) = (within(start), within(end));
        let bytes = end.saturating_sub(start) * size;
        // SAFETY: the columns from `start` up to `end`, which are at most `columns`, lie within row `row` of the copy,
        // which is contiguous and has no other owner. Zero bytes are a zero of every dtype.
        unsafe {
            first
                .wrapping_add((row * columns + start) * size)
                .write_bytes(0, bytes);
        }
    }
    Ok(result)
}
