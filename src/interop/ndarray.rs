//! Conversions to and from the crate `ndarray`: views of tensors, and tensors over the memory of its arrays.

use ndarray::{
    ArcArray, Array, ArrayView, Axis, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
    ShapeBuilder,
};

use crate::array::{Array as Erased, Span};
use crate::dtype::{Element, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::rank::{AnyRank, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6};
use crate::rules::Rules;
use crate::tensor::{Makes, Tensor};

/// Maps a rank to its type in `ndarray`: [`Rank2`] to `Ix2`, [`AnyRank`] to `IxDyn`. All ranks implement it. Needs the
/// feature `ndarray`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rank of an array of `ndarray`",
    label = "no type of shapes of `ndarray` is known for it",
    note = "ranks are `Rank0` to `Rank6` and `AnyRank`; generic code states this trait as a bound"
)]
pub trait NdarrayRank: Rank {
    /// The `ndarray` type of shapes of this rank.
    type Dim: NdarrayDim<Rank = Self>;
}

/// Maps an `ndarray` type of shapes to its rank. Needs the feature `ndarray`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of shapes of `ndarray`",
    label = "no rank is known for it",
    note = "these types are `Ix0` to `Ix6` and `IxDyn`; generic code states this trait as a bound"
)]
pub trait NdarrayDim: Dimension + 'static {
    /// The rank of tensors with such shapes.
    type Rank: NdarrayRank<Dim = Self>;
}

macro_rules! ranks {
    ($($rank:ident $dim:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl NdarrayRank for $rank {
            type Dim = $dim;
        }
        #[diagnostic::do_not_recommend]
        impl NdarrayDim for $dim {
            type Rank = $rank;
        }
    )*};
}

ranks! { Rank0 Ix0, Rank1 Ix1, Rank2 Ix2, Rank3 Ix3, Rank4 Ix4, Rank5 Ix5, Rank6 Ix6, AnyRank IxDyn }

/// Implemented by the rank of arrays with shapes of the type `Dim`.
#[diagnostic::on_unimplemented(
    message = "an array with shapes of type `{Dim}` is no tensor of `{Self}`",
    label = "an array of another rank",
    note = "state the rank of the array, e.g. `let t: Tensor<F32, Rank2> = ..` of an `Array2`, with `AnyRank` of an `ArrayD`, and change the number of axes then, e.g. by `.flatten()` or `.reshape(..)`"
)]
// The rank is `Self`, so that it determines the type of an array that is not inferred yet.
#[cfg_attr(doc, doc(hidden))]
pub trait RankOfArray<Dim> {}

#[diagnostic::do_not_recommend]
impl<N: NdarrayRank<Dim = Dim>, Dim> RankOfArray<Dim> for N {}

/// Implemented by every type for itself.
#[diagnostic::on_unimplemented(
    message = "this tensor has elements of type `{Self}`, found an array of `{Found}`",
    label = "elements of another type",
    note = "the dtype is that of the array's elements, `F64` of `f64`: make a tensor of that, and convert it by `.cast::<F32>()`, as in `Tensor::<F64, Rank2>::from_ndarray(array)?.cast::<F32>()`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementOfArray<Found> {}

#[diagnostic::do_not_recommend]
impl<E> ElementOfArray<E> for E {}

/// # Arrays of `ndarray`
///
/// Feature `ndarray`.
impl<D: StaticDType, N: NdarrayRank, R: Rules> Tensor<D, N, R> {
    /// Borrows the elements as a view of `ndarray`, in place: with the same shape and strides, also zero and negative
    /// ones.
    ///
    /// ```
    /// use supremum::{F16, Rank2, Tensor, tensor};
    /// let t: Tensor<F16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let turned = t.transpose();
    /// let view = turned.view_ndarray(); // an `ArrayView2<f16>`
    /// assert_eq!(view.strides(), [1, 2]);
    /// assert_eq!(view[[0, 1]].to_f32(), 3.0);
    /// ```
    pub fn view_ndarray(&self) -> ArrayView<'_, D::Element, N::Dim> {
        exec::expect_concrete("view_ndarray", self.array());
        view(self.array())
            .into_dimensionality()
            .expect("the type's rank is the tensor's")
    }

    /// Copies the elements to an array in row-major order. `From` does the same.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::ndarray::{Array1, arr1};
    /// use supremum::{I32, Rank1, Tensor, tensor};
    /// let t: Tensor<I32, Rank1> = tensor![1, 2, 3];
    /// let reversed: Array1<i32> = t.flip(0).to_ndarray();
    /// assert_eq!(reversed, arr1(&[3, 2, 1]));
    /// ```
    #[track_caller]
    pub fn to_ndarray(&self) -> Array<D::Element, N::Dim> {
        Array::from_shape_vec(IxDyn(self.shape()), self.to_vec())
            .expect("as many elements as the shape has")
            .into_dimensionality()
            .expect("the type's rank is the tensor's")
    }

    /// Makes a tensor over the memory of an array, with its strides; nothing is copied. `TryFrom` does the same. The dtype is that of the
    /// array's elements, and the rank that of the array: an `Array2<f32>` becomes a `Tensor<F32, Rank2>`.
    ///
    /// The memory is never written: an operation that would reuse it for its result allocates new memory. It is freed
    /// with the last tensor over it.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] above rank 8, [`Error::ShapeTooLarge`] beyond the addressable size.
    ///
    /// ```
    /// use supremum::ndarray::array;
    /// use supremum::{BF16, Error, F32, I16, Rank2, Tensor, tensor};
    /// let array = array![[1_i16, 2], [3, 4]];
    /// let t: Tensor<I16, Rank2> = Tensor::from_ndarray(array.reversed_axes())?;
    /// assert_eq!((t.to_vec(), t.strides()), (vec![1, 3, 2, 4], &[1, 2][..]));
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the array has another type.
    pub fn from_ndarray<E: Element, Dim: Dimension>( // of `f64`: `Tensor::<F64, Rank2>::from_ndarray(array)?.cast::<F32>()`
        array: Array<E, Dim>,
    ) -> Result<Self, Error>
    where
        D::Element: ElementOfArray<E>,
        N: RankOfArray<Dim>,
    {
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let (elements, first) = array.into_raw_vec_and_offset();
        let owner = Owner(elements);
        let first = first.unwrap_or_default(); // an array without elements has no first one
        let array = Erased::external_strided(E::DTYPE, &shape, &strides, first, owner);
        named("from_ndarray", array.map(Self::from_array))
    }

    /// Makes a tensor over the memory of a shared array, with its strides. The elements are copied only if the array
    /// skips some of its buffer. `TryFrom` does the same.
    ///
    /// Array code and tensors share elements in this way without a copy; neither writes them while the other has them.
    /// `array.into_shared()` makes an `ArcArray` from an `Array`, free of cost. (There is no tensor over a borrowed
    /// `ArrayView`: tensors own their memory, so one could outlive the borrow.)
    ///
    /// # Errors
    /// The errors of [`Self::from_ndarray`].
    ///
    /// ```
    /// use supremum::ndarray::array;
    /// use supremum::{Error, F32, Rank1, Tensor};
    /// let mut shared = array![1.0_f32, 2.0].into_shared();
    /// let t: Tensor<F32, Rank1> = Tensor::from_arc_array(shared.clone())?;
    /// assert_eq!(t.view_ndarray().as_ptr(), shared.as_ptr());
    /// shared[0] = 5.0; // `ndarray` copies on write
    /// assert_eq!(t.to_vec(), [1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // As above.
    pub fn from_arc_array<E: Element, Dim: Dimension + 'static>( // `Tensor::<F64, Rank2>::from_arc_array(array)?.cast::<F32>()`
        array: ArcArray<E, Dim>,
    ) -> Result<Self, Error>
    where
        D::Element: ElementOfArray<E>,
        N: RankOfArray<Dim>,
    {
        if array.as_slice_memory_order().is_none() {
            return copied(&array.view()).map(Self::from_array);
        }
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let first = named("from_arc_array", Span::new(&shape, &strides))?.before;
        let owner = Owner(array);
        let array = Erased::external_strided(E::DTYPE, &shape, &strides, first, owner);
        named("from_arc_array", array.map(Self::from_array))
    }
}

/// Owns an array and borrows its elements as bytes.
struct Owner<T>(T);

impl<E: Element> AsRef<[u8]> for Owner<Vec<E>> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<E: Element, Dim: Dimension> AsRef<[u8]> for Owner<ArcArray<E, Dim>> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(self.0.as_slice_memory_order().unwrap_or_default())
    }
}

#[allow(unsafe_code, reason = "strides are checked nowhere else for views")]
fn view<E: Element>(array: &Erased) -> ArrayView<'_, E, IxDyn> {
    assert_eq!(array.dtype(), E::DTYPE, "elements of another dtype");
    if let Some(elements) = array.as_slice() {
        return ArrayView::from_shape(IxDyn(array.shape()), elements)
            .expect("as many elements as the shape has");
    }
    // `ArrayView` is made with strides that are not negative; axes with a negative stride are inverted afterwards.
    let strides: Vec<usize> = array
        .strides()
        .iter()
        .map(|stride| stride.unsigned_abs())
        .collect();
    let lowest = array.as_ptr().cast::<E>().wrapping_sub(array.span().before);
    let shape = IxDyn(array.shape()).strides(IxDyn(&strides));
    debug_assert!(!array.is_empty() && lowest.is_aligned());
    // SAFETY: the array has elements, because an empty array is contiguous and returned above. `lowest` is its lowest
    // element (`span().before` elements before index zero), and with the magnitudes of its strides every index within
    // `shape` reaches one of its elements, all in one buffer. The elements have the type `E` (asserted above) and are
    // aligned for it, and the view borrows `array`, which keeps them alive and unwritten.
    let mut view = unsafe { ArrayView::from_shape_ptr(shape, lowest) };
    for (axis, stride) in array.strides().iter().enumerate() {
        if *stride < 0 {
            view.invert_axis(Axis(axis));
        }
    }
    view
}

/// Copies the elements as [`Tensor::to_ndarray`] does.
impl<D: StaticDType, N: NdarrayRank, R: Rules> From<&Tensor<D, N, R>>
    for Array<D::Element, N::Dim>
{
    fn from(tensor: &Tensor<D, N, R>) -> Self {
        tensor.to_ndarray()
    }
}

/// Copies the elements as [`Tensor::to_ndarray`] does.
impl<D: StaticDType, N: NdarrayRank, R: Rules> From<Tensor<D, N, R>> for Array<D::Element, N::Dim> {
    fn from(tensor: Tensor<D, N, R>) -> Self {
        tensor.to_ndarray()
    }
}

/// Implemented for no type.
#[diagnostic::on_unimplemented(
    message = "an array of `ndarray` becomes a tensor by `Tensor::from_ndarray(array)?`, which can fail",
    label = "not converted by `.into()`",
    note = "the elements are those of the dtype, `f32` for `F32`: make a tensor of their own dtype, and convert that by `.cast::<F32>()`"
)]
#[doc(hidden)]
pub trait OfAnyArray {}

#[doc(hidden)]
impl<T: OfAnyArray, E, Dim: Dimension> Makes<Array<E, Dim>> for T {
    fn make(_: Array<E, Dim>) -> Self {
        unreachable!("the bound never holds")
    }
}

/// Converts as [`Tensor::from_ndarray`] does.
#[diagnostic::do_not_recommend]
impl<D: StaticDType<Element = E>, E: Element, Dim: NdarrayDim, R: Rules> TryFrom<Array<E, Dim>>
    for Tensor<D, Dim::Rank, R>
{
    type Error = Error;

    fn try_from(array: Array<E, Dim>) -> Result<Self, Error> {
        Self::from_ndarray(array)
    }
}

/// Converts as [`Tensor::from_arc_array`] does.
#[diagnostic::do_not_recommend]
impl<D: StaticDType<Element = E>, E: Element, Dim: NdarrayDim, R: Rules> TryFrom<ArcArray<E, Dim>>
    for Tensor<D, Dim::Rank, R>
{
    type Error = Error;

    fn try_from(array: ArcArray<E, Dim>) -> Result<Self, Error> {
        Self::from_arc_array(array)
    }
}

/// Copies the elements, in row-major order.
#[diagnostic::do_not_recommend]
impl<D: StaticDType<Element = E>, E: Element, Dim: NdarrayDim, R: Rules>
    TryFrom<ArrayView<'_, E, Dim>> for Tensor<D, Dim::Rank, R>
{
    type Error = Error;

    fn try_from(view: ArrayView<'_, E, Dim>) -> Result<Self, Error> {
        copied(&view).map(Self::from_array)
    }
}

fn copied<E: Element, Dim: Dimension>(view: &ArrayView<'_, E, Dim>) -> Result<Erased, Error> {
    let array = match view.as_slice() {
        Some(elements) => Erased::from_elements(elements, view.shape()),
        None => {
            let mut elements = view.iter();
            let mut next = |_| *elements.next().expect("as many elements as the shape has");
            Erased::from_positions(view.shape(), &mut next)
        }
    };
    named("from_ndarray", array)
}
