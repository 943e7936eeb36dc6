//! The trace of matrices.

use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, check_axes};
use crate::exec;
use crate::kernel::ReduceOp;
use crate::rank::{HasMatrices, Offset, Rank};
use crate::rules::Rules;
use crate::rules::operations::Sum;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_trace`] of arrays.
pub(crate) fn trace(x: &Array, offset: isize, out: DType) -> Result<Array, Error> {
    check_axes("trace", 2, x.shape())?;
    let last = x.rank() - 1;
    let diagonal = exec::diagonal(x, offset, [last - 1, last])?;
    let last = diagonal.rank() - 1;
    exec::reduce(ReduceOp::Sum, &diagonal, Some(&[last]), false, out).array()
}

/// # Trace of a matrix
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Sums a diagonal of each matrix of the last two axes, as the Array API's `linalg.trace` does (and for a single
    /// matrix NumPy's and PyTorch's `trace`). The diagonal begins `offset` positions to the right of the main one, or
    /// below it if `offset` is negative. The sum of no elements is zero.
    ///
    /// `Out` is inferred: it is what [`Sum`] gives for `D`, as for [`Self::sum`].
    ///
    /// # Panics
    /// With the text of [`Self::try_trace`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(t.trace(0).item(), Ok(5.0));
    /// assert_eq!(t.trace(1).item(), Ok(2.0));
    /// ```
    // The ranks are parameters, so that rustc reports a missing axis with its own message.
    #[track_caller]
    pub fn trace<Out, M>(&self, offset: impl Offset) -> Tensor<Out, M, R>
    where
        D: StaticDType + Sum<R::Operations, Output = Out>,
        N: HasMatrices<Output = M>,
        Out: StaticDType,
        M: Rank,
    {
        or_panic(self.try_trace(offset))
    }

    /// [`Self::trace`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] below rank 2; [`Error::OutOfMemory`].
    pub fn try_trace<Out, M>(&self, offset: impl Offset) -> Result<Tensor<Out, M, R>, Error>
    where
        D: StaticDType + Sum<R::Operations, Output = Out>,
        N: HasMatrices<Output = M>,
        Out: StaticDType,
        M: Rank,
    {
        trace(self.array(), offset.to_signed(), Out::DTYPE).map(Tensor::from_array)
    }
}
