//! The operands that a table or a lattice states, and the promotions of their pairs.

use proc_macro2::Span;

use crate::model::{Operand, Stated, Table};

/// The statements of a table or a lattice, with their positions in the source.
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
