//! A borrowed array that several views for writing replace.
#![allow(unsafe_code, reason = "shares a mutable borrow within one thread")]

use core::marker::PhantomData;
use core::ptr::NonNull;
use std::thread::{self, ThreadId};

use super::Array;

/// A mutable borrow of an array that several views share. Only the thread that borrowed the array can use it.
#[derive(Clone)]
pub(crate) struct SharedMut<'a> {
    array: NonNull<Array>,
    thread: ThreadId,
    lifetime: PhantomData<&'a mut Array>,
}

// SAFETY: `with` uses the address on the thread that borrowed the array only. The address and the thread's number are plain data,
// and nothing is dropped through the address.
unsafe impl Send for SharedMut<'_> {}
// SAFETY: as for `Send`: references on other threads do not reach the array either.
unsafe impl Sync for SharedMut<'_> {}

impl<'a> SharedMut<'a> {
    pub(crate) fn new(array: &'a mut Array) -> Self {
        Self {
            array: NonNull::from(array),
            thread: thread::current().id(),
            lifetime: PhantomData,
        }
    }

    /// Calls a function with the array, which may replace it but must not use another view of it. `None` on another thread.
    ///
    /// # Panics
    /// As the function.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&mut Array) -> T) -> Option<T> {
        (thread::current().id() == self.thread).then(|| {
            // SAFETY: the array is borrowed mutably for `'a`, so it is alive and only clones of this value reach it. They are used on
            // this thread only (checked above), and not during the call: `f` uses no other view. No reference to the array or to
            // its elements outlives the call, because `T` cannot name the reference's lifetime.
            f(unsafe { &mut *self.array.as_ptr() })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_replace_one_array_on_one_thread() {
        let mut array = Array::full(1_i32, &[2]).unwrap();
        let shared = SharedMut::new(&mut array);
        let other = shared.clone();
        let three = Array::full(3_i32, &[3]).unwrap();
        assert_eq!(other.with(|array| *array = three), Some(()));
        assert_eq!(shared.with(|array| array.len()), Some(3));
        thread::scope(|scope| {
            let elsewhere = scope.spawn(|| other.with(|array| array.len()));
            assert_eq!(elsewhere.join().unwrap(), None);
        });
        assert_eq!(array.to_vec::<i32>(), [3, 3, 3]);
    }
}
