//! Evaluation of graphs into views, whose rows need not follow one another in memory.
#![allow(unsafe_code, reason = "copies blocks to raw memory")]

use super::interpreter::BlockReader;
use super::{Graph, Origin, Value};
use crate::array::ArrayMut;
use crate::array::strided::copy_between;
use crate::error::Error;
use crate::kernel::assign;
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::elementwise::operand;
use crate::kernel::reduce::source::Blocks;

impl Graph<'_> {
    /// Writes a value into a view of its dtype and shape, block by block. If a step can fail, the value goes to new memory first.
    /// [`Self::target`] is the view's former value. If a user's function panics, some elements are new and others old.
    ///
    /// # Errors
    /// The errors of [`Self::evaluate_into`]. The elements are unchanged then.
    pub(crate) fn evaluate_into_view(
        mut self,
        operation: &'static str,
        result: Value,
        out: &mut ArrayMut<'_>,
    ) -> Result<(), Error> {
        let root = self.bytes(result);
        self.check_outputs(operation, (result, root), out.as_array())?;
        match &self.node(root).origin {
            Origin::Target => return Ok(()),
            Origin::Operand(array) => {
                let array = array.as_ref().clone();
                return assign(operation, out, &array.bitcast(out.as_array().dtype()));
            }
            _ => {}
        }
        // A second owner until the end of this function, which the view's memory need not know of: it is written by address.
        self.target = Some(out.as_array().clone());
        self.materialize_broadcast(root)
            .map_err(|failed| self.first_error(root, failed))?;
        if self.can_fail(root) {
            let array = self.array(root)?;
            return assign(operation, out, &array.bitcast(out.as_array().dtype()));
        }
        let order: Vec<usize> = (0..self.shape(root).len()).collect();
        let mut reader = self.block_reader(root, &order)?;
        copy_blocks(&mut reader, out);
        Ok(())
    }
}

/// Copies the blocks of a value that cannot fail to a view of the same shape and of elements of the same size.
fn copy_blocks(reader: &mut BlockReader, out: &mut ArrayMut<'_>) {
    let (shape, size) = (*out.as_array().dims(), out.as_array().dtype().size());
    let mut access = [Access::START];
    let mut nditer = NdIter::START;
    nditer.coalesce(&shape, &[operand(out.as_array(), &shape, &[])], &mut access);
    let ([access], last) = (access, nditer.rank.saturating_sub(1));
    let mut position = 0;
    while position < nditer.total {
        let index = nditer.index_at(position);
        let len = nditer.left_in_row(&index).min(BLOCK);
        let offset = access.offset(&index) * size.cast_signed();
        // SAFETY: `len` elements, at most `BLOCK`, are left from the position on, so the reader has a block of them, and the view has
        // as many at this stride, which it alone reaches. A block is a register, apart from the view.
        unsafe {
            let block = reader.block(position, len);
            let to = out.as_mut_ptr().wrapping_offset(offset);
            copy_between(size, (block, 1), (to, access.strides[last]), len);
        }
        position += len;
    }
}
