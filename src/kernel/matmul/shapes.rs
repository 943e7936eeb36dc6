//! The shapes of a matrix product.

use crate::array::{Array, Dims, broadcast, element_count};
use crate::error::{Error, SizedAxis, check_axes};

/// The shapes of a matrix product. Both operands are stacks of matrices with the same leading axes; an operand of rank
/// one is a row on the left and a column on the right.
pub(crate) struct MatmulShapes {
    pub(crate) lhs: Dims,
    pub(crate) rhs: Dims,
    /// The shape of the product, with the axes that were added to operands of rank one.
    pub(crate) product: Dims,
    /// The shape of the result, without those axes.
    pub(crate) result: Dims,
}

impl MatmulShapes {
    /// Returns the shapes for operands of these shapes.
    ///
    /// # Errors
    /// The errors of [`matmul`](super::matmul), without [`Error::OutOfMemory`].
    pub(crate) fn new(lhs: &Dims, rhs: &Dims) -> Result<Self, Error> {
        let operation = "matmul";
        check_axes(operation, 1, lhs)?;
        check_axes(operation, 1, rhs)?;
        let a = row_matrix(lhs)?;
        let b = column_matrix(rhs)?;
        let (a_batch, a_matrix) = a.split_at(a.len() - 2);
        let (b_batch, b_matrix) = b.split_at(b.len() - 2);
        let ([rows, inner], [b_rows, columns]) =
            ([a_matrix[0], a_matrix[1]], [b_matrix[0], b_matrix[1]]);
        if inner != b_rows {
            let [lhs_axis, rhs_axis] = [lhs.len() - 1, rhs.len().saturating_sub(2)];
            return Err(Error::SizeMismatch {
                operation,
                axes: Box::new([
                    SizedAxis::new("the left operand", lhs_axis.cast_signed(), lhs),
                    SizedAxis::new("the right operand", rhs_axis.cast_signed(), rhs),
                ]),
            });
        }
        let batch = broadcast(operation, a_batch, b_batch).map_err(|_| Error::ShapeMismatch {
            operation,
            lhs: lhs.to_vec(),
            rhs: rhs.to_vec(),
        })?;
        let shape_with = |last: &[usize]| {
            let mut shape = Dims::filled(1, batch.len() + last.len())?;
            let (stack, matrix) = shape.split_at_mut(batch.len());
            stack.copy_from_slice(&batch);
            matrix.copy_from_slice(last);
            Ok::<_, Error>(shape)
        };
        let product = shape_with(&[rows, columns])?;
        element_count(operation, &product)?;
        let axes_of_result: &[usize] = match (lhs.len(), rhs.len()) {
            (1, 1) => &[],
            (1, _) => &[columns],
            (_, 1) => &[rows],
            _ => &[rows, columns],
        };
        Ok(Self {
            lhs: shape_with(&[rows, inner])?,
            rhs: shape_with(&[inner, columns])?,
            product,
            result: shape_with(axes_of_result)?,
        })
    }

    /// Returns the numbers of rows, terms and columns of each product.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        let rank = self.lhs.len();
        [self.lhs[rank - 2], self.lhs[rank - 1], self.rhs[rank - 1]]
    }
}

/// The shape of the left operand as a stack of matrices.
pub(crate) fn row_matrix(lhs: &Dims) -> Result<Dims, Error> {
    match lhs.len() {
        1 => lhs.inserted(0, 1),
        _ => Ok(*lhs),
    }
}

/// The shape of the right operand as a stack of matrices.
pub(crate) fn column_matrix(rhs: &Dims) -> Result<Dims, Error> {
    match rhs.len() {
        1 => rhs.inserted(1, 1),
        _ => Ok(*rhs),
    }
}

/// Returns the distance of a matrix of a stack from the first one, in elements.
pub(in crate::kernel) fn matrix_offset(stack: &Array, number: usize) -> isize {
    let (mut left, mut offset) = (number, 0);
    for axis in (0..stack.rank() - 2).rev() {
        let size = stack.shape()[axis];
        offset += (left % size).cast_signed() * stack.strides()[axis];
        left /= size;
    }
    offset
}
