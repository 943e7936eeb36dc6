//! `diff`: differences of neighbours.

use std::borrow::Cow;

use crate::array::{Array, Datum};
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{BinaryOp, CompareOp};
use crate::rank::{Axis, Rank};
use crate::rules::Rules;
use crate::rules::operations::Add;
use crate::tensor::positions::axis_of;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_diff`] of arrays.
pub(crate) fn diff(x: &Array, order: usize, axis: impl Axis, out: DType) -> Result<Array, Error> {
    let operation = "diff";
    let axis = axis_of(operation, axis, x.rank())?;
    exec::require_current(operation, x)?;
    named(operation, differences_of_order(x, order, axis, out))
}

fn differences_of_order(x: &Array, order: usize, axis: usize, out: DType) -> Result<Array, Error> {
    let x = exec::cast(Cow::Borrowed(x), out)?;
    // Each step shortens the axis by one.
    let size = x.shape()[axis];
    let steps = order.min(size);
    if steps == size || x.is_empty() {
        // A result without elements, which needs no steps: there may be more of them than could be counted.
        return exec::slice(&x, axis, steps.cast_signed(), size.cast_signed(), 1);
    }
    (0..steps).try_fold(x, |x, _| differences(&x, axis))
}

/// The differences of neighbours along an axis.
fn differences(x: &Array, axis: usize) -> Result<Array, Error> {
    let size = x.shape()[axis];
    let end = size.cast_signed();
    let later = exec::slice(x, axis, size.min(1).cast_signed(), end, 1)?;
    let earlier = exec::slice(x, axis, 0, size.saturating_sub(1).cast_signed(), 1)?;
    let dtype = x.dtype();
    let [later, earlier] = [later, earlier].map(Datum::owned);
    match dtype {
        DType::Bool => exec::compare(CompareOp::Ne, [dtype; 2], later, earlier),
        _ => exec::binary(BinaryOp::Sub, dtype, dtype, later, earlier),
    }
    .array()
}

/// # Differences
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns the differences of neighbours along an axis, each element less the one before it, as NumPy's, JAX's and PyTorch's
    /// `diff`, with the same arguments. Differences of order two are the differences of those of order one. Each order shortens
    /// the axis by one, until it has no elements. Integers wrap, and booleans are compared, so that `true` stands where a value changes.
    ///
    /// `Out` is inferred: it is what [`Add`] gives for `D`, which is `D` except under rules that narrow dtypes, such as
    /// [`JaxX32`](crate::JaxX32). (Systems take differences of booleans, but do not subtract them.)
    ///
    /// # Panics
    /// With the text of [`Self::try_diff`]'s error.
    ///
    /// ```
    /// use supremum::{Bool, I32, I64, JaxX32, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[1, 4, 9], [2, 2, 1]];
    /// assert_eq!(t.diff(1, 1).to_vec(), [3, 5, 0, -1]);
    /// assert_eq!(t.diff(2, 1).to_vec(), [2, -1]);
    /// assert_eq!(t.diff(1, 0).to_vec(), [1, -2, -8]);
    /// let is_day: Tensor<Bool> = tensor![true, true, false];
    /// assert_eq!(is_day.diff(1, 0).to_vec(), [false, true]);
    /// let wide: Tensor<I64, Rank1, JaxX32> = tensor![1, 3];
    /// let steps: Tensor<I32, Rank1, JaxX32> = wide.diff(1, 0);
    /// assert_eq!(steps.to_vec(), [2]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn diff<Out>(&self, order: usize, axis: impl Axis) -> Tensor<Out, N, R> // of neighbours: `diff(1, axis)`
    where
        D: StaticDType + Add<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_diff(order, axis))
    }

    /// [`Self::diff`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`].
    pub fn try_diff<Out>(&self, order: usize, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + Add<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        diff(self.array(), order, axis, Out::DTYPE).map(Tensor::from_array)
    }
}
