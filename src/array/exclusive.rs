//! Views through which elements are written.
#![allow(unsafe_code, reason = "gives references to elements in shared buffers")]

use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::Range;

use super::{Array, MAX_RANK};
use crate::dtype::Element;
use crate::error::Error;

/// A view of some elements of an array for writing, as `&mut [E]` is of a slice.
///
/// For `'a`, no array or reference outside of this value reaches its elements but the array that it borrows and other views of
/// that array without common elements. Two indices never reach the same element.
pub(crate) struct ArrayMut<'a> {
    view: Uncounted,
    lifetime: PhantomData<&'a mut Array>,
}

/// A view that does not count as an owner of its buffer, so that the array that it was made of is the only owner as soon as the view
/// is not used any more, even if it is dropped later. It must not be used when the buffer has no owner.
struct Uncounted(ManuallyDrop<Array>);

impl Uncounted {
    /// Gives up a view's share of a buffer, which has another owner.
    fn new(view: Array) -> Self {
        let Array { buffer, layout } = view;
        let uncounted = Array {
            // SAFETY: the copy is not dropped (`Drop` forgets it), so the buffer is released once for each counted owner.
            buffer: unsafe { core::ptr::read(&raw const buffer) },
            layout,
        };
        drop(buffer);
        Self(ManuallyDrop::new(uncounted))
    }
}

impl Drop for Uncounted {
    fn drop(&mut self) {
        // SAFETY: the value is not used again after `drop`.
        let Array { buffer, layout } = unsafe { ManuallyDrop::take(&mut self.0) };
        core::mem::forget(buffer);
        drop(layout);
    }
}

impl<'a> ArrayMut<'a> {
    /// Borrows all elements of an array. `None` if it is not contiguous, or if its buffer has another owner.
    pub(crate) fn new(array: &'a mut Array) -> Option<Self> {
        let is_writable = array.is_contiguous() && array.unique_mut_ptr().is_some();
        is_writable.then(|| Self::of(array.clone()))
    }

    /// Wraps a view of a buffer that the array borrowed for `'a` owns; the elements are those that this type requires.
    fn of(view: Array) -> Self {
        Self {
            view: Uncounted::new(view),
            lifetime: PhantomData,
        }
    }

    /// Wraps a view of elements that this type may write.
    ///
    /// # Safety
    /// For `'a` the elements have the properties that the type requires, and an array keeps their buffer alive.
    #[cfg(feature = "stablehlo")]
    pub(super) unsafe fn of_borrowed(view: Array) -> Self {
        assert!(view.has_distinct_elements(), "a view of distinct elements");
        Self::of(view)
    }

    /// The elements, for reading. An array that shares them must not be kept: it would see later writes.
    pub(crate) fn as_array(&self) -> &Array {
        &self.view.0
    }

    /// Borrows the elements again, for a shorter time.
    pub(crate) fn reborrow(&mut self) -> ArrayMut<'_> {
        ArrayMut::of(self.as_array().clone())
    }

    /// Keeps the elements of a view, made by a function.
    ///
    /// # Errors
    /// The errors of the function.
    ///
    /// # Panics
    /// If the function copied the elements, or repeats some of them (as a broadcast does).
    pub(crate) fn narrowed(
        self,
        view: impl FnOnce(&Array) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        let view = view(self.as_array())?;
        // Views of an array reach elements of that array only, so the other requirements still hold.
        assert!(
            view.shares_buffer(self.as_array()) && view.has_distinct_elements(),
            "a view of distinct elements in the same buffer"
        );
        Ok(Self::of(view))
    }

    /// Splits the view along an axis into the parts at its positions, without that axis.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn parts(self, axis: usize) -> Result<Parts<'a>, Error> {
        let size = self.as_array().shape().get(axis).copied();
        Ok(Parts {
            positions: 0..size.ok_or(Error::AxisOutOfRange {
                operation: "axis_iter_mut",
                axis: axis.cast_signed(),
                rank: self.as_array().rank(),
            })?,
            whole: self.view,
            axis,
            lifetime: PhantomData,
        })
    }

    /// The address of the element at index zero, for writing.
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.as_array().as_ptr().cast_mut()
    }

    /// The element at an index, for writing; `None` outside the shape or if the dtype is another.
    #[inline]
    pub(crate) fn get_mut<E: Element>(&mut self, index: &[usize]) -> Option<&mut E> {
        if self.as_array().dtype() != E::DTYPE {
            return None;
        }
        let offset = self.as_array().offset_of(index)?;
        // SAFETY: the index is within the shape (`offset_of`), so it reaches an element of the buffer, which the array borrowed for
        // `'a` keeps alive. `self` alone reaches it. The dtype is that of `E` (checked above), so the element is valid and aligned for it.
        Some(unsafe { &mut *self.as_mut_ptr().cast::<E>().offset(offset) })
    }

    /// [`Self::get_mut`] for as long as the elements are borrowed.
    #[cfg(feature = "stablehlo")]
    pub(crate) fn into_mut<E: Element>(mut self, index: &[usize]) -> Option<&'a mut E> {
        let element = core::ptr::NonNull::from(self.get_mut::<E>(index)?);
        // SAFETY: the element is valid for `'a`, and `self`, the only value that reached it, is gone.
        Some(unsafe { &mut *element.as_ptr() })
    }

    /// The elements in row-major order, for writing, if they are contiguous and have this type.
    pub(crate) fn as_mut_slice<E: Element>(&mut self) -> Option<&mut [E]> {
        let len = self.as_array().as_slice::<E>()?.len();
        // SAFETY: the `len` elements are contiguous and of type `E` (`as_slice`); the array borrowed for `'a` keeps their
        // buffer alive, and `self` alone reaches them.
        Some(unsafe { core::slice::from_raw_parts_mut(self.as_mut_ptr().cast(), len) })
    }
}

/// The parts of a view for writing at the positions of an axis; made by [`ArrayMut::parts`].
pub(crate) struct Parts<'a> {
    whole: Uncounted,
    axis: usize,
    positions: Range<usize>,
    lifetime: PhantomData<&'a mut Array>,
}

impl<'a> Parts<'a> {
    /// The part at a position that `positions` gave. It gives each once, so no two parts have an element in common.
    fn part(&self, position: usize) -> ArrayMut<'a> {
        let part = self.whole.0.index_axis(self.axis, position);
        ArrayMut::of(part.expect("a position of the axis"))
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = ArrayMut<'a>;

    fn next(&mut self) -> Option<ArrayMut<'a>> {
        let position = self.positions.next()?;
        Some(self.part(position))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl DoubleEndedIterator for Parts<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let position = self.positions.next_back()?;
        Some(self.part(position))
    }
}

impl ExactSizeIterator for Parts<'_> {}

impl Array {
    /// Returns whether different indices reach different elements. It may be false of a view with overlapping rows whose
    /// elements are all different; views of contiguous arrays have none.
    fn has_distinct_elements(&self) -> bool {
        if self.is_contiguous() || self.is_empty() {
            return true;
        }
        let (mut axes, mut count) = ([(0, 0); MAX_RANK], 0);
        for (size, stride) in self.shape().iter().zip(self.strides()) {
            if *size > 1 {
                axes[count] = (stride.unsigned_abs(), *size);
                count += 1;
            }
        }
        let axes = &mut axes[..count];
        axes.sort_unstable();
        let mut reach = 0; // The distance of the first element from the last one along smaller strides.
        axes.iter().all(|(stride, size)| {
            let is_beyond = *stride > reach;
            reach += stride * (size - 1);
            is_beyond
        })
    }
}
