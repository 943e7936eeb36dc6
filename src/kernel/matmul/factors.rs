//! The operands of a product of matrices, as its loops take them.

/// The address of a matrix, and its strides along columns (from row to row) and along rows, in elements.
#[derive(Clone, Copy)]
pub(super) struct Matrix<T> {
    pub(super) first: *const T,
    pub(super) strides: [isize; 2],
}

impl<T> Matrix<T> {
    /// Returns the matrix without its first rows (`axis` 0) or columns (1).
    pub(super) fn after(self, count: usize, axis: usize) -> Self {
        let offset = count.cast_signed() * self.strides[axis];
        Self {
            first: self.first.wrapping_offset(offset),
            ..self
        }
    }
}

/// The operands of a product: `[rows, inner]` by `[inner, columns]`, no size zero.
///
/// Rows of the result lie `stride` elements apart; its columns are contiguous.
pub(super) struct Factors<A, B = A> {
    pub(super) a: Matrix<A>,
    pub(super) b: Matrix<B>,
    pub(super) rows: usize,
    pub(super) inner: usize,
    pub(super) columns: usize,
    pub(super) stride: usize,
}
