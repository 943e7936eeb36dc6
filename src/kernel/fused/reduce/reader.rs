//! Reads operands block by block, and copies those that are not contiguous.
#![allow(unsafe_code, reason = "hands out addresses of raw memory")]

use super::traversal::Operands;
use crate::array::{AllocError, Uninit};
use crate::kernel::drive::block::Operand;
use crate::kernel::drive::nditer::OperandBuffer;
use crate::kernel::fused::MAX_INPUTS;
use crate::kernel::fused::inputs::Pointers;
use crate::simd::{LANES, LINE};

/// The number of elements that are read at a time: so few that the operands, and what is computed of them, stay in the L1 cache.
pub(super) const TOGETHER: usize = 1 << 10;
/// The largest number of elements that are read at a time: so none is left that has less than a pack.
pub(super) const AT_MOST: usize = TOGETHER + LANES;

/// Reads the operands of a reduction, in its order. Each thread has its own.
pub(super) struct OperandReader<'a> {
    operands: &'a Operands<'a>,
    buffers: [OperandBuffer; MAX_INPUTS],
    /// The memory of the buffers.
    _room: Uninit,
}

impl<'a> OperandReader<'a> {
    /// # Errors
    /// If there is no memory.
    pub(super) fn new(operands: &'a Operands<'a>) -> Result<Self, AllocError> {
        let bytes = |size: usize| (AT_MOST * size).next_multiple_of(LINE);
        let sizes = || operands.each().map(|(_, (_, size), _)| size);
        let mut room = Uninit::new(sizes().map(bytes).sum())?;
        let mut to = room.as_mut_ptr();
        let mut buffers = [const { OperandBuffer::new(core::ptr::null_mut()) }; MAX_INPUTS];
        for (buffer, size) in buffers.iter_mut().zip(sizes()) {
            *buffer = OperandBuffer::new(to);
            to = to.wrapping_add(bytes(size));
        }
        Ok(Self {
            operands,
            buffers,
            _room: room,
        })
    }

    /// Returns the addresses of `len` elements of each operand from a position on. The next call may overwrite them.
    ///
    /// # Safety
    /// The operands have these elements, which are at most [`AT_MOST`].
    pub(super) unsafe fn read(&mut self, position: usize, len: usize) -> Pointers {
        let nditer = &self.operands.nditer;
        let place = (position, &nditer.index_at(position));
        let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
        let operands = self.operands.each().zip(&mut self.buffers);
        for ((number, (pointer, size), access), buffer) in operands {
            let operand = Operand {
                pointer,
                size,
                ..Operand::none()
            };
            // SAFETY: the caller guarantees these elements of the operand, which is not converted. Its access and its buffer belong to it
            // alone, and the buffer has memory for `AT_MOST` elements.
            inputs[number] = unsafe {
                nditer.fetch(
                    access,
                    &operand,
                    place,
                    len,
                    buffer,
                    [core::ptr::null_mut(); 2],
                )
            };
        }
        inputs
    }
}
