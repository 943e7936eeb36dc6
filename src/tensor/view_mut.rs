//! Views for writing: parts of a tensor whose elements are replaced in place.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut};

use super::index::{ElementIndex, with_given};
use super::map::{replace_each, zip_part_with};
use super::positions::Positions;
use super::positions::{along, axis_of, sliced};
use super::slice_axes::{AxisSlices, at_position, sliced_axes};
use super::{ElementFrom, Tensor, arrange, or_panic};
use crate::array::{Dims, ScalarBits};
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, check_axes, named};
use crate::exec::{self, PartMut, PartsMut};
use crate::rank::{AnyRank, Axis, Extent, Offset, Rank, Rank1, RemoveAxis};
use crate::rules::{Jax, Rules};

/// A part of a tensor for writing, as `&mut [T]` is of a slice; made by [`Tensor::slice_mut`] and the like.
///
/// It borrows the tensor, so nothing else sees the elements until it is dropped. Clones and views that were made before keep their
/// elements: the tensor copies them first if it shares them. A tensor that shares its elements with no other one is written in
/// place, whatever its size. In a traced function (feature `stablehlo`) a write is recorded as a new value of the tensor.
///
/// Operators such as `+=` take the same right operands as for a tensor:
/// `*t.index_axis_mut(0, 1) += 1;`, or of a view in a variable `row += 1;`.
///
/// ```
/// use supremum::{F32, Rank2, Tensor, tensor};
/// let mut cache = Tensor::<F32, Rank2>::zeros([4, 2]);
/// let rows: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
/// cache.slice_mut(0, 1..3).assign(&rows);
/// cache.slice_mut(1, -1..).fill(9.0);
/// assert_eq!(cache.to_vec(), [0.0, 9.0, 1.0, 9.0, 3.0, 9.0, 0.0, 9.0]);
/// ```
pub struct TensorViewMut<'a, D, N = AnyRank, R = Jax>(ViewedElements<'a, D, N, R>); // to read: `t.index_axis(0, 1) + 1`

/// The elements of a [`TensorViewMut`], which are changed in place: `*t.index_axis_mut(0, 1) += 1`. Other elements take their place by
/// `t.index_axis_mut(0, 1).assign(&row)` or `.fill(0.5)`, not by `=`.
// `t.index_axis_mut(0, 1) += 1` does not compile, because a call is no place in memory. With `Deref` rustc proposes the `*` that makes it one.
pub struct ViewedElements<'a, D, N, R> {
    pub(crate) part: PartMut<'a>,
    types: PhantomData<fn() -> (D, N, R)>,
}

impl<'a, D, N, R> Deref for TensorViewMut<'a, D, N, R> {
    type Target = ViewedElements<'a, D, N, R>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<D, N, R> DerefMut for TensorViewMut<'_, D, N, R> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a, D: StaticDType, N: Rank, R: Rules> TensorViewMut<'a, D, N, R> {
    fn new(part: PartMut<'a>) -> Self {
        debug_assert_eq!(part.dtype(), D::DTYPE);
        debug_assert!(N::RANK.is_none_or(|rank| rank == part.dims().len()));
        Self(ViewedElements {
            part,
            types: PhantomData,
        })
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> DType {
        D::DTYPE
    }

    /// The size of each axis.
    pub fn shape(&self) -> &[usize] {
        self.part.dims()
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.part.dims().len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.part.dims().iter().product()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the element at an index (one number for each dimension); `None` outside the shape.
    pub fn get(&self, index: &[usize]) -> Option<D::Element> {
        exec::get(self.part.as_array(), index)
    }

    /// Copies the elements to a new tensor.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    #[track_caller]
    pub fn to_tensor(&self) -> Tensor<D, N, R> {
        Tensor::from_array(or_panic(self.part.copied()))
    }

    /// Copies the elements of another tensor of the same dtype to this part, broadcast to its shape.
    ///
    /// # Panics
    /// With the text of [`Self::try_assign`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank1, Rank2, Tensor, tensor};
    /// let mut t = Tensor::<I32, Rank2>::zeros([2, 3]);
    /// let row: Tensor<I32, Rank1> = tensor![1, 2, 3];
    /// t.index_axis_mut(0, 1).assign(&row);
    /// assert_eq!(t.to_vec(), [0, 0, 0, 1, 2, 3]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a tensor has another dtype.
    pub fn assign<M: Rank, S: Rules>(&mut self, from: &Tensor<D, M, S>) { // `assign(&row.cast::<F16>())`; a number: `fill(0.5)`
        or_panic(self.try_assign(from));
    }

    /// [`Self::assign`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the shape does not broadcast to that of the part, which is unchanged then.
    pub fn try_assign<M: Rank, S: Rules>(&mut self, from: &Tensor<D, M, S>) -> Result<(), Error> {
        self.part.assign("assign", from.array())
    }

    /// Replaces every element of the part by one value, given as to [`Tensor::full`].
    ///
    /// # Panics
    /// With the text of [`Self::try_fill`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor};
    /// let mut t = Tensor::<I32, Rank2>::zeros([2, 2]);
    /// t.diagonal_mut(0, 0, 1).fill(1);
    /// assert_eq!(t.to_vec(), [1, 0, 0, 1]);
    /// ```
    #[track_caller]
    pub fn fill<E>(&mut self, value: E)
    where
        D::Element: ElementFrom<E>,
    {
        or_panic(self.try_fill(value));
    }

    /// [`Self::fill`], fallible.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] for a number that the dtype does not have; [`Error::OutOfMemory`] without memory for a temporary element.
    pub fn try_fill<E>(&mut self, value: E) -> Result<(), Error>
    where
        D::Element: ElementFrom<E>,
    {
        let value =
            <D::Element as ElementFrom<E>>::FROM("fill", value, || R::RULE_SET.literal_policy())?;
        self.part.fill("fill", ScalarBits::new(value))
    }

    /// Replaces each element of the part by a function of it, in row-major order.
    ///
    /// # Panics
    /// If the part is not contiguous and there is no memory for a copy of it, with the text of [`Error::OutOfMemory`]; in a trace, whose
    /// tensors have no elements.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, s, tensor};
    /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// t.slice_axes_mut(s![.., ..;2]).map_inplace(|x| -x);
    /// assert_eq!(t.to_vec(), [-1, 2, -3, -4, 5, -6]);
    /// ```
    #[track_caller]
    pub fn map_inplace(&mut self, f: impl FnMut(D::Element) -> D::Element) {
        or_panic(replace_each(&mut self.part, f));
    }

    /// Calls a function with each element of the part, for writing, and the element of another tensor at the same index. The other
    /// tensor broadcasts to the shape of the part. See [`Tensor::zip_mut_with`].
    ///
    /// # Panics
    /// With the text of [`Self::try_zip_mut_with`]'s error.
    ///
    /// ```
    /// use supremum::{Bool, I32, Rank1, Rank2, Tensor, tensor};
    /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    /// let negate: Tensor<Bool, Rank1> = tensor![false, true];
    /// t.index_axis_mut(1, 0).zip_mut_with(&negate, |x, negate| if negate { *x = -*x });
    /// assert_eq!(t.to_vec(), [1, 2, -3, 4]);
    /// ```
    #[track_caller]
    pub fn zip_mut_with<B: StaticDType, M: Rank, S: Rules>(
        &mut self,
        other: &Tensor<B, M, S>,
        f: impl FnMut(&mut D::Element, B::Element),
    ) {
        or_panic(self.try_zip_mut_with(other, f));
    }

    /// [`Self::zip_mut_with`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the other tensor does not broadcast to the shape of the part; [`Error::OutOfMemory`] if the part is
    /// not contiguous and there is no memory for a copy of it. The part is unchanged then.
    pub fn try_zip_mut_with<B: StaticDType, M: Rank, S: Rules>(
        &mut self,
        other: &Tensor<B, M, S>,
        f: impl FnMut(&mut D::Element, B::Element),
    ) -> Result<(), Error> {
        zip_part_with(&mut self.part, other.array(), f)
    }
}

impl<D: StaticDType, N: Rank, R: Rules, I: ElementIndex<N>> Index<I>
    for TensorViewMut<'_, D, N, R>
{
    type Output = D::Element;

    #[inline]
    #[track_caller]
    fn index(&self, index: I) -> &D::Element {
        let array = self.part.as_array();
        let positions = index.positions(array.shape());
        let element = exec::element("index", array, positions.as_ref());
        or_panic(element.map_err(|error| with_given(error, index)))
    }
}

impl<D: StaticDType, N: Rank, R: Rules, I: ElementIndex<N>> IndexMut<I>
    for TensorViewMut<'_, D, N, R>
{
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut D::Element {
        let positions = index.positions(self.part.dims());
        let element = self.part.element_mut("index", positions.as_ref());
        or_panic(element.map_err(|error| with_given(error, index)))
    }
}

/// Writes the views for writing of a type, and their `try_` forms.
macro_rules! views_mut {
    (
        $here:ident [$($impl:tt)*] |$self:ident, $operation:ident| $whole:expr;
        $(
            $(#[doc = $doc:literal])+
            errors $errors:literal
            fn $name:ident, $try_name:ident $(<$generic:ident: $bound:path>)? $([$result:ident: Rank])? ($($argument:ident: $type:ty),*) -> $rank:ty
            $(where $left:ty: $right:path)?
            { |$view:ident| $body:expr } { $(#[doc = $example:literal])* }
        )*
    ) => {supremum_macros::signatures! {
        $here

        /// # Parts for writing
        ///
        /// The elements are copied first if another tensor shares them, or if they are not contiguous, as by
        /// [`as_mut_slice`](Tensor::as_mut_slice); otherwise these views cost nothing that grows with the tensor.
        $($impl)* {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name <$($generic: $bound,)? $($result: Rank)?>(&mut self $(, $argument: $type)*) -> TensorViewMut<'_, D, $rank, R>
            $(where $left: $right)?
            {
                or_panic(self.$try_name($($argument),*))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_name <$($generic: $bound,)? $($result: Rank)?>(&mut $self $(, $argument: $type)*) -> Result<TensorViewMut<'_, D, $rank, R>, Error>
            $(where $left: $right)?
            {
                let $operation = stringify!($name);
                let part = $whole.narrowed(|$view| $body);
                named($operation, part).map(TensorViewMut::new)
            }
        )*}
    }};
}

/// The list of views for writing: calls a macro with its own arguments, then all entries. An entry has the documentation, the errors,
/// the names and the rank of the result, an expression for the view of an array, and an example.
macro_rules! each_view_mut {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Returns the elements along an axis from `range.start` to before `range.end`, for writing; see [`Tensor::slice`](crate::Tensor::slice).
            errors "[`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`]; [`Error::OutOfMemory`] if it copies."
            fn slice_mut, try_slice_mut<B: Positions>( // of several axes `slice_axes_mut(s![.., 1..])`, not as `help` says
                axis: impl Axis, range: B
            ) -> N {
                |view| sliced("slice", view, axis.to_signed(), range.bounds(), 1)
            } {
                /// ```
                /// use supremum::{I32, Rank1, Tensor, tensor};
                /// let mut t: Tensor<I32, Rank1> = tensor![1, 2, 3, 4];
                /// let before = t.clone();
                /// let mut middle = t.slice_mut(0, 1..-1);
                /// middle[0] = 20;
                /// middle += 1;
                /// assert_eq!((t.to_vec(), before.to_vec()), (vec![1, 21, 4, 4], vec![1, 2, 3, 4]));
                /// ```
            }

            /// Returns every `step`-th element of a range along an axis, for writing; see [`Tensor::slice_step`](crate::Tensor::slice_step).
            errors "[`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`], [`Error::ZeroStep`]; [`Error::OutOfMemory`] if it copies."
            fn slice_step_mut, try_slice_step_mut<B: Positions>(axis: impl Axis, range: B, step: impl Offset) -> N {
                |view| sliced("slice_step", view, axis.to_signed(), range.bounds(), step.to_signed())
            } {}

            /// Returns the part at one position of an axis, without that axis, for writing; see [`Tensor::index_axis`](crate::Tensor::index_axis).
            errors "[`Error::AxisOutOfRange`], [`Error::IndexOutOfRange`]; [`Error::OutOfMemory`] if it copies."
            fn index_axis_mut, try_index_axis_mut [M: Rank] (axis: impl Axis, position: impl Extent) -> M where N: RemoveAxis<Output = M> {
                |view| along("index_axis", axis.to_signed(), view.rank(), |axis| at_position("index_axis", view, axis, position.to_wide()))
            } {
                /// ```
                /// use supremum::{I32, Rank2, Tensor, tensor};
                /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
                /// t.index_axis_mut(1, 0).fill(0);
                /// assert_eq!(t.to_vec(), [0, 2, 0, 4]);
                /// ```
            }

            /// Returns a diagonal of two axes, for writing; see [`Tensor::diagonal`](crate::Tensor::diagonal).
            errors "[`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; [`Error::OutOfMemory`] if it copies."
            fn diagonal_mut, try_diagonal_mut [M: Rank] (offset: impl Offset, first: impl Axis, second: impl Axis) -> M where N: RemoveAxis<Output = M> {
                |view| arrange::diagonal(view, offset.to_signed(), first.to_signed(), second.to_signed())
            } {}
        }
    };
}

pub(crate) use each_view_mut;

/// The views whose arguments know the rank, for a list of [`each_view_mut!`].
macro_rules! typed_views_mut {
    ($here:ident [$($impl:tt)*] |$self:ident, $operation:ident| $whole:expr;) => {
        each_view_mut!(views_mut! $here [$($impl)*] |$self, $operation| $whole;);

        views_mut! { $here [$($impl)*] |$self, $operation| $whole;
            /// Returns a slice of several axes at once, for writing; see [`Tensor::slice_axes`](crate::Tensor::slice_axes).
            errors "[`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`], [`Error::ZeroStep`]; of a tensor of any rank [`Error::AxisOutOfRange`] for more slices than axes, and [`Error::RankTooLarge`] above rank 8; [`Error::OutOfMemory`] if it copies."
            fn slice_axes_mut, try_slice_axes_mut<S: AxisSlices<N>>( // `slice_axes_mut(s![0, 1..])`, not as `help` says
                slices: S
            ) -> S::Output {
                |view| sliced_axes("slice_axes", view, &slices)
            } {
                /// ```
                /// use supremum::{I32, Rank2, Tensor, s};
                /// let mut t = Tensor::<I32, Rank2>::zeros([3, 3]);
                /// t.slice_axes_mut(s![1.., ..-1]).fill(1);
                /// assert_eq!(t.to_vec(), [0, 0, 0, 1, 1, 0, 1, 1, 0]);
                /// ```
            }
        }
    };
}

typed_views_mut! {
    here [impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R>]
    |self, operation| PartMut::new(operation, self.array_mut())?;
}

typed_views_mut! {
    here [impl<D: StaticDType, N: Rank, R: Rules> TensorViewMut<'_, D, N, R>]
    |self, operation| self.part.reborrow();
}

/// # Whole tensors for writing, rows for writing
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns a view of all elements, for writing: `t.view_mut().assign(&u)` replaces them without new memory.
    ///
    /// # Panics
    /// With the text of [`Self::try_view_mut`]'s error.
    #[track_caller]
    pub fn view_mut(&mut self) -> TensorViewMut<'_, D, N, R> {
        or_panic(self.try_view_mut())
    }

    /// [`Self::view_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if it copies the elements.
    pub fn try_view_mut(&mut self) -> Result<TensorViewMut<'_, D, N, R>, Error> {
        PartMut::new("view_mut", self.array_mut()).map(TensorViewMut::new)
    }

    /// Iterates over the parts at the positions of an axis, without that axis, for writing.
    ///
    /// # Panics
    /// With the text of [`Self::try_axis_iter_mut`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    /// for (mut column, value) in t.axis_iter_mut(1).zip([0, 7]) {
    ///     column.fill(value);
    /// }
    /// assert_eq!(t.to_vec(), [0, 7, 0, 7]);
    /// ```
    #[track_caller]
    pub fn axis_iter_mut<M: Rank>(&mut self, axis: impl Axis) -> AxisIterMut<'_, D, M, R>
    where
        N: RemoveAxis<Output = M>,
    {
        or_panic(self.try_axis_iter_mut(axis))
    }

    /// [`Self::axis_iter_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::OutOfMemory`] if it copies the elements.
    pub fn try_axis_iter_mut<M: Rank>(
        &mut self,
        axis: impl Axis,
    ) -> Result<AxisIterMut<'_, D, M, R>, Error>
    where
        N: RemoveAxis<Output = M>,
    {
        let axis = axis_of("axis_iter_mut", axis, self.ndim())?;
        PartMut::new("axis_iter_mut", self.array_mut())?
            .parts(axis)
            .map(AxisIterMut::new)
    }

    /// Iterates over the rows, as [`Self::rows`], for writing.
    ///
    /// # Panics
    /// With the text of [`Self::try_rows_mut`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let mut t: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    /// for mut row in t.rows_mut() {
    ///     row[0] += row[1];
    /// }
    /// assert_eq!(t.to_vec(), [3, 2, 7, 4]);
    /// ```
    #[track_caller]
    pub fn rows_mut(&mut self) -> AxisIterMut<'_, D, Rank1, R>
    where
        N: RemoveAxis,
    {
        or_panic(self.try_rows_mut())
    }

    /// [`Self::rows_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] for rank 0; [`Error::OutOfMemory`] if it copies the elements.
    pub fn try_rows_mut(&mut self) -> Result<AxisIterMut<'_, D, Rank1, R>, Error>
    where
        N: RemoveAxis,
    {
        check_axes("rows_mut", 1, self.shape())?;
        let last = self.ndim() - 1;
        let (count, size) = (self.shape()[..last].iter().product(), self.shape()[last]);
        let shape = Dims::new(&[count, size])?;
        let rows = PartMut::reshaped("rows_mut", self.array_mut(), shape)?;
        rows.parts(0).map(AxisIterMut::new)
    }
}

/// The parts of a tensor at the positions of an axis, for writing; made by [`Tensor::axis_iter_mut`] and [`Tensor::rows_mut`].
pub struct AxisIterMut<'a, D, M, R> {
    parts: PartsMut<'a>,
    types: PhantomData<fn() -> (D, M, R)>,
}

impl<'a, D, M, R> AxisIterMut<'a, D, M, R> {
    fn new(parts: PartsMut<'a>) -> Self {
        Self {
            parts,
            types: PhantomData,
        }
    }
}

impl<'a, D: StaticDType, M: Rank, R: Rules> Iterator for AxisIterMut<'a, D, M, R> {
    type Item = TensorViewMut<'a, D, M, R>;

    fn next(&mut self) -> Option<Self::Item> {
        self.parts.next().map(TensorViewMut::new)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.parts.size_hint()
    }
}

impl<D: StaticDType, M: Rank, R: Rules> DoubleEndedIterator for AxisIterMut<'_, D, M, R> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.parts.next_back().map(TensorViewMut::new)
    }
}

impl<D: StaticDType, M: Rank, R: Rules> ExactSizeIterator for AxisIterMut<'_, D, M, R> {}
