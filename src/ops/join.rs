//! `concat` and `stack`: joining tensors along an axis.

use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named, unequal_shapes};
use crate::exec;
use crate::rank::{AddAxis, Axis, Rank};
use crate::rules::operations::Join;
use crate::rules::{Rules, SafePromote, SameRules};
use crate::tensor::positions::axis_of;
use crate::tensor::{JoinTensors, StackTensors, Tensor, TensorList, or_panic};

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
    let mut others = arrays.iter().enumerate();
    if let Some((number, other)) = others.find(|(_, other)| other.shape() != first.shape()) {
        let operands = ["tensor 0".into(), format!("tensor {number}")];
        let shapes = [first.shape(), other.shape()];
        return Err(unequal_shapes(operation, operands, shapes, |_| false));
    }
    let widened = arrays
        .iter()
        .map(|array| exec::unsqueeze(array, position))
        .collect::<Result<Vec<_>, _>>()?;
    exec::concat(&widened.iter().collect::<Vec<_>>(), position, out)
}

impl<D: StaticDType, N: Rank, R: Rules> JoinTensors for Tensor<D, N, R> {
    fn join(tensors: &[&Self], axis: isize) -> Result<Self, Error> {
        let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
        concat_arrays("concat", &arrays, axis, D::DTYPE).map(Self::from_array)
    }
}

impl<D: StaticDType, N: AddAxis, R: Rules> StackTensors for Tensor<D, N, R> {
    type Output = Tensor<D, N::Output, R>;

    fn stack(tensors: &[&Self], axis: isize) -> Result<Self::Output, Error> {
        let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
        stack_arrays(&arrays, axis, D::DTYPE).map(Tensor::from_array)
    }
}

/// Joins tensors along an axis that they have. [`TensorList`] has all forms of lists.
///
/// Typed tensors have one dtype and rank. [`DynTensor`](crate::DynTensor)s may differ in dtype: the result has their common dtype
/// ([`RuleSet::common`](crate::RuleSet::common)), and the one of two tensors is that of their method `concat`. Tensors of one dtype keep
/// it, also where the rules have no operations on it.
///
/// # Panics
/// With the text of [`try_concat`]'s error.
///
/// ```
/// use supremum::{I32, Tensor, concat, tensor};
/// let a: Tensor<I32> = tensor![[1, 2]];
/// let b: Tensor<I32> = tensor![[3, 4], [5, 6]];
/// assert_eq!(concat([&a, &b], 0).shape(), [3, 2]);
/// ```
///
/// ```
/// use supremum::{BF16, F16, I8, concat, tensor};
/// let parts = [tensor![F16; 1.0].into_dyn(), tensor![BF16; 2.0].into_dyn(), tensor![I8; 3].into_dyn()];
/// assert_eq!(concat(&parts, 0).to_string(), "[1.0, 2.0, 3.0] f32 [3]");
/// ```
#[track_caller]
#[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
pub fn concat<L: TensorList>(tensors: L, axis: impl Axis) -> L::Tensor { // `concat([&a, &b], 0)`, not as `help` says
    or_panic(try_concat(tensors, axis))
}

/// [`concat()`], fallible.
///
/// # Errors
/// [`Error::NoTensors`] for none; [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks differ, and
/// [`Error::SizeMismatch`] if sizes along other axes do; [`Error::OutOfMemory`]. Of dynamic tensors, also the errors of
/// [`DynTensor::try_add`](crate::DynTensor::try_add).
///
/// ```
/// use supremum::{Error, I32, Tensor, tensor, try_concat};
/// let a: Tensor<I32> = tensor![[1, 2]];
/// let b: Tensor<I32> = tensor![[3, 4], [5, 6]];
/// assert!(matches!(try_concat([&a, &b], 1), Err(Error::SizeMismatch { .. })));
/// ```
pub fn try_concat<L: TensorList>(tensors: L, axis: impl Axis) -> Result<L::Tensor, Error> {
    JoinTensors::join(&tensors.references(), axis.to_signed())
}

/// Joins tensors of one shape along a new axis. They are passed as to [`concat()`], and the result has the same dtype.
///
/// # Panics
/// With the text of [`try_stack`]'s error.
///
/// ```
/// use supremum::{I32, Rank1, Rank2, Tensor, stack, tensor};
/// let a: Tensor<I32, Rank1> = tensor![1, 2];
/// let b: Tensor<I32, Rank1> = tensor![3, 4];
/// let columns: Tensor<I32, Rank2> = stack([&a, &b], -1);
/// assert_eq!(columns.to_vec(), [1, 3, 2, 4]);
/// ```
#[track_caller]
#[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
pub fn stack<L>(tensors: L, axis: impl Axis) -> <L::Tensor as StackTensors>::Output // `stack([&a, &b], 0)`, not as `help` says
where
    L: TensorList<Tensor: StackTensors>,
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
/// assert!(matches!(try_stack([&a, &b], 0), Err(Error::SizeMismatch { .. })));
/// ```
pub fn try_stack<L>(
    tensors: L,
    axis: impl Axis,
) -> Result<<L::Tensor as StackTensors>::Output, Error>
where
    L: TensorList<Tensor: StackTensors>,
{
    StackTensors::stack(&tensors.references(), axis.to_signed())
}

// Type parameters and bounds as in `linalg.rs`.
/// # Joining
///
/// This method joins two tensors. The functions [`concat`](fn@crate::concat) and [`stack`](fn@crate::stack) join any number.
impl<A, N: Rank, R: Rules> Tensor<A, N, R> {
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
    pub fn concat<B, S, P, Out>(
        &self,
        other: &Tensor<B, N, S>,
        axis: impl Axis,
    ) -> Tensor<Out, N, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, N>, R::Join, Output = P>,
        P: Join<R::Operations, Output = Out>,
        B: StaticDType,
        Out: StaticDType,
    {
        or_panic(self.try_concat(other, axis))
    }

    /// [`Self::concat`], fallible.
    ///
    /// # Errors
    /// The errors of the function [`try_concat`](fn@crate::try_concat).
    pub fn try_concat<B, S, P, Out>(
        &self,
        other: &Tensor<B, N, S>,
        axis: impl Axis,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, N>, R::Join, Output = P>,
        P: Join<R::Operations, Output = Out>,
        B: StaticDType,
        Out: StaticDType,
    {
        let arrays = [self.array(), other.array()];
        concat_arrays("concat", &arrays, axis.to_signed(), Out::DTYPE).map(Tensor::from_array)
    }
}
