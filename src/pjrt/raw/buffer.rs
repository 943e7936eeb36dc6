//! Buffers: arrays, or parts of them, on one device.

use core::ffi::c_void;
use std::sync::Arc;

use super::client::RawClient;
use super::event::Event;
use super::ffi;
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::error::{DeviceError, Error};

/// The number of bytes up to which elements are copied where sharing them is possible: a copy takes less time than the
/// calls that keep shared memory alive, and small arrays of this library are faster in its own memory.
const COPIED: usize = 4096;

/// The time for which the plugin may use the memory of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pjrt) enum Lifetime {
    /// The memory stays unchanged as long as the buffer lives; the buffer shares the memory if the device can read it.
    Shared,
    /// The same as [`Self::Shared`], and results may be written there: no one else has the array.
    Owned,
}

/// A box of an array: where it begins and its size along each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::pjrt) struct Region {
    pub(in crate::pjrt) start: Dims,
    pub(in crate::pjrt) shape: Dims,
}

/// A buffer on a device, destroyed when it is dropped.
pub(in crate::pjrt) struct RawBuffer {
    pub(super) client: Arc<RawClient>,
    pub(super) raw: *mut ffi::Buffer,
    pub(super) dtype: DType,
    pub(super) shape: Dims,
    /// The address of the elements on the host that it may share and must not write to.
    lent: Option<usize>,
}

// SAFETY: the C API allows the use of buffers from any thread.
unsafe impl Send for RawBuffer {}
// SAFETY: the C API allows the use of buffers from several threads at once.
unsafe impl Sync for RawBuffer {}

impl Drop for RawBuffer {
    fn drop(&mut self) {
        let mut args = ffi::Buffer_Destroy {
            buffer: self.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live until here, and not used after it. An error leaves nothing to do.
        let _ = unsafe { self.client.plugin.call(&mut args) };
    }
}

/// The codes of dtypes in the C API.
const KINDS: [(DType, u32); 20] = [
    (DType::Bool, 1),
    (DType::I8, 2),
    (DType::I16, 3),
    (DType::I32, 4),
    (DType::I64, 5),
    (DType::U8, 6),
    (DType::U16, 7),
    (DType::U32, 8),
    (DType::U64, 9),
    (DType::F16, 10),
    (DType::F32, 11),
    (DType::F64, 12),
    (DType::BF16, 13),
    (DType::C64, 14),
    (DType::C128, 15),
    (DType::F8E5M2, 16),
    (DType::F8E4M3FN, 17),
    (DType::F8E4M3B11FNUZ, 18),
    (DType::F8E5M2FNUZ, 19),
    (DType::F8E4M3FNUZ, 20),
];

/// The code of a dtype in the C API.
fn kind(dtype: DType) -> u32 {
    let found = KINDS.iter().find(|(known, _)| *known == dtype);
    found.map_or(0, |(_, kind)| *kind) // 0 is refused by plugins; a test shows that no dtype is missing
}

/// The dtype of a code in the C API.
pub(super) fn dtype_of(kind: u32) -> Option<DType> {
    let found = KINDS.iter().find(|(_, known)| *known == kind);
    found.map(|(dtype, _)| *dtype)
}

/// Converts sizes or strides of at most as many axes as an array has.
fn wide(sizes: impl IntoIterator<Item = usize>) -> [i64; crate::array::MAX_RANK] {
    let mut wide = [0; crate::array::MAX_RANK];
    for (to, size) in wide.iter_mut().zip(sizes) {
        *to = i64::try_from(size).unwrap_or(i64::MAX); // sizes are below 2^48
    }
    wide
}

impl RawBuffer {
    /// Takes over a buffer.
    ///
    /// # Safety
    /// It is a live buffer of the client with this dtype and shape, and nobody else destroys it.
    pub(super) unsafe fn new(
        client: Arc<RawClient>,
        raw: *mut ffi::Buffer,
        dtype: DType,
        shape: Dims,
    ) -> Self {
        Self {
            client,
            raw,
            dtype,
            shape,
            lent: None,
        }
    }

    /// Puts a region of an array on a device. The array has to be contiguous. It is kept until the plugin no longer uses its
    /// memory; those who write to another array over it copy it first.
    ///
    /// # Errors
    /// [`DeviceError::NoSuchDevice`], [`DeviceError::Plugin`].
    pub(in crate::pjrt) fn put(
        client: &Arc<RawClient>,
        mut array: Array,
        region: &Region,
        device: usize,
        lifetime: Lifetime,
    ) -> Result<Self, Error> {
        assert!(array.is_contiguous(), "elements in row-major order");
        let (dtype, rank) = (array.dtype(), array.rank());
        let axes = region.start.iter().zip(region.shape.iter());
        let is_within = axes.zip(array.shape()).all(|((start, size), whole)| {
            start.checked_add(*size).is_some_and(|end| end <= *whole)
        });
        assert!(
            is_within && region.start.len() == rank && region.shape.len() == rank,
            "a region of the array"
        );
        let strides = crate::array::row_major(array.dims());
        let strides = strides.iter().map(|stride| stride.unsigned_abs());
        let first: usize = region
            .start
            .iter()
            .zip(strides.clone())
            .map(|(at, by)| at * by)
            .sum();
        let byte_strides = wide(strides.map(|stride| stride * dtype.size()));
        let dims = wide(region.shape.iter().copied());
        let whole = *array.dims() == region.shape;
        // Only the whole of an array that nobody else has may be overwritten.
        let unique = match lifetime {
            Lifetime::Owned if whole => array.unique_mut_ptr(),
            _ => None,
        };
        let data = match unique {
            Some(data) => data.cast_const(),
            None => array.as_ptr().wrapping_add(first * dtype.size()),
        };
        let bytes = region.shape.iter().product::<usize>() * dtype.size();
        let is_copied = bytes <= COPIED;
        let mut args = ffi::Client_BufferFromHostBuffer {
            client: client.raw,
            data: data.cast::<c_void>(),
            kind: kind(dtype),
            dims: dims.as_ptr(),
            num_dims: rank,
            host_buffer_semantics: match unique {
                _ if is_copied => ffi::IMMUTABLE_ONLY_DURING_CALL,
                Some(_) => ffi::MUTABLE_ZERO_COPY,
                None => ffi::IMMUTABLE_ZERO_COPY,
            },
            device: client.device(device)?,
            ..Default::default()
        };
        if !whole {
            args.byte_strides = byte_strides.as_ptr();
            args.num_byte_strides = rank;
        }
        // SAFETY: client and device are live, sizes and strides live until the call returns. The strides lead from `data` to
        // elements of the region, which lies within the array (checked above), all initialised. `array` keeps them alive and
        // unwritten until the event below, or until the call returns if they are copied: arrays copy before they write to
        // memory with several owners. The plugin may write there only if `unique_mut_ptr` said that no one else has them.
        unsafe { client.plugin.call(&mut args)? };
        let buffer = Self {
            client: Arc::clone(client),
            raw: args.buffer,
            dtype,
            shape: region.shape,
            lent: (unique.is_none() && !is_copied).then_some(data.addr()),
        };
        // SAFETY: the call gave this event to its caller.
        match unsafe { Event::new(client.plugin, args.done_with_host_buffer) } {
            Some(done) if !is_copied => done.keep_until(array),
            _ => {} // the plugin was done when the call returned
        }
        Ok(buffer)
    }

    /// The address of the elements on their device.
    fn address(&self) -> Result<usize, Error> {
        let mut args = ffi::Buffer_UnsafePointer {
            buffer: self.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live.
        unsafe { self.client.plugin.call(&mut args)? };
        Ok(args.buffer_pointer)
    }

    /// Returns whether a program may write to its memory: not if that is memory of an array on the host, which others may
    /// read.
    pub(in crate::pjrt) fn may_be_donated(&self) -> bool {
        match self.lent {
            None => true,
            Some(lent) => self.address().is_ok_and(|address| address != lent),
        }
    }

    /// Waits until the elements are there.
    ///
    /// # Errors
    /// [`DeviceError::Plugin`]: the error of the program that was to compute them, or that a program was given the buffer
    /// to overwrite.
    pub(in crate::pjrt) fn wait(&self) -> Result<(), Error> {
        let mut args = ffi::Buffer_ReadyEvent {
            buffer: self.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live.
        unsafe { self.client.plugin.call(&mut args)? };
        // SAFETY: the call gave this event to its caller.
        match unsafe { Event::new(self.client.plugin, args.event) } {
            Some(event) => event.wait("PJRT_Buffer_ReadyEvent"),
            None => Ok(()),
        }
    }

    /// Copies the elements to the host, in row-major order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if `to` has another number of bytes, and those of [`Self::wait`].
    pub(in crate::pjrt) fn read(&self, to: &mut [u8]) -> Result<(), Error> {
        let expected = self.bytes();
        if to.len() != expected {
            return Err(Error::LengthMismatch {
                operation: "PJRT_Buffer_ToHostBuffer",
                what: "bytes",
                expected,
                found: to.len(),
            });
        }
        // Without a layout, elements come in the device's own order.
        let order = wide((0..self.shape.len()).rev());
        let mut layout = ffi::Buffer_MemoryLayout::default();
        layout.tiled.minor_to_major = order.as_ptr();
        layout.tiled.minor_to_major_size = self.shape.len();
        let mut args = ffi::Buffer_ToHostBuffer {
            src: self.raw,
            host_layout: &raw mut layout,
            dst: to.as_mut_ptr().cast(),
            dst_size: to.len(),
            ..Default::default()
        };
        // SAFETY: the buffer is live. The plugin writes at most `dst_size` bytes at `dst`, which this borrows until the event
        // has come. The layout lives until the call returns.
        unsafe { self.client.plugin.call(&mut args)? };
        // SAFETY: the call gave this event to its caller.
        match unsafe { Event::new(self.client.plugin, args.event) } {
            Some(event) => event.wait("PJRT_Buffer_ToHostBuffer"),
            None => Ok(()),
        }
    }

    /// The number of bytes that the elements take.
    fn bytes(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.size()
    }

    /// Returns whether the host can read the elements where they are.
    fn is_on_host(&self) -> bool {
        let mut args = ffi::Buffer_IsOnCpu {
            buffer: self.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live.
        unsafe { self.client.plugin.call(&mut args) }.is_ok() && args.is_on_cpu
    }

    /// Waits, and gives the elements as an array: over the buffer's memory if the host can read it, else a copy.
    ///
    /// # Errors
    /// The errors of [`Self::wait`] and [`Error::OutOfMemory`].
    pub(in crate::pjrt) fn array(self: &Arc<Self>) -> Result<Array, Error> {
        self.wait()?;
        if self.bytes() == 0 || !self.is_on_host() {
            return Array::filled(self.dtype, &self.shape, |bytes| self.read(bytes));
        }
        let view = HostView::new(Arc::clone(self))?;
        if self.bytes() <= COPIED {
            return Array::from_bytes(self.dtype, &self.shape, view.as_ref());
        }
        Array::external(self.dtype, &self.shape, view)
    }
}

/// The elements of a buffer that is in the host's memory. Nobody writes to them while it lives: it holds the buffer, and
/// programs overwrite only buffers that have a single owner.
struct HostView {
    buffer: Arc<RawBuffer>,
    data: *const u8,
    len: usize,
}

// SAFETY: the memory is only read, and the buffer, which keeps it alive, is `Send`.
unsafe impl Send for HostView {}
// SAFETY: the memory is only read, and the buffer, which keeps it alive, is `Sync`.
unsafe impl Sync for HostView {}

impl HostView {
    /// Asks for the memory of a buffer on the host whose elements are there.
    fn new(buffer: Arc<RawBuffer>) -> Result<Self, Error> {
        let plugin = buffer.client.plugin;
        let mut count = ffi::Buffer_IncreaseExternalReferenceCount {
            buffer: buffer.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live.
        unsafe { plugin.call(&mut count)? };
        let mut view = Self {
            len: buffer.bytes(),
            buffer,
            data: core::ptr::null(),
        };
        let mut args = ffi::Buffer_OpaqueDeviceMemoryDataPointer {
            buffer: view.buffer.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live.
        unsafe { plugin.call(&mut args)? };
        view.data = args.device_memory_ptr.cast_const().cast();
        match view.data.is_null() {
            true => Err(DeviceError::Missing {
                function: "the address of a buffer on the host",
            }
            .into()),
            false => Ok(view),
        }
    }
}

impl Drop for HostView {
    fn drop(&mut self) {
        let mut args = ffi::Buffer_DecreaseExternalReferenceCount {
            buffer: self.buffer.raw,
            ..Default::default()
        };
        // SAFETY: the buffer is live, and its count was increased by `new`. An error leaves nothing to do.
        let _ = unsafe { self.buffer.client.plugin.call(&mut args) };
    }
}

impl AsRef<[u8]> for HostView {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the plugin gave this address for the elements of the buffer, `len` bytes in row-major order: buffers on the
        // host are dense. They are computed (`RawBuffer::array` waits before). The count that `new` has increased keeps them
        // where they are, and nobody writes to them while this lives.
        unsafe { core::slice::from_raw_parts(self.data, self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dtype_has_a_code() {
        for dtype in DType::ALL {
            assert_eq!(dtype_of(kind(*dtype)), Some(*dtype));
        }
        assert_eq!(dtype_of(0), None);
    }
}
