//! `interp`: numbers on the lines between given points.

use std::borrow::Cow;

use crate::array::{Array, Datum, ScalarBits};
use crate::dtype::{DType, Kind, RealDType, StaticDType};
use crate::error::{Error, named, unequal_shapes};
use crate::exec;
use crate::kernel::{BinaryOp, CompareOp, SearchSide, UnaryOp};
use crate::rank::{MayBe, Rank, Rank1};
use crate::rules::operations::Divide;
use crate::rules::{Promote, Rules};
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_interp`] of arrays.
pub(crate) fn interp(
    x: &Array,
    points: &Array,
    values: &Array,
    out: DType,
) -> Result<Array, Error> {
    let operation = "interp";
    for vector in [points, values] {
        if vector.rank() != 1 {
            return Err(Error::RankMismatch {
                operation,
                expected: 1,
                shape: vector.shape().to_vec(),
            });
        }
    }
    if points.len() != values.len() {
        return Err(unequal_shapes(
            operation,
            ["the points".into(), "the values".into()],
            [points.shape(), values.shape()],
            |_| false,
        ));
    }
    let Some(last) = points.len().checked_sub(1) else {
        return Err(Error::LengthMismatch {
            operation,
            what: "point at least",
            expected: 1,
            found: 0,
        });
    };
    let [x, points, values] = [x, points, values].map(|array| match array.dtype().kind() {
        Kind::Complex => Err(Error::UnsupportedDType {
            operation,
            dtype: array.dtype(),
        }),
        _ => exec::cast(Cow::Borrowed(array), DType::F64),
    });
    let found = named(operation, between(&x?, &points?, &values?, last))?;
    exec::cast(Cow::Owned(found), out)
}

/// Computes as NumPy does, operation by operation.
fn between(x: &Array, points: &Array, values: &Array, last: usize) -> Result<Array, Error> {
    // The number of points that are not greater; of NaN, all.
    let reached = exec::searchsorted(points, x, SearchSide::Right, DType::I64)?;
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    let position = |op, reached: &Array, number: i64| {
        let number = Datum::ScalarBits(ScalarBits::new(number));
        exec::binary(op, DType::I64, DType::I64, Datum::borrowed(reached), number).array()
    };
    let right = position(BinaryOp::Min, &reached, last)?;
    let left = position(BinaryOp::Max, &position(BinaryOp::Sub, &reached, 1)?, 0)?;
    let at = |vector: &Array, positions: &Array| exec::take(vector, positions, 0);
    let (x0, x1) = (at(points, &left)?, at(points, &right)?);
    let (y0, y1) = (at(values, &left)?, at(values, &right)?);
    let float = |op, a: &Array, b: &Array| {
        exec::binary(
            op,
            DType::F64,
            DType::F64,
            Datum::borrowed(a),
            Datum::borrowed(b),
        )
        .array()
    };
    let slope = float(
        BinaryOp::Div,
        &float(BinaryOp::Sub, &y1, &y0)?,
        &float(BinaryOp::Sub, &x1, &x0)?,
    )?;
    let line = |x0: &Array, y0: &Array| {
        let offset = float(BinaryOp::Sub, x, x0)?;
        float(BinaryOp::Add, &float(BinaryOp::Mul, &slope, &offset)?, y0)
    };
    let choose = |condition: Array, then: &Array, otherwise: &Array| {
        let condition = Cow::Owned(condition);
        let (then, otherwise) = (Datum::borrowed(then), Datum::borrowed(otherwise));
        exec::select(condition, DType::F64, DType::F64, then, otherwise).array()
    };
    let nan =
        |x: &Array| exec::unary(UnaryOp::IsNan, DType::F64, DType::Bool, Cow::Borrowed(x)).array();
    let compare = |op, a: &Array, b: &Array, dtype| {
        exec::compare(op, [dtype; 2], Datum::borrowed(a), Datum::borrowed(b)).array()
    };
    // Beside infinities one of the lines from both ends may be a number, and a level line between infinities is one.
    let from_left = line(&x0, &y0)?;
    let level = choose(
        compare(CompareOp::Eq, &y0, &y1, DType::F64)?,
        &y0,
        &from_left,
    )?;
    let from_right = line(&x1, &y1)?;
    let from_right = choose(nan(&from_right)?, &level, &from_right)?;
    let y = choose(nan(&from_left)?, &from_right, &from_left)?;
    // At a point and beyond the ends it is a value.
    let y = choose(compare(CompareOp::Le, x, &x0, DType::F64)?, &y0, &y)?;
    let y = choose(compare(CompareOp::Eq, &left, &right, DType::I64)?, &y0, &y)?;
    choose(nan(x)?, x, &y)
}

/// # Interpolation
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns, for each element, the number that lies above it on the lines between given points, as NumPy's and JAX's
    /// `interp(x, points, values)`. Before the first point and behind the last it is their value; of NaN, NaN.
    ///
    /// The points are a vector in ascending order; of others the numbers mean nothing.
    ///
    /// The dtype is the one to which `x / points` and a quotient of values promote, as in JAX. (NumPy's is `f64`.) It is computed in `f64`
    /// and rounded once. No operand is converted to that dtype, so none is refused because the promotion could lose values.
    ///
    /// # Panics
    /// With the text of [`Self::try_interp`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank1, Tensor, tensor};
    /// let points: Tensor<I64, Rank1> = tensor![0, 1, 3];
    /// let values: Tensor<F32, Rank1> = tensor![10.0, 20.0, 0.0];
    /// let x: Tensor<F32, Rank1> = tensor![0.5, 2.0, 7.0, -1.0];
    /// let y: Tensor<F32, Rank1> = x.interp(&points, &values);
    /// assert_eq!(y.to_vec(), [15.0, 10.0, 0.0, 10.0]);
    /// ```
    #[track_caller]
    pub fn interp<Place, Height, Out, E, M, V, K>(
        &self,
        points: &Tensor<E, M, R>,
        values: &Tensor<V, K, R>,
    ) -> Tensor<Out, N, R>
    where
        D: RealDType + Promote<E, R, Output: Divide<R::Operations, Output = Place>>,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        V: RealDType + Divide<R::Operations, Output = Height>,
        K: Rank + MayBe<Rank1>,
        Place: Promote<Height, R, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_interp(points, values))
    }

    /// [`Self::interp`], fallible.
    ///
    /// # Errors
    /// [`Error::SizeMismatch`] if there is not a value for each point; [`Error::LengthMismatch`] if there are none;
    /// [`Error::RankMismatch`] if one of both is no vector at run time; [`Error::OutOfMemory`].
    pub fn try_interp<Place, Height, Out, E, M, V, K>(
        &self,
        points: &Tensor<E, M, R>,
        values: &Tensor<V, K, R>,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        D: RealDType + Promote<E, R, Output: Divide<R::Operations, Output = Place>>,
        E: RealDType,
        M: Rank + MayBe<Rank1>,
        V: RealDType + Divide<R::Operations, Output = Height>,
        K: Rank + MayBe<Rank1>,
        Place: Promote<Height, R, Output = Out>,
        Out: StaticDType,
    {
        interp(self.array(), points.array(), values.array(), Out::DTYPE).map(Tensor::from_array)
    }
}
