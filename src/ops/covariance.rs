//! Covariances and correlations of rows.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{DType, Kind, RealDType, compute_dtype};
use crate::error::Error;
use crate::exec;
use crate::kernel::{BinaryOp, ReduceOp, UnaryOp};
use crate::rank::{MayBe, Rank, Rank2};
use crate::rules::Rules;
use crate::rules::operations::Variance;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_cov`] of arrays.
pub(crate) fn cov(x: &Array, correction: usize, out: DType) -> Result<Array, Error> {
    let compute = compute_dtype(out);
    let sums = products("cov", x, compute)?;
    let observations = u64::try_from(x.shape()[1].saturating_sub(correction)).unwrap_or(u64::MAX);
    let count = Datum::ScalarBits(ScalarBits::of(compute, observations));
    let cov = exec::binary(BinaryOp::Div, compute, compute, Datum::owned(sums), count).array()?;
    exec::cast(Cow::Owned(cov), out)
}

/// [`Tensor::try_corrcoef`] of arrays.
pub(crate) fn corrcoef(x: &Array, out: DType) -> Result<Array, Error> {
    let compute = compute_dtype(out);
    let sums = products("corrcoef", x, compute)?;
    let squares = exec::diagonal(&sums, 0, [0, 1])?;
    let lengths = exec::unary(UnaryOp::Sqrt, compute, compute, Cow::Owned(squares)).array()?;
    let column = exec::unsqueeze(&lengths, 1)?;
    let by = |op, a, b| exec::binary(op, compute, compute, a, b).array();
    let scaled = by(BinaryOp::Div, Datum::owned(sums), Datum::owned(column))?;
    let scaled = by(BinaryOp::Div, Datum::owned(scaled), Datum::owned(lengths))?;
    let limit = |number: f64| Datum::ScalarBits(ScalarBits::of(compute, number));
    let scaled = by(BinaryOp::Min, Datum::owned(scaled), limit(1.0))?;
    let scaled = by(BinaryOp::Max, Datum::owned(scaled), limit(-1.0))?;
    exec::cast(Cow::Owned(scaled), out)
}

/// The products of all rows, less their means.
fn products(operation: &'static str, x: &Array, compute: DType) -> Result<Array, Error> {
    if x.rank() != 2 {
        return Err(Error::RankMismatch {
            operation,
            expected: 2,
            shape: x.shape().to_vec(),
        });
    }
    if x.dtype().kind() == Kind::Complex {
        return Err(Error::UnsupportedDType {
            operation,
            dtype: x.dtype(),
        });
    }
    let x = exec::cast(Cow::Borrowed(x), compute)?;
    let of_rows = |op| exec::reduce(op, &x, Some(&[1]), true, compute).array();
    let mut means = of_rows(ReduceOp::Mean)?;
    if x.shape()[1] > 0 {
        // A mean rounds, and that of equal elements must not differ from them.
        for (limit, op) in [
            (ReduceOp::Min, BinaryOp::Max),
            (ReduceOp::Max, BinaryOp::Min),
        ] {
            let limit = Datum::owned(of_rows(limit)?);
            means = exec::binary(op, compute, compute, Datum::owned(means), limit).array()?;
        }
    }
    let centred = exec::binary(
        BinaryOp::Sub,
        compute,
        compute,
        Datum::owned(x),
        Datum::owned(means),
    )
    .array()?;
    exec::matmul(&centred, &exec::permute(&centred, &[1, 0])?, compute)
}

/// # Covariances
///
/// The rows of a matrix are the variables, and the columns are observations. Computed in the dtype of the result, of 16-bit and 8-bit floats
/// in `f32`, and rounded once. `Out` is inferred: it is the result of [`Variance`](crate::operations::Variance) for `D`.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The covariances of the rows of a matrix, as NumPy's and PyTorch's `cov`, with `correction` taken from the number of columns: 1 is their
    /// default. With no more columns than that, they are NaN or infinite.
    ///
    /// # Panics
    /// With the text of [`Self::try_cov`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [2.0, 4.0, 9.0]];
    /// assert_eq!(t.cov(1).to_vec(), [1.0, 3.5, 3.5, 13.0]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn cov<Out>( // divided by `n - 1`: `cov(1)`; of two vectors: `stack([&x, &y], 0).cov(1)`
        &self,
        correction: usize,
    ) -> Tensor<Out, Rank2, R>
    where
        D: RealDType + Variance<R::Operations, Output = Out>,
        N: MayBe<Rank2>,
        Out: RealDType,
    {
        or_panic(self.try_cov(correction))
    }

    /// [`Self::cov`], fallible.
    ///
    /// # Errors
    /// [`Error::RankMismatch`] if it is no matrix at run time; [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_cov<Out>( // of two vectors: `try_stack([&x, &y], 0)?.try_cov(1)?`
        &self,
        correction: usize,
    ) -> Result<Tensor<Out, Rank2, R>, Error>
    where
        D: RealDType + Variance<R::Operations, Output = Out>,
        N: MayBe<Rank2>,
        Out: RealDType,
    {
        cov(self.array(), correction, Out::DTYPE).map(Tensor::from_array)
    }

    /// The correlations of the rows of a matrix, as NumPy's and PyTorch's `corrcoef`: their covariances, divided by both standard deviations.
    /// They lie between -1 and 1; those of a row of equal elements are NaN.
    ///
    /// # Panics
    /// With the text of [`Self::try_corrcoef`]'s error.
    ///
    /// ```
    /// use supremum::{F64, Rank2, Tensor, tensor};
    /// let t: Tensor<F64, Rank2> = tensor![[1.0, 2.0, 3.0], [6.0, 4.0, 2.0]];
    /// assert!(t.corrcoef().approx_eq(&[[1.0, -1.0], [-1.0, 1.0]], 1e-15, 0.0));
    /// ```
    #[rustfmt::skip] // As above.
    #[track_caller]
    pub fn corrcoef<Out>( // of two vectors: `stack([&x, &y], 0).corrcoef()`, not as `help` says
        &self,
    ) -> Tensor<Out, Rank2, R>
    where
        D: RealDType + Variance<R::Operations, Output = Out>,
        N: MayBe<Rank2>,
        Out: RealDType,
    {
        or_panic(self.try_corrcoef())
    }

    /// [`Self::corrcoef`], fallible.
    ///
    /// # Errors
    /// [`Error::RankMismatch`] if it is no matrix at run time; [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_corrcoef<Out>( // of two vectors: `try_stack([&x, &y], 0)?.try_corrcoef()?`, not as `help` says
        &self,
    ) -> Result<Tensor<Out, Rank2, R>, Error>
    where
        D: RealDType + Variance<R::Operations, Output = Out>,
        N: MayBe<Rank2>,
        Out: RealDType,
    {
        corrcoef(self.array(), Out::DTYPE).map(Tensor::from_array)
    }
}
