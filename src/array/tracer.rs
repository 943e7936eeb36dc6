//! Arrays that stand for values of a program that is being traced.

use core::num::NonZeroU64;
use std::sync::Arc;

use super::{AllocError, Array, Buffer, Dims, Layout, ScalarBits};
use crate::array::buffer::BufferWithLayout;
use crate::dtype::{DType, StaticDType, dispatch_dtype};

/// The trace and the value that an array stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tracer {
    /// The trace's number. Numbers are never reused, so that a tensor that outlives its trace is recognised.
    pub(crate) trace: NonZeroU64,
    pub(crate) value: u32,
}

impl Array {
    /// Makes an array that stands for a traced value, with any shape.
    ///
    /// Its only element is a zero, at stride zero. Nothing reads it: operations that need elements refuse the array
    /// (see `stablehlo::reads`). If one forgot to, it would read that zero and not other memory. The layout is never
    /// the buffer's and never contiguous, so that fast paths, which require one of these, do not apply.
    ///
    /// # Errors
    /// If there is no memory for the zero.
    pub(crate) fn for_tracer(
        dtype: DType,
        shape: Dims,
        tracer: Tracer,
    ) -> Result<Self, AllocError> {
        let single = Buffer::zeroed(dtype.size())?;
        let layout = Layout {
            dtype,
            shape,
            strides: shape.map(|_| 0),
            offset: 0,
            len: shape.iter().product(),
            is_contiguous: false,
            tracer: Some(tracer),
        };
        Ok(Self {
            buffer: BufferWithLayout::new(single, || Layout::row_major(dtype, Dims::default())),
            layout: Some(Arc::new(layout)),
        })
    }

    /// The traced value that the array stands for, if it has no elements of its own.
    #[inline]
    pub(crate) fn tracer(&self) -> Option<Tracer> {
        self.layout.as_ref()?.tracer
    }

    /// The element, if all elements have the same bytes.
    pub(crate) fn repeated(&self) -> Option<ScalarBits> {
        dispatch_dtype!(self.dtype(), D => {
            let mut elements = self.iter::<<D as StaticDType>::Element>();
            let first = elements.next()?;
            let same = |element| bytemuck::bytes_of(&element) == bytemuck::bytes_of(&first);
            elements.all(same).then(|| ScalarBits::new(first))
        })
    }

    /// Calls a function with each byte of the elements, in row-major order.
    pub(crate) fn each_byte(&self, mut with: impl FnMut(u8)) {
        dispatch_dtype!(self.dtype(), D => {
            for element in self.iter::<<D as StaticDType>::Element>() {
                bytemuck::bytes_of(&element).iter().copied().for_each(&mut with);
            }
        });
    }
}
