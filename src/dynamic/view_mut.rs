//! Views for writing, and replacement of elements.

use core::ops;

use super::{DynOperand, DynTensor};
use crate::dtype::DType;
use crate::error::{Error, named};
use crate::exec::{self, PartMut};
use crate::literals::Scalar;
use crate::op::each_binary;
use crate::rank::{AnyRank, Axis, Extent, Offset};
use crate::rule_set::LiteralPolicy;
use crate::rules::RuleSet;
use crate::tensor::positions::Positions;
use crate::tensor::positions::{along, sliced};
use crate::tensor::slice_axes::at_position;
use crate::tensor::slice_axes::{AxisSlices, sliced_axes};
use crate::tensor::view_mut::each_view_mut;
use crate::tensor::{arrange, or_panic};

/// A part of a dynamic tensor for writing, made by [`DynTensor::slice_mut`] and the like; see
/// [`TensorViewMut`](crate::TensorViewMut).
///
/// ```
/// use supremum::{DType, DynTensor, Error, Scalar};
/// let mut cache = DynTensor::zeros(DType::BF16, [4, 2])?;
/// let rows = DynTensor::ones(DType::BF16, [2, 2])?;
/// cache.slice_mut(0, 1..3).assign(&rows);
/// cache.slice_mut(1, -1..).fill(9.0);
/// assert_eq!(cache.sum().item()?, Scalar::Float(38.0));
/// let wrong = DynTensor::ones(DType::F32, [2])?;
/// let error = cache.view_mut().try_assign(&wrong).unwrap_err();
/// assert_eq!(error.to_string(), "assign: expected bf16, found f32");
/// # Ok::<(), Error>(())
/// ```
pub struct DynTensorViewMut<'a>(DynViewedElements<'a>);

/// The elements of a [`DynTensorViewMut`], which are changed in place, as [`ViewedElements`](crate::ViewedElements) are:
/// `*t.try_index_axis_mut(0, 1)? += 1`.
pub struct DynViewedElements<'a> {
    pub(super) part: PartMut<'a>,
    weak: bool,
    rules: &'static RuleSet,
}

impl<'a> ops::Deref for DynTensorViewMut<'a> {
    type Target = DynViewedElements<'a>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl ops::DerefMut for DynTensorViewMut<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> DynTensorViewMut<'a> {
    pub(super) const fn new(part: PartMut<'a>, weak: bool, rules: &'static RuleSet) -> Self {
        Self(DynViewedElements { part, weak, rules })
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.part.dtype()
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

    /// Returns the element at an index (one number for each dimension) without rounding; `None` outside the shape.
    pub fn get(&self, index: &[usize]) -> Option<Scalar> {
        Scalar::at(self.part.as_array(), index)
    }

    /// Copies the elements to a new tensor.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn to_dyn(&self) -> Result<DynTensor, Error> {
        let copy = self.part.copied()?;
        Ok(DynTensor::from_array(copy, self.weak, self.rules))
    }

    /// Copies the elements of another tensor of the same dtype to this part. Its shape broadcasts to that of the part.
    ///
    /// # Panics
    /// With the text of [`Self::try_assign`]'s error.
    #[track_caller]
    pub fn assign(&mut self, from: &DynTensor) {
        or_panic(self.try_assign(from));
    }

    /// [`Self::assign`], fallible.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`]; [`Error::ShapeMismatch`] if the shape does not broadcast to that of the part. The part is unchanged
    /// then.
    pub fn try_assign(&mut self, from: &DynTensor) -> Result<(), Error> {
        self.part.assign("assign", from.array())
    }

    /// Replaces every element of the part by one value.
    ///
    /// # Panics
    /// With the text of [`Self::try_fill`]'s error.
    #[track_caller]
    pub fn fill(&mut self, value: impl Into<Scalar>) {
        or_panic(self.try_fill(value));
    }

    /// [`Self::fill`], fallible.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype does not have the value.
    pub fn try_fill(&mut self, value: impl Into<Scalar>) -> Result<(), Error> {
        let dtype = self.dtype();
        let element = value
            .into()
            .to_scalar_bits("fill", dtype, LiteralPolicy::EXACT)?;
        self.part.fill("fill", element)
    }
}

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $($operator)*);)*
    };
    (@method) => {};
    (@operator $trait:ident $symbol:literal $assign:ident::$method:ident $assign_symbol:literal) => {
        /// Computes with a copy of the view's elements, and writes the result to the view.
        impl<'a, Rhs: DynOperand<'a>> ops::$assign<Rhs> for DynTensorViewMut<'_> {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                ops::$assign::$method(&mut **self, rhs);
            }
        }

        /// As of the view.
        impl<'a, Rhs: DynOperand<'a>> ops::$assign<Rhs> for DynViewedElements<'_> {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                let copy = or_panic(self.part.copied());
                let mut result = DynTensor::from_array(copy, self.weak, self.rules);
                ops::$assign::$method(&mut result, rhs);
                or_panic(self.part.assign($assign_symbol, result.array()));
            }
        }
    };
}

each_binary!(methods operators!);

macro_rules! views_mut {
    (
        $here:ident [$Self:ty] |$self:ident, $operation:ident| $whole:expr;
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
        impl $Self {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            pub fn $name $(<$generic: $bound>)? (&mut self $(, $argument: $type)*) -> DynTensorViewMut<'_> {
                or_panic(self.$try_name($($argument),*))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_name $(<$generic: $bound>)? (&mut $self $(, $argument: $type)*) -> Result<DynTensorViewMut<'_>, Error> {
                let $operation = stringify!($name);
                let (weak, rules) = ($self.weak, $self.rules);
                let part = $whole.narrowed(|$view| $body);
                named($operation, part).map(|view| DynTensorViewMut::new(view, weak, rules))
            }
        )*}
    }};
}

/// The views whose arguments know the rank, for a list of [`each_view_mut!`].
macro_rules! all_views_mut {
    ($here:ident [$Self:ty] |$self:ident, $operation:ident| $whole:expr;) => {
        each_view_mut!(views_mut! $here [$Self] |$self, $operation| $whole;);

        views_mut! { $here [$Self] |$self, $operation| $whole;
            /// Returns a slice of several axes at once, for writing; see [`DynTensor::slice_axes`].
            errors "[`Error::AxisOutOfRange`], [`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`], [`Error::ZeroStep`]; [`Error::RankTooLarge`] above rank 8; [`Error::OutOfMemory`] if it copies."
            fn slice_axes_mut, try_slice_axes_mut<S: AxisSlices<AnyRank>>(slices: S) -> S::Output {
                |view| sliced_axes("slice_axes", view, &slices)
            } {}
        }
    };
}

all_views_mut! {
    here [DynTensor]
    |self, operation| PartMut::new(operation, &mut self.array)?;
}

all_views_mut! {
    here [DynTensorViewMut<'_>]
    |self, operation| self.part.reborrow();
}

/// # Whole tensors for writing
impl DynTensor {
    /// Returns a view of all elements, for writing.
    ///
    /// # Panics
    /// With the text of [`Self::try_view_mut`]'s error.
    #[track_caller]
    pub fn view_mut(&mut self) -> DynTensorViewMut<'_> {
        or_panic(self.try_view_mut())
    }

    /// [`Self::view_mut`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if it copies the elements.
    pub fn try_view_mut(&mut self) -> Result<DynTensorViewMut<'_>, Error> {
        let (weak, rules) = (self.weak, self.rules);
        let view = PartMut::new("view_mut", &mut self.array)?;
        Ok(DynTensorViewMut::new(view, weak, rules))
    }

    /// Replaces the element at an index (one number for each dimension). The elements are copied first if another tensor shares them.
    ///
    /// # Panics
    /// With the text of [`Self::try_set`]'s error.
    #[track_caller]
    pub fn set(&mut self, index: &[usize], value: impl Into<Scalar>) {
        or_panic(self.try_set(index, value));
    }

    /// [`Self::set`], fallible.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`], [`Error::LengthMismatch`] of an index outside the shape; [`Error::LiteralOutOfRange`] if the dtype
    /// does not have the value; [`Error::OutOfMemory`]. The tensor is unchanged then.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, Scalar};
    /// let mut t = DynTensor::zeros(DType::U8, [2, 2])?;
    /// t.try_set(&[1, 0], 7)?;
    /// assert_eq!(t.get(&[1, 0]), Some(Scalar::Int(7)));
    /// assert!(t.try_set(&[1, 0], 300).is_err() && t.try_set(&[2, 0], 1).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_set(&mut self, index: &[usize], value: impl Into<Scalar>) -> Result<(), Error> {
        let element = value
            .into()
            .to_scalar_bits("set", self.dtype(), LiteralPolicy::EXACT)?;
        exec::set_element(&mut self.array, index, element)
    }

    /// Returns the element at an index without rounding, or an error that says what is wrong with the index.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] with the first axis that does not have the position; [`Error::LengthMismatch`] if there is not one
    /// number for each dimension.
    pub fn try_get(&self, index: &[usize]) -> Result<Scalar, Error> {
        exec::require_concrete("get", &self.array)?;
        self.get(index)
            .ok_or_else(|| self.array.index_error("get", index))
    }

    /// Returns a slice of several axes at once; see [`Tensor::slice_axes`](crate::Tensor::slice_axes).
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`] for more slices than axes; [`Error::SliceOutOfRange`], [`Error::IndexOutOfRange`],
    /// [`Error::ZeroStep`]; [`Error::RankTooLarge`] above rank 8.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, s};
    /// let t = DynTensor::eye(DType::I32, 3)?;
    /// assert_eq!(t.try_slice_axes(s![1.., -1])?.to_string(), "[0, 1] i32 [2]");
    /// assert!(t.try_slice_axes(s![.., .., ..]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_slice_axes<S: AxisSlices<AnyRank>>(&self, slices: S) -> Result<Self, Error> {
        sliced_axes("slice_axes", &self.array, &slices).map(|array| self.with(array))
    }
}
