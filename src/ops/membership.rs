//! `is_close` and `is_in`: elements that are near others, or among them.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{Bool, DType, Kind, RealDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::exec::Graph;
use crate::kernel::{BinaryOp, CompareOp, SearchSide, UnaryOp};
use crate::rank::{Broadcast, Rank};
use crate::rules::Rules;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_is_close`] of arrays.
pub(crate) fn is_close(a: &Array, b: &Array, relative: f64, absolute: f64) -> Result<Array, Error> {
    let operation = "is_close";
    if a.dtype() != b.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: a.dtype(),
            found: b.dtype(),
        });
    }
    let wide = match a.dtype().kind() {
        Kind::Complex => DType::C128,
        _ => DType::F64,
    };
    let real = DType::F64;
    let mut graph = Graph::new();
    let [a, b] = [a, b].map(|x| {
        let x = graph.operand(Cow::Borrowed(x));
        graph.cast(x, wide)
    });
    let close = || {
        let [relative, absolute] = [relative, absolute].map(|x| ScalarBits::of(real, x).to_array());
        let [relative, absolute] = [relative?, absolute?].map(|x| graph.operand(Cow::Owned(x)));
        let equal = graph.compare(CompareOp::Eq, [wide; 2], a, b)?;
        let apart = graph.binary(BinaryOp::Sub, [wide; 2], a, b)?;
        let apart = graph.unary(UnaryOp::Abs, wide, apart)?;
        let size = graph.unary(UnaryOp::Abs, wide, b)?;
        let limit = graph.binary(BinaryOp::Mul, [real; 2], size, relative)?;
        let limit = graph.binary(BinaryOp::Add, [real; 2], limit, absolute)?;
        let near = graph.compare(CompareOp::Le, [real; 2], apart, limit)?;
        // Beside an infinity the limit is one too.
        let finite = graph.unary(UnaryOp::IsFinite, real, size)?;
        let near = graph.binary(BinaryOp::And, [DType::Bool; 2], near, finite)?;
        let close = graph.binary(BinaryOp::Or, [DType::Bool; 2], equal, near)?;
        graph.evaluate(close)
    };
    close().map_err(|error| match error {
        Error::ShapeMismatch { lhs, rhs, .. } => Error::ShapeMismatch {
            operation,
            lhs,
            rhs,
        },
        error => error,
    })
}

/// [`Tensor::try_is_in`] of arrays.
pub(crate) fn is_in(x: &Array, values: &Array) -> Result<Array, Error> {
    let operation = "is_in";
    if x.dtype() != values.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: x.dtype(),
            found: values.dtype(),
        });
    }
    if x.dtype().kind() == Kind::Complex {
        return Err(Error::UnsupportedDType {
            operation,
            dtype: x.dtype(),
        });
    }
    exec::require_current(operation, x)?;
    let Some(last) = values.len().checked_sub(1) else {
        return ScalarBits::of(DType::Bool, false).full(x.shape());
    };
    if let Some(found) = exec::is_in_table(x, values)? {
        return Ok(found);
    }
    // Each element is compared with the first value that is not smaller.
    let found = || {
        let values = exec::reshape(values, &[values.len()])?;
        let values = exec::sort(&values, 0, crate::kernel::SortOrder::Ascending)?;
        let positions = exec::searchsorted(&values, x, SearchSide::Left, DType::I64)?;
        let last = Datum::ScalarBits(ScalarBits::new(i64::try_from(last).unwrap_or(i64::MAX)));
        let positions = exec::binary(
            BinaryOp::Min,
            DType::I64,
            DType::I64,
            Datum::owned(positions),
            last,
        )
        .array()?;
        let nearest = exec::take(&values, &positions, 0)?;
        exec::compare(
            CompareOp::Eq,
            [x.dtype(); 2],
            Datum::borrowed(x),
            Datum::owned(nearest),
        )
        .array()
    };
    named(operation, found())
}

/// # Nearness and membership
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns where an element `a` of this tensor and `b` of the other are equal or satisfy `|a - b| <= absolute + relative * |b|`, as NumPy's,
    /// JAX's and PyTorch's `isclose`, whose tolerances are `1e-5` and `1e-8`. Shapes broadcast.
    ///
    /// It is computed in `f64`, of complex numbers in `c128`. NaN is close to nothing, and an infinity only to itself.
    /// [`Self::approx_eq`] says whether all are close.
    ///
    /// # Panics
    /// With the text of [`Self::try_is_close`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank0, Rank1, Tensor, tensor};
    /// let a: Tensor<F32, Rank1> = tensor![1.0, 1.1, f32::NAN];
    /// let b: Tensor<F32, Rank1> = tensor![1.000001, 1.0, f32::NAN];
    /// assert_eq!(a.is_close(&b, 1e-5, 1e-8).to_vec(), [true, false, false]);
    /// let one: Tensor<F32, Rank0> = Tensor::scalar(1.0);
    /// assert_eq!(a.is_close(&one, 0.2, 0.0).to_vec(), [true, true, false]);
    /// ```
    #[doc(alias = "isclose")]
    #[track_caller]
    #[must_use]
    pub fn is_close<M, K>(
        &self,
        other: &Tensor<D, M, R>,
        relative: f64,
        absolute: f64,
    ) -> Tensor<Bool, K, R>
    where
        D: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
    {
        or_panic(self.try_is_close(other, relative, absolute))
    }

    /// [`Self::is_close`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::OutOfMemory`].
    pub fn try_is_close<M, K>(
        &self,
        other: &Tensor<D, M, R>,
        relative: f64,
        absolute: f64,
    ) -> Result<Tensor<Bool, K, R>, Error>
    where
        D: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
    {
        is_close(self.array(), other.array(), relative, absolute).map(Tensor::from_array)
    }

    /// Returns where an element of this tensor equals one of the values, as NumPy's, JAX's and PyTorch's `isin`. The values have any shape;
    /// the mask has this tensor's.
    ///
    /// -0 equals +0, and a NaN equals nothing. The values are sorted once, and each element is searched among them.
    ///
    /// # Panics
    /// With the text of [`Self::try_is_in`]'s error.
    ///
    /// ```
    /// use supremum::{I64, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<I64, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// let values: Tensor<I64, Rank1> = tensor![5, 2, 9];
    /// assert_eq!(t.is_in(&values).to_vec(), [false, true, false, false, true, false]);
    /// ```
    #[doc(alias = "isin")]
    #[track_caller]
    #[must_use]
    pub fn is_in<M: Rank>(&self, values: &Tensor<D, M, R>) -> Tensor<Bool, N, R>
    where
        D: RealDType,
    {
        or_panic(self.try_is_in(values))
    }

    /// [`Self::is_in`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_is_in<M: Rank>(&self, values: &Tensor<D, M, R>) -> Result<Tensor<Bool, N, R>, Error>
    where
        D: RealDType,
    {
        is_in(self.array(), values.array()).map(Tensor::from_array)
    }
}
