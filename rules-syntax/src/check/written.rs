//! What a form says: the operands that are written, and their table.

use proc_macro2::Span;

use crate::model::{Operand, Stated, Table};

/// The contents of a form, and their positions in the source.
pub(super) struct Written {
    pub(super) operands: Vec<Operand>,
    pub(super) table: Table<Stated>,
    /// The position of each operand's row; for an operand that is not written, that of the rules' name.
    pub(super) spans: [Span; Operand::COUNT],
}

impl Written {
    pub(super) fn contains(&self, operand: Operand) -> bool {
        self.operands.contains(&operand)
    }
}
