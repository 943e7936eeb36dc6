//! A buffer whose header also has the layout of an array, so that a small array is one allocation.

use super::Buffer;
use super::header::SMALL_BYTES;
use crate::array::layout::{Dims, Layout};
use crate::dtype::DType;

/// A buffer whose header also has the layout of an array.
#[derive(Clone)]
pub(in crate::array) struct BufferWithLayout(Buffer);

impl BufferWithLayout {
    /// Writes the layout into the header of a buffer without other owners.
    #[inline]
    pub(in crate::array) fn new(buffer: Buffer, layout: impl FnOnce() -> Layout) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the
        // header.
        unsafe { shaped.0.0.as_mut() }.layout.write(layout());
        shaped
    }

    /// Writes the layout of a row-major array into the header of a buffer without other owners.
    #[inline]
    pub(in crate::array) fn row_major(buffer: Buffer, dtype: DType, shape: &Dims) -> Self {
        let mut shaped = Self::new(buffer, || Layout::single(dtype, shape));
        // In place, since moving a value that was just written is slow.
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the header; `new`
        // wrote the layout.
        unsafe { shaped.0.0.as_mut().layout.assume_init_mut() }.reshape(shape);
        shaped
    }

    /// Writes another buffer's layout, with this dtype, into the header of a buffer without other owners.
    #[inline]
    pub(in crate::array) fn like(buffer: Buffer, other: &Self, dtype: DType) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // In place, since moving a value that was just written is slow.
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the
        // header.
        let layout = unsafe { shaped.0.0.as_mut() }.layout.write(*other.layout());
        layout.dtype = dtype;
        shaped
    }

    /// The layout, for writing, if there is no other owner.
    #[inline]
    pub(in crate::array) fn unique_layout(&mut self) -> Option<&mut Layout> {
        let has_one_owner = self.0.has_one_owner();
        // SAFETY: `new` or `like` wrote the layout. There is no other owner, and none can appear while this is
        // borrowed mutably.
        has_one_owner.then(|| unsafe { self.0.0.as_mut().layout.assume_init_mut() })
    }

    #[inline]
    pub(in crate::array) fn layout(&self) -> &Layout {
        // SAFETY: `new` or `like` wrote the layout.
        unsafe { self.0.header().layout.assume_init_ref() }
    }

    #[inline]
    pub(in crate::array) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    pub(in crate::array) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns whether its memory is of the size that the free list keeps, and padded to [`SMALL_BYTES`].
    #[inline]
    pub(in crate::array) fn is_small(&self) -> bool {
        self.0.header().capacity == SMALL_BYTES
    }

    #[inline]
    pub(in crate::array) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        self.0.unique_mut_ptr()
    }
}
