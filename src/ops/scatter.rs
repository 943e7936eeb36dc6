//! `scatter`, `scatter_add` and the like: elements written, or combined with updates, at given positions.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::{DType, IntegerDType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::kernel::ScatterOp;
use crate::rank::{Axis, Rank};
use crate::rules::Rules;
use crate::rules::operations::{Add, MinMax};
use crate::tensor::positions::along;
use crate::tensor::{IndicesOf, Tensor, or_panic};

/// [`Tensor::try_scatter`], [`Tensor::try_scatter_add`] and the like of arrays. Elements and updates are converted to the dtype of the
/// result first.
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: isize,
    out: DType,
) -> Result<Array, Error> {
    along(op.name(), axis, x.rank(), |axis| {
        if x.dtype() == out || x.dtype() != updates.dtype() {
            return exec::scatter(op, x, indices, updates, axis); // refuses two dtypes
        }
        let [x, updates] = [x, updates].map(|array| exec::cast(Cow::Borrowed(array), out));
        exec::scatter(op, &x?, indices, &updates?, axis)
    })
}

/// # Writing at positions
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns a copy in which the elements at given indices along an axis are replaced by updates: the reverse of
    /// [`Self::take_along_axis`]. NumPy's `put_along_axis` does it in place; PyTorch's `scatter` is the same for shapes that do not
    /// broadcast.
    ///
    /// Each update replaces one element. At the position of the update, `indices` gives the element's index along the
    /// axis. Along the other axes the element has the same indices as the update. The indices have the rank of this
    /// tensor; their size along the axis is the number of updates. Along the other axes they and the updates broadcast
    /// to this tensor's sizes: indices of the shape `[n, 1]` and updates of `[n, d]` replace whole rows. The indices
    /// are a tensor of any integer dtype and any rules. For a vector they may also be an array, a slice or a `Vec` of
    /// integers. Negative indices count from the end of the axis. If an element has several updates, it takes the last
    /// one in row-major order.
    ///
    /// In a trace (`stablehlo::trace`) an index may be unknown. If it is out of range when the program runs, its update is left out, as in
    /// XLA's `scatter`. XLA's compiler chooses which of several updates an element takes.
    ///
    /// # Panics
    /// With the text of [`Self::try_scatter`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let zeros = Tensor::<F32, Rank2>::zeros([3, 2]);
    /// let rows: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let indices: Tensor<I64, Rank2> = tensor![[2], [0]];
    /// assert_eq!(zeros.scatter(&indices, &rows, 0).to_vec(), [3.0, 4.0, 0.0, 0.0, 1.0, 2.0]);
    /// ```
    #[doc(alias = "put_along_axis")]
    #[doc(alias = "index_copy")]
    #[track_caller]
    #[must_use]
    pub fn scatter<I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Self
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        or_panic(self.try_scatter(indices, updates, axis))
    }

    /// [`Self::scatter`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::IndexOutOfRange`] for an index below minus the size of the axis, or not below its size;
    /// [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if indices or updates do not broadcast; [`Error::OutOfMemory`].
    pub fn try_scatter<I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Result<Self, Error>
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        let indices = indices.to_array()?;
        let (x, indices, updates) = (self.array(), indices.array(), updates.array());
        let axis = axis.to_signed();
        scatter(ScatterOp::Replace, x, indices, updates, axis, D::DTYPE).map(Self::from_array)
    }

    /// Returns a copy to which updates are added at given indices along an axis, as PyTorch's `scatter_add` and NumPy's `add.at`. An
    /// element that has several updates is the sum of all. [`Self::scatter`] describes the shapes.
    ///
    /// `Out` is inferred: it is what [`Add`] gives for `D`, which is `D` except under rules that narrow dtypes, such as
    /// [`JaxX32`](crate::JaxX32). The updates are added in row-major order. 8-bit and 16-bit floats are added in `f32`, and the sum is rounded
    /// once. Integers wrap. Booleans are added by `or`. In a trace, XLA's compiler chooses the order of additions.
    ///
    /// # Panics
    /// With the text of [`Self::try_scatter_add`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor, U8, tensor};
    /// // The sums of three groups.
    /// let sums = Tensor::<F32, Rank1>::zeros([3]);
    /// let groups: Tensor<U8, Rank1> = tensor![0, 2, 0, 2];
    /// let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0];
    /// assert_eq!(sums.scatter_add(&groups, &weights, 0).to_vec(), [4.0, 0.0, 6.0]);
    /// assert_eq!(sums.scatter_add([0, 2, 0, 2], &weights, 0).to_vec(), [4.0, 0.0, 6.0]);
    /// ```
    #[doc(alias = "index_add")]
    #[doc(alias = "segment_sum")]
    #[rustfmt::skip] // The compiler quotes the first line, where a call has other arguments.
    #[track_caller]
    #[must_use]
    pub fn scatter_add<Out, I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Tensor<Out, N, R>
    where
        D: Add<R::Operations, Output = Out>,
        I: IndicesOf<N, DType: IntegerDType>,
        Out: StaticDType,
    {
        or_panic(self.try_scatter_add(indices, updates, axis))
    }

    /// [`Self::scatter_add`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_scatter`].
    pub fn try_scatter_add<Out, I>(
        &self,
        indices: I,
        updates: &Self,
        axis: impl Axis,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        D: Add<R::Operations, Output = Out>,
        I: IndicesOf<N, DType: IntegerDType>,
        Out: StaticDType,
    {
        let indices = indices.to_array()?;
        let (x, indices, updates) = (self.array(), indices.array(), updates.array());
        let axis = axis.to_signed();
        scatter(ScatterOp::Add, x, indices, updates, axis, Out::DTYPE).map(Tensor::from_array)
    }
}

/// Writes both methods and their fallible forms.
macro_rules! scatter_extremes {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Extremes at positions
        impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// `Out` is inferred: it is what [`MinMax`] gives for `D`, which is `D` except under rules that narrow dtypes, such as
            /// [`JaxX32`](crate::JaxX32).
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            #[must_use]
            pub fn $name<Out, I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Tensor<Out, N, R>
            where
                D: MinMax<R::Operations, Output = Out>,
                I: IndicesOf<N, DType: IntegerDType>,
                Out: StaticDType,
            {
                or_panic(self.$try_name(indices, updates, axis))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// The errors of [`Self::try_scatter`].
            pub fn $try_name<Out, I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
            where
                D: MinMax<R::Operations, Output = Out>,
                I: IndicesOf<N, DType: IntegerDType>,
                Out: StaticDType,
            {
                let indices = indices.to_array()?;
                let (x, indices, updates) = (self.array(), indices.array(), updates.array());
                let axis = axis.to_signed();
                scatter(ScatterOp::$Op, x, indices, updates, axis, Out::DTYPE).map(Tensor::from_array)
            }
        )*}
    }};
}

/// The scatters that give extremes, for typed and dynamic tensors: documentation, names, the operation and an example.
macro_rules! each_scatter_extreme {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Returns a copy in which each element is the greatest of itself and its updates at given indices along an axis, as JAX's
            /// `.at[..].max` and NumPy's `maximum.at`; NaN if one of them is, and +0 is greater than -0. `scatter` describes the shapes.
            scatter_max try_scatter_max: Max {
                /// ```
                /// use supremum::{F32, Rank1, Tensor, tensor};
                /// // The maxima of three groups.
                /// let none: Tensor<F32, Rank1> = Tensor::full([3], f32::NEG_INFINITY);
                /// let values: Tensor<F32, Rank1> = tensor![1.0, 5.0, 3.0, 4.0];
                /// assert_eq!(none.scatter_max([0, 2, 0, 1], &values, 0).to_vec(), [3.0, 4.0, 5.0]);
                /// ```
            }
            /// Returns a copy in which each element is the smallest of itself and its updates at given indices along an axis, as JAX's
            /// `.at[..].min` and NumPy's `minimum.at`; NaN if one of them is, and -0 is smaller than +0. `scatter` describes the shapes.
            scatter_min try_scatter_min: Min {}
        }
    };
}

pub(crate) use each_scatter_extreme;

each_scatter_extreme!(scatter_extremes! here);
