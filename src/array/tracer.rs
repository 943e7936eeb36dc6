//! Arrays that stand for values of a program that is being traced.

use core::num::NonZeroU64;
use std::sync::Arc;

use super::{AllocError, Array, Buffer, Dims, Layout, ScalarBits};
use crate::array::buffer::BufferWithLayout;
use crate::dtype::{DType, StaticDType, dispatch_dtype};

/// Which value of which trace an array stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tracer {
    /// Never used again, so that a tensor that outlives its trace is known for one.
    pub(crate) trace: NonZeroU64,
    pub(crate) value: u32,
}

impl Array {
    /// An array of any size that stands for a value.
    ///
    /// Its elements are a single zero, which all indices reach. Nothing reads it: whoever asks for elements is refused
    /// (see `stablehlo::reads`). Were that forgotten somewhere, zeros would be read, not external memory. The layout is
    /// never the buffer's and never contiguous, so that fast paths, which ask for that, do not take it.
    ///
    /// # Errors
    /// If there is no memory for that zero.
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

    /// The value that it stands for, if it has no elements of its own.
    #[inline]
    pub(crate) fn tracer(&self) -> Option<Tracer> {
        self.layout.as_ref()?.tracer
    }

    /// The element that is everywhere, if all are the same.
    pub(crate) fn repeated(&self) -> Option<ScalarBits> {
        dispatch_dtype!(self.dtype(), D => {
            let mut elements = self.iter::<<D as StaticDType>::Element>();
            let first = elements.next()?;
            let same = |element| bytemuck::bytes_of(&element) == bytemuck::bytes_of(&first);
            elements.all(same).then(|| ScalarBits::new(first))
        })
    }

    /// Calls a function with each byte of the elements in row-major order.
    pub(crate) fn each_byte(&self, mut with: impl FnMut(u8)) {
        dispatch_dtype!(self.dtype(), D => {
            for element in self.iter::<<D as StaticDType>::Element>() {
                bytemuck::bytes_of(&element).iter().copied().for_each(&mut with);
            }
        });
    }
}
