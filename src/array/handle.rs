//! Arrays without elements, which carry a handle in their place.

use std::sync::Arc;

use super::{AllocError, Array, Buffer, Dims, Layout};
use crate::array::buffer::BufferWithLayout;
use crate::dtype::DType;

/// Identifies the value that an array without elements stands for. Only the layer that made the handle can interpret it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) [u64; 2]);

/// The number of bytes before the handle in its buffer: those of the largest element.
const ELEMENT: usize = 16;

impl Array {
    /// Makes an array that has a handle in place of elements, with any shape.
    ///
    /// It reads as zeros: its only element is a zero, at stride zero, before the handle in the buffer. The layout is
    /// never the buffer's and never contiguous, so that fast paths, which require one of these, do not apply. Views of
    /// it have no handle.
    ///
    /// # Errors
    /// If there is no memory for the zero and the handle.
    #[allow(dead_code, reason = "only traces make such arrays")]
    pub(crate) fn of_handle(dtype: DType, shape: Dims, handle: Handle) -> Result<Self, AllocError> {
        let mut bytes = [0; ELEMENT + size_of::<Handle>()];
        bytes[ELEMENT..].copy_from_slice(bytemuck::bytes_of(&handle.0));
        let layout = Layout {
            dtype,
            shape,
            strides: shape.map(|_| 0),
            offset: 0,
            len: shape.iter().product(),
            is_contiguous: false,
            has_handle: true,
        };
        Ok(Self {
            buffer: BufferWithLayout::new(Buffer::copied(&bytes)?, || {
                Layout::row_major(dtype, Dims::default())
            }),
            layout: Some(Arc::new(layout)),
        })
    }

    /// Returns whether the array has a handle in place of elements.
    #[inline]
    #[allow(dead_code, reason = "only traces make such arrays")]
    pub(crate) fn has_handle(&self) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.has_handle)
    }

    /// The handle, if the array has one in place of elements.
    #[allow(dead_code, reason = "only traces make such arrays")]
    pub(crate) fn handle(&self) -> Option<Handle> {
        self.has_handle().then(|| {
            Handle(bytemuck::pod_read_unaligned(
                &self.buffer.as_bytes()[ELEMENT..],
            ))
        })
    }
}
