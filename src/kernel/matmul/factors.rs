//! The operands of a matrix product, in the form that its loops take.

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
        self.moved(offset)
    }

    /// Returns the matrix whose first element lies this number of elements from that of this one.
    pub(super) fn moved(self, offset: isize) -> Self {
        Self {
            first: self.first.wrapping_offset(offset),
            ..self
        }
    }

    /// Returns the transposed matrix.
    pub(super) fn transposed(self) -> Self {
        let [down, along] = self.strides;
        Self {
            strides: [along, down],
            ..self
        }
    }
}

/// The operands of products: `[rows, inner]` by `[inner, columns]`, no size zero.
///
/// Rows of the result lie `stride` elements apart; its columns are contiguous.
#[derive(Clone, Copy)]
pub(super) struct Factors<A, B = A> {
    pub(super) a: Matrix<A>,
    pub(super) b: Matrix<B>,
    pub(super) rows: usize,
    pub(super) inner: usize,
    pub(super) columns: usize,
    pub(super) stride: usize,
    /// The number of products. Their results lie `rows` rows apart.
    pub(super) count: usize,
    /// The distances from the operands of one product to those of the next one.
    pub(super) steps: [isize; 2],
}

impl<A: Copy, B: Copy> Factors<A, B> {
    /// Returns one of the products, and the distance of its result from the first one.
    pub(super) fn product(&self, number: usize) -> (Self, usize) {
        let [a, b] = self.steps.map(|step| number.cast_signed() * step);
        let product = Self {
            a: self.a.moved(a),
            b: self.b.moved(b),
            count: 1,
            ..*self
        };
        (product, number * self.rows * self.stride)
    }
}
