//! `concat` and `stack`: joining tensors along an axis.

use super::results::Joined;
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::rank::{AddAxis, Axis, Rank};
use crate::rules::operations::Join;
use crate::rules::{Promoted, Rules, SafePromote, SameRules};
use crate::tensor::positions::axis_of;
use crate::tensor::{Tensor, TensorList, or_panic};

/// Joins arrays along an existing axis, cast to a dtype.
pub(crate) fn concat_arrays(
    operation: &'static str,
    arrays: &[&Array],
    axis: isize,
    out: DType,
) -> Result<Array, Error> {
    let first = arrays.first().ok_or(Error::NoTensors { operation })?;
    exec::concat(arrays, axis_of(operation, axis, first.rank())?, out)
}

/// Joins arrays of equal shape along a new axis, cast to a dtype.
pub(crate) fn stack_arrays(arrays: &[&Array], axis: isize, out: DType) -> Result<Array, Error> {
    named("stack", stacked("stack", arrays, axis, out))
}

fn stacked(
    operation: &'static str,
    arrays: &[&Array],
    axis: isize,
    out: DType,
) -> Result<Array, Error> {
    let first = arrays.first().ok_or(Error::NoTensors { operation })?;
    let position = axis_of(operation, axis, first.rank() + 1)?;
    if let Some(other) = arrays.iter().find(|other| other.shape() != first.shape()) {
        return Err(Error::ShapeMismatch {
            operation,
            lhs: first.shape().to_vec(),
            rhs: other.shape().to_vec(),
        });
    }
    let widened = arrays
        .iter()
        .map(|array| exec::unsqueeze(array, position))
        .collect::<Result<Vec<_>, _>>()?;
    exec::concat(&widened.iter().collect::<Vec<_>>(), position, out)
}

/// Joins tensors of one dtype along an axis that they have. They are references in an array, as in `&[&a, &b]`, or a `Vec` or a slice of
/// tensors; [`TensorList`] has all forms.
///
/// # Panics
/// With the text of [`try_concat`]'s error.
///
/// ```
/// use supremum::{I32, Tensor, concat, tensor};
/// let a: Tensor<I32> = tensor![[1, 2]];
/// let b: Tensor<I32> = tensor![[3, 4], [5, 6]];
/// assert_eq!(concat(&[&a, &b], 0).shape(), [3, 2]);
/// ```
#[track_caller]
pub fn concat<D, N, R>(
    tensors: impl TensorList<Tensor<D, N, R>>,
    axis: impl Axis,
) -> Tensor<D, N, R>
where
    D: StaticDType,
    N: Rank,
    R: Rules,
{
    or_panic(try_concat(tensors, axis))
}

/// [`concat()`], fallible.
///
/// # Errors
/// [`Error::NoTensors`] for none; [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks or
/// sizes along other axes differ; [`Error::OutOfMemory`].
///
/// ```
/// use supremum::{Error, I32, Tensor, tensor, try_concat};
/// let a: Tensor<I32> = tensor![[1, 2]];
/// let b: Tensor<I32> = tensor![[3, 4], [5, 6]];
/// assert!(matches!(try_concat(&[&a, &b], 1), Err(Error::ShapeMismatch { .. })));
/// ```
pub fn try_concat<D, N, R>(
    tensors: impl TensorList<Tensor<D, N, R>>,
    axis: impl Axis,
) -> Result<Tensor<D, N, R>, Error>
where
    D: StaticDType,
    N: Rank,
    R: Rules,
{
    let tensors = tensors.references();
    let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
    concat_arrays("concat", &arrays, axis.to_signed(), D::DTYPE).map(Tensor::from_array)
}

/// Joins tensors of one dtype and shape along a new axis. They are passed as to [`concat()`].
///
/// # Panics
/// With the text of [`try_stack`]'s error.
///
/// ```
/// use supremum::{I32, Rank1, Rank2, Tensor, stack, tensor};
/// let a: Tensor<I32, Rank1> = tensor![1, 2];
/// let b: Tensor<I32, Rank1> = tensor![3, 4];
/// let columns: Tensor<I32, Rank2> = stack(&[&a, &b], -1);
/// assert_eq!(columns.to_vec(), [1, 3, 2, 4]);
/// ```
#[track_caller]
pub fn stack<D, N, R>(
    tensors: impl TensorList<Tensor<D, N, R>>,
    axis: impl Axis,
) -> Tensor<D, N::Output, R>
where
    D: StaticDType,
    N: AddAxis,
    R: Rules,
{
    or_panic(try_stack(tensors, axis))
}

/// [`stack()`], fallible.
///
/// # Errors
/// The errors of [`try_concat`]; [`Error::RankTooLarge`] if the result has more than 8 axes.
///
/// ```
/// use supremum::{Error, I32, Rank1, Tensor, tensor, try_stack};
/// let a: Tensor<I32, Rank1> = tensor![1, 2];
/// let b: Tensor<I32, Rank1> = tensor![3, 4, 5];
/// assert!(matches!(try_stack(&[&a, &b], 0), Err(Error::ShapeMismatch { .. })));
/// ```
pub fn try_stack<D, N, R>(
    tensors: impl TensorList<Tensor<D, N, R>>,
    axis: impl Axis,
) -> Result<Tensor<D, N::Output, R>, Error>
where
    D: StaticDType,
    N: AddAxis,
    R: Rules,
{
    let tensors = tensors.references();
    let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
    stack_arrays(&arrays, axis.to_signed(), D::DTYPE).map(Tensor::from_array)
}

/// # Joining
///
/// The functions [`concat`](fn@crate::concat) and [`stack`](fn@crate::stack) join any number of tensors of one dtype.
impl<A: StaticDType, N: Rank, R: Rules> Tensor<A, N, R> {
    /// Joins this tensor and another one along an axis. Their dtypes may differ; the result has the promoted dtype.
    ///
    /// # Panics
    /// With the text of [`Self::try_concat`]'s error.
    ///
    /// ```
    /// use supremum::{BF16, F16, F32, Tensor, tensor};
    /// let a: Tensor<F16> = tensor![1.0];
    /// let b: Tensor<BF16> = tensor![2.0, 3.0];
    /// let joined: Tensor<F32> = a.concat(&b, 0);
    /// assert_eq!(joined.to_vec(), [1.0, 2.0, 3.0]);
    /// ```
    #[track_caller]
    pub fn concat<B, S>(
        &self,
        other: &Tensor<B, N, S>,
        axis: impl Axis,
    ) -> Tensor<Joined<A, B, N, R>, N, R>
    where
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, N>, R::Join>,
        Promoted<R::Operand<A, N>, R::Operand<B, N>, R::Join>: Join<R::Operations>,
        B: StaticDType,
    {
        or_panic(self.try_concat(other, axis))
    }

    /// [`Self::concat`], fallible.
    ///
    /// # Errors
    /// The errors of the function [`try_concat`](fn@crate::try_concat).
    pub fn try_concat<B, S>(
        &self,
        other: &Tensor<B, N, S>,
        axis: impl Axis,
    ) -> Result<Tensor<Joined<A, B, N, R>, N, R>, Error>
    where
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, N>, R::Join>,
        Promoted<R::Operand<A, N>, R::Operand<B, N>, R::Join>: Join<R::Operations>,
        B: StaticDType,
    {
        let out = Joined::<A, B, N, R>::DTYPE;
        concat_arrays(
            "concat",
            &[self.array(), other.array()],
            axis.to_signed(),
            out,
        )
        .map(Tensor::from_array)
    }
}
