//! Iteration over the elements of arrays.
#![allow(unsafe_code, reason = "gives bytes their types")]

use core::iter::FusedIterator;
use core::slice;

use super::{Array, Dims};
use crate::dtype::Element;

/// The elements of a tensor in row-major order, whatever its layout; made by [`Tensor::iter`](crate::Tensor::iter).
///
/// It goes through the elements in runs that are contiguous in memory. A contiguous tensor is one run, and takes as long as a
/// slice.
#[derive(Clone, Debug)]
pub struct Elements<'a, E> {
    /// The rest of the current run.
    run: slice::Iter<'a, E>,
    /// The runs behind it. In a box, so that the compiler can keep `run` in registers.
    rest: Option<Box<Runs<'a, E>>>,
}

/// The runs of contiguous elements of an array, in row-major order.
#[derive(Clone, Debug)]
struct Runs<'a, E> {
    offsets: Offsets<'a>,
    /// The rest of the run that is read from its end; the last one.
    back: slice::Iter<'a, E>,
}

/// The distances of the runs from the element at index zero, in elements. A type of its own, so that it is compiled once for
/// all dtypes.
///
/// The axes are those within a run; before them the axis along which runs follow one another in a *line*; and the outer axes.
#[derive(Clone, Debug)]
struct Offsets<'a> {
    array: &'a Array,
    /// The index of the next line along the outer axes.
    index: Dims,
    /// The position at which the next line begins.
    line: isize,
    /// The position at which the next run begins.
    offset: isize,
    /// The number of runs that are left in the line, the number in a whole line, and the distance of one from the next.
    left_in_line: usize,
    runs_in_line: usize,
    stride: isize,
    /// The number of elements in a run.
    run: usize,
    /// The number of elements that are left.
    left: usize,
    /// The number of runs that were taken from the end.
    taken_back: usize,
}

impl<'a, E: Element> Elements<'a, E> {
    /// # Panics
    /// If the array's dtype is not that of `E`.
    #[inline]
    pub(super) fn new(array: &'a Array) -> Self {
        match array.as_slice() {
            Some(elements) => Self {
                run: elements.iter(),
                rest: None,
            },
            None => Self::of_runs(array),
        }
    }

    #[inline(never)]
    fn of_runs(array: &'a Array) -> Self {
        array.expect(E::DTYPE);
        Self {
            run: [].iter(),
            rest: Some(Box::new(Runs {
                offsets: Offsets::new(array),
                back: [].iter(),
            })),
        }
    }
}

impl<'a, E: Element> Runs<'a, E> {
    /// The elements of a run.
    ///
    /// # Safety
    /// The offset is one that `offsets` gave.
    #[inline]
    unsafe fn at(&self, offset: isize) -> &'a [E] {
        let first = self.offsets.array.as_ptr().cast::<E>();
        // SAFETY: `offset` is that of an element of the array, which is borrowed for `'a` and keeps its buffer alive and
        // unwritten; the `run - 1` elements behind it are those at the next indices, which lie next to one another in memory
        // (`Offsets::new`). `Elements::of_runs` checked that the dtype is that of `E`, so they are valid and aligned for it.
        unsafe { slice::from_raw_parts(first.offset(offset), self.offsets.run) }
    }

    /// The number of elements that are left.
    fn len(&self) -> usize {
        self.offsets.left + self.back.len()
    }
}

impl<'a, E: Element> Iterator for Runs<'a, E> {
    type Item = &'a [E];

    #[inline]
    fn next(&mut self) -> Option<&'a [E]> {
        match self.offsets.next() {
            // SAFETY: the offset comes from `offsets`, as `at` requires.
            Some(offset) => Some(unsafe { self.at(offset) }),
            None => {
                let back = core::mem::take(&mut self.back).as_slice();
                (!back.is_empty()).then_some(back)
            }
        }
    }
}

impl<E: Element> Iterator for Elements<'_, E> {
    type Item = E;

    #[inline]
    fn next(&mut self) -> Option<E> {
        if let Some(element) = self.run.next() {
            return Some(*element);
        }
        self.run = self.rest.as_mut()?.next()?.iter();
        self.run.next().copied()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let behind = self.rest.as_ref().map_or(0, |rest| rest.len());
        let left = self.run.len() + behind;
        (left, Some(left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, E) -> B>(self, start: B, mut f: F) -> B {
        let mut so_far = self.run.copied().fold(start, &mut f);
        let Some(mut rest) = self.rest else {
            return so_far;
        };
        for run in &mut *rest {
            so_far = run.iter().copied().fold(so_far, &mut f);
        }
        so_far
    }
}

impl<E: Element> DoubleEndedIterator for Elements<'_, E> {
    #[inline]
    fn next_back(&mut self) -> Option<E> {
        if let Some(rest) = &mut self.rest {
            if rest.back.as_slice().is_empty()
                && let Some(offset) = rest.offsets.next_back()
            {
                // SAFETY: the offset comes from `offsets`, as `at` requires.
                rest.back = unsafe { rest.at(offset) }.iter();
            }
            if let Some(element) = rest.back.next_back() {
                return Some(*element);
            }
        }
        self.run.next_back().copied()
    }
}

impl<E: Element> ExactSizeIterator for Elements<'_, E> {}
impl<E: Element> FusedIterator for Elements<'_, E> {}

impl<'a> Offsets<'a> {
    fn new(array: &'a Array) -> Self {
        let (mut run, mut outer) = (1_usize, array.rank());
        // The last axes are part of a run as far as their elements lie next to one another.
        for (size, stride) in array.shape().iter().zip(array.strides()).rev() {
            if *size != 1 && *stride != run.cast_signed() {
                break;
            }
            run *= size;
            outer -= 1;
        }
        let line_axis = outer.checked_sub(1);
        let mut index = array.dims().map(|_| 0);
        index.truncate(line_axis.unwrap_or_default());
        Self {
            array,
            index,
            line: 0,
            offset: 0,
            left_in_line: 0,
            runs_in_line: line_axis.map_or(1, |axis| array.shape()[axis]),
            stride: line_axis.map_or(0, |axis| array.strides()[axis]),
            run,
            left: array.len(),
            taken_back: 0,
        }
    }

    #[inline]
    fn next(&mut self) -> Option<isize> {
        if self.left == 0 {
            return None;
        }
        if self.left_in_line == 0 {
            self.next_line();
        }
        self.left_in_line -= 1;
        self.left -= self.run;
        let offset = self.offset;
        self.offset = offset.wrapping_add(self.stride);
        Some(offset)
    }

    /// The distance of the last run that is left.
    fn next_back(&mut self) -> Option<isize> {
        if self.left == 0 {
            return None;
        }
        self.left -= self.run;
        self.taken_back += 1;
        let mut number = self.array.len() / self.run - self.taken_back;
        let axes = if self.runs_in_line == 1 && self.stride == 0 {
            self.index.len() // without an axis of lines, or with one of a single run
        } else {
            self.index.len() + 1
        };
        let mut offset = 0;
        for axis in (0..axes).rev() {
            let size = self.array.shape()[axis];
            offset += (number % size).cast_signed() * self.array.strides()[axis];
            number /= size;
        }
        Some(offset)
    }

    /// Goes to the next line.
    fn next_line(&mut self) {
        self.left_in_line = self.runs_in_line;
        self.offset = self.line;
        for axis in (0..self.index.len()).rev() {
            let (size, stride) = (self.array.shape()[axis], self.array.strides()[axis]);
            self.index[axis] += 1;
            self.line += stride;
            if self.index[axis] < size {
                break;
            }
            self.index[axis] = 0;
            self.line -= stride * size.cast_signed();
        }
    }
}
