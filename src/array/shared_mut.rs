//! Parts of a borrowed array for writing, which replace the array as long as no element of theirs is borrowed.
#![allow(unsafe_code, reason = "shares a mutable borrow within one thread")]

use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, ThreadId};

use super::{Array, ArrayMut, Region};
use crate::error::Error;

/// A mutable borrow of an array that several parts share. Only the thread that borrowed the array can use it.
#[derive(Clone)]
struct SharedMut<'a> {
    array: NonNull<Array>,
    /// `true` once a part has made a view of its elements. From then on the array must keep its buffer.
    has_views: Arc<AtomicBool>,
    thread: ThreadId,
    lifetime: PhantomData<&'a mut Array>,
}

// SAFETY: the address is used on the thread that borrowed the array only. The address and the thread's number are plain data,
// and nothing is dropped through the address.
unsafe impl Send for SharedMut<'_> {}
// SAFETY: as for `Send`: references on other threads do not reach the array either.
unsafe impl Sync for SharedMut<'_> {}

impl<'a> SharedMut<'a> {
    fn new(array: &'a mut Array) -> Self {
        Self {
            array: NonNull::from(array),
            has_views: Arc::default(),
            thread: thread::current().id(),
            lifetime: PhantomData,
        }
    }

    /// Calls a function with the array, which must not use another part. `None` on another thread.
    fn with<T>(&self, f: impl FnOnce(&mut Array) -> T) -> Option<T> {
        (thread::current().id() == self.thread).then(|| {
            // SAFETY: the array is borrowed mutably for `'a`, so it is alive and only clones of this value reach it. They are used on
            // this thread only (checked above), and not during the call: `f` uses no other part. No reference to the array
            // outlives the call, because `T` cannot name the reference's lifetime.
            f(unsafe { &mut *self.array.as_ptr() })
        })
    }

    fn has_views(&self) -> bool {
        self.has_views.load(Ordering::Relaxed)
    }
}

/// A part of a borrowed array. Other parts of it have no element in common with this one.
pub(crate) struct SharedPart<'a> {
    whole: SharedMut<'a>,
    region: Region,
}

impl<'a> SharedPart<'a> {
    /// The elements of the part.
    pub(crate) fn region(&self) -> &Region {
        &self.region
    }

    /// Calls a function with the whole array. `None` on another thread.
    pub(crate) fn read<T>(&self, f: impl FnOnce(&Array) -> T) -> Option<T> {
        self.whole.with(|array| f(array))
    }

    /// Calls a function with the whole array and the part's region. The function may replace the array. `None` on another thread.
    ///
    /// # Panics
    /// As the function; if a part has made a view of its elements.
    pub(crate) fn replace<T>(&self, f: impl FnOnce(&mut Array, &Region) -> T) -> Option<T> {
        assert!(!self.has_views(), "no views of elements");
        self.whole.with(|array| f(array, &self.region))
    }

    /// Returns whether a part of the array has made a view of its elements: then the array cannot be replaced.
    pub(crate) fn has_views(&self) -> bool {
        self.whole.has_views()
    }

    /// Makes a view of the elements. `None` on another thread, and for the first view also if the array is not contiguous or has another
    /// owner.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn view(&mut self) -> Option<Result<ArrayMut<'_>, Error>> {
        let has_views = self.has_views();
        let whole = self.whole.with(|array| {
            let is_writable = has_views || ArrayMut::new(array).is_some();
            is_writable.then(|| array.clone())
        })??;
        self.whole.has_views.store(true, Ordering::Relaxed);
        let part = whole.reshape(self.region.whole());
        // SAFETY: the array is borrowed for `'a`, which outlives the view. It was the only owner of the buffer when the first view was made,
        // and keeps the buffer, because `replace` refuses from then on. So nothing outside of the parts writes the elements, other
        // parts have none of these, and no other view of this part can be used while this one borrows it.
        Some(part.map(|whole| unsafe { ArrayMut::of_borrowed(self.region.of(&whole)) }))
    }

    /// Keeps the elements of a view, made by a function.
    ///
    /// # Errors
    /// The errors of the function.
    ///
    /// # Panics
    /// If the function copied elements.
    pub(crate) fn narrowed(
        self,
        view: impl Fn(&Array) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        Ok(Self {
            region: self.region.narrowed(view)?,
            whole: self.whole,
        })
    }

    /// Borrows the part again, for a shorter time.
    pub(crate) fn reborrow(&mut self) -> SharedPart<'_> {
        SharedPart {
            whole: self.whole.clone(),
            region: self.region.clone(),
        }
    }

    /// Splits the part along an axis, which it has.
    pub(crate) fn parts(self, axis: usize) -> SharedParts<'a> {
        SharedParts {
            positions: 0..self.region.shape()[axis],
            whole: self.whole,
            region: self.region,
            axis,
        }
    }
}

/// The parts of a borrowed array at the positions of an axis.
pub(crate) struct SharedParts<'a> {
    whole: SharedMut<'a>,
    region: Region,
    axis: usize,
    positions: Range<usize>,
}

impl<'a> SharedParts<'a> {
    /// Splits a region of an array along an axis, which it has.
    pub(crate) fn new(array: &'a mut Array, region: Region, axis: usize) -> Self {
        let whole = SharedMut::new(array);
        SharedPart { whole, region }.parts(axis)
    }

    /// The part at a position that `positions` gave. It gives each once, so no two parts have an element in common.
    fn part(&self, position: usize) -> SharedPart<'a> {
        let part = |view: &Array| view.index_axis(self.axis, position);
        SharedPart {
            whole: self.whole.clone(),
            region: self.region.narrowed(part).expect("a position of the axis"),
        }
    }
}

impl<'a> Iterator for SharedParts<'a> {
    type Item = SharedPart<'a>;

    fn next(&mut self) -> Option<SharedPart<'a>> {
        let position = self.positions.next()?;
        Some(self.part(position))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.positions.size_hint()
    }
}

impl DoubleEndedIterator for SharedParts<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let position = self.positions.next_back()?;
        Some(self.part(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(array: &mut Array) -> SharedParts<'_> {
        let region = Region::new(*array.dims()).unwrap();
        SharedParts::new(array, region, 1)
    }

    #[test]
    fn parts_replace_one_array_on_one_thread() {
        let mut array = Array::full(1_i32, &[2, 2]).unwrap();
        let parts: Vec<_> = columns(&mut array).collect();
        let three = Array::full(3_i32, &[2, 2]).unwrap();
        assert_eq!(parts[1].replace(|array, _| *array = three), Some(()));
        let first = parts[0].read(|array| array.get::<i32>(&[0, 0]));
        assert_eq!(first, Some(Some(3)));
        thread::scope(|scope| {
            let elsewhere = scope.spawn(|| parts[1].read(Array::len));
            assert_eq!(elsewhere.join().unwrap(), None);
        });
        drop(parts);
        assert_eq!(array.to_vec::<i32>(), [3; 4]);
    }

    #[test]
    fn elements_of_several_parts_are_borrowed_at_once() {
        let mut array = Array::from_positions(&[2, 3], |at| i32::try_from(at).unwrap()).unwrap();
        let other = array.clone();
        let mut parts: Vec<_> = columns(&mut array).collect();
        assert!(parts[0].view().is_none(), "two owners");
        assert!(!parts[0].has_views());
        drop(other);
        let reader = parts[2].read(|array| array.clone()).unwrap();
        drop(reader);
        let mut elements = Vec::new();
        for part in &mut parts {
            let view = part.view().unwrap().unwrap();
            elements.push(view.into_mut::<i32>(&[1]).unwrap());
        }
        for element in &mut elements {
            **element *= 10;
        }
        // A reader's share of the buffer does not move the elements.
        let before = parts[0].read(|array| array.clone()).unwrap();
        let mut view = parts[0].view().unwrap().unwrap();
        *view.get_mut::<i32>(&[0]).unwrap() = 7;
        assert!(parts[1].has_views());
        let refused = std::panic::AssertUnwindSafe(|| parts[2].replace(|_, _| ()));
        assert!(std::panic::catch_unwind(refused).is_err());
        drop((parts, before));
        assert_eq!(array.to_vec::<i32>(), [7, 1, 2, 30, 40, 50]);
    }
}
