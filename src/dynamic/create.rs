//! Constructors. New tensors follow the rules [`Jax`]; [`DynTensor::with_rules`] changes them.

use super::DynTensor;
use crate::array::Array;
use crate::dtype::{DType, Element};
use crate::error::{Error, named};
use crate::exec;
use crate::literals::Scalar;
use crate::rank::{AnyRank, IntoShape, SizeList};
use crate::rule_set::LiteralPolicy;
use crate::rules::{Jax, Rules};
use crate::tensor::{FitsF64, Tensor, or_panic, sequence};

fn strong(array: Array) -> DynTensor {
    DynTensor::from_array(array, false, Jax::RULE_SET)
}

/// # Construction
impl DynTensor {
    /// Makes a tensor with one value for all elements, under [`Jax`] rules.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype does not have the value; [`Error::ShapeTooLarge`],
    /// [`Error::RankTooLarge`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// assert_eq!(DynTensor::full(DType::U8, &[2], 7)?.to_string(), "[7, 7] u8 [2]");
    /// let error = DynTensor::full(DType::U8, &[2], 300).unwrap_err();
    /// assert_eq!(error.to_string(), "full: the literal 300 is out of range for u8");
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn full( // `DynTensor::full(DType::F32, [2, 3], 0.5)?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
        value: impl Into<Scalar>,
    ) -> Result<Self, Error> {
        let value = value.into();
        let array = value.to_array("full", dtype, shape.as_ref(), LiteralPolicy::EXACT);
        named("full", array.map(strong))
    }

    /// Makes a tensor of rank 0, under [`Jax`] rules.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype does not have the value; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let rate = DynTensor::scalar(DType::BF16, 0.5)?;
    /// assert_eq!((rate.to_string(), rate.is_weak()), ("0.5 bf16 []".to_owned(), false));
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // As above.
    pub fn scalar( // `DynTensor::scalar(DType::F32, 0.5)?`, not as `help` says
        dtype: DType,
        value: impl Into<Scalar>,
    ) -> Result<Self, Error> {
        let array = value
            .into()
            .to_array("scalar", dtype, &[], LiteralPolicy::EXACT);
        array.map(strong)
    }

    /// Makes a tensor of elements in row-major order, under [`Jax`] rules. Their type decides the dtype.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the shape needs another number of elements; [`Error::ShapeTooLarge`], [`Error::RankTooLarge`],
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error};
    /// let t = DynTensor::from_vec(vec![0.5_f32, 1.5], [1, 2])?;
    /// assert_eq!(t.to_string(), "[[0.5, 1.5]] f32 [1, 2]");
    /// assert!(DynTensor::from_vec(vec![0.5_f32, 1.5], [3]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // As above.
    pub fn from_vec( // `DynTensor::from_vec(elements, [n, 3])?`, whatever `help` says
        elements: Vec<impl Element>,
        shape: impl SizeList,
    ) -> Result<Self, Error> {
        let operation = "from_vec";
        let array = Array::from_slice(operation, &elements, shape.as_ref());
        named(operation, array.map(strong))
    }

    /// Makes a tensor of elements in row-major order, under [`Jax`] rules. Their type decides the dtype. Copies them.
    ///
    /// # Errors
    /// The errors of [`Self::from_vec`].
    #[rustfmt::skip] // As above.
    pub fn from_slice( // `DynTensor::from_slice(&elements, [n, 3])?`, whatever `help` says
        elements: &[impl Element],
        shape: impl SizeList,
    ) -> Result<Self, Error> {
        let array = Array::from_elements(elements, shape.as_ref());
        named("from_slice", array.map(strong))
    }

    /// Makes a tensor by calling `element` with each index, under [`Jax`] rules. The type of its results decides the dtype. The index is
    /// an array, `[usize; 2]` for the shape `[2, 3]`, or a slice if the shape is a slice.
    ///
    /// # Panics
    /// With the text of [`Self::try_from_fn`]'s error.
    ///
    /// ```
    /// use supremum::DynTensor;
    /// let table = DynTensor::from_fn([2, 3], |[i, j]| (10 * i + j) as i16);
    /// assert_eq!(table.to_string(), "[[ 0,  1,  2],\n [10, 11, 12]] i16 [2, 3]");
    /// ```
    #[track_caller]
    #[must_use]
    #[rustfmt::skip] // As above.
    pub fn from_fn<Shape: IntoShape<AnyRank>, E: Element>( // `from_fn([2, 3], |[i, j]| (i + j) as f32)`, not as `help` says
        shape: Shape,
        element: impl FnMut(Shape::Index<'_>) -> E,
    ) -> Self {
        or_panic(Self::try_from_fn(shape, element))
    }

    /// [`Self::from_fn`], fallible. The function itself cannot fail.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::RankTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_from_fn<Shape: IntoShape<AnyRank>, E: Element>( // `try_from_fn([2, 3], |[i, j]| (i + j) as f32)?`
        shape: Shape,
        element: impl FnMut(Shape::Index<'_>) -> E,
    ) -> Result<Self, Error> {
        Tensor::<E::Marker>::try_from_fn(shape, element).map(Tensor::into_dyn)
    }

    /// Makes a tensor of zeros (`false` for booleans), under [`Jax`] rules.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::RankTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn zeros( // `DynTensor::zeros(DType::F32, [2, 3])?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
    ) -> Result<Self, Error> {
        named("zeros", Self::full(dtype, shape, false))
    }

    /// Makes a tensor of ones (`true` for booleans), under [`Jax`] rules.
    ///
    /// # Errors
    /// The errors of [`Self::zeros`].
    #[rustfmt::skip] // As above.
    pub fn ones( // `DynTensor::ones(DType::F32, [2, 3])?`, not as `help` says
        dtype: DType,
        shape: impl SizeList,
    ) -> Result<Self, Error> {
        named("ones", Self::full(dtype, shape, true))
    }

    /// Makes the numbers `start`, `start + step`, and so on, below `end`; see
    /// [`Tensor::arange`](crate::Tensor::arange).
    ///
    /// # Errors
    /// The errors of [`Tensor::try_arange`](crate::Tensor::try_arange).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// assert_eq!(DynTensor::arange(DType::I8, 0, 10, 3)?.to_string(), "[0, 3, 6, 9] i8 [4]");
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // As above.
    pub fn arange( // `DynTensor::arange(DType::I64, 0, 10, 1)?`, not as `help` says
        dtype: DType,
        start: impl FitsF64,
        end: impl FitsF64,
        step: impl FitsF64,
    ) -> Result<Self, Error> {
        let [start, end, step] = [
            start.to_f64("arange")?,
            end.to_f64("arange")?,
            step.to_f64("arange")?,
        ];
        sequence::arange(dtype, start, end, step).map(strong)
    }

    /// Makes `count` numbers in equal steps, the first `start` and the last `end`, under [`Jax`] rules; see
    /// [`Tensor::linspace`](crate::Tensor::linspace).
    ///
    /// # Errors
    /// The errors of [`Tensor::try_linspace`](crate::Tensor::try_linspace).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// assert_eq!(DynTensor::linspace(DType::F16, 0.0, 1.0, 3).to_string(), "[0.0, 0.5, 1.0] f16 [3]");
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // As above.
    pub fn try_linspace( // `DynTensor::try_linspace(DType::F32, 0.0, 1.0, 5)?`, whatever `help` says
        dtype: DType,
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Result<Self, Error> {
        let (start, end) = (start.to_f64("linspace")?, end.to_f64("linspace")?);
        sequence::linspace(dtype, start, end, count).map(strong)
    }

    /// Makes `count` powers of ten, under [`Jax`] rules; see [`Tensor::logspace`](crate::Tensor::logspace).
    ///
    /// # Errors
    /// The errors of [`Self::try_linspace`].
    #[rustfmt::skip] // As above.
    pub fn try_logspace( // `DynTensor::try_logspace(DType::F32, 0.0, 3.0, 4)?`, whatever `help` says
        dtype: DType,
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Result<Self, Error> {
        let (start, end) = (start.to_f64("logspace")?, end.to_f64("logspace")?);
        sequence::logspace(dtype, start, end, count).map(strong)
    }

    /// Makes a tensor of one value with the dtype, weakness, shape and rules of this one.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] if the dtype does not have the value; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let x = DynTensor::ones(DType::I16, [2])?;
    /// assert_eq!(x.full_like(7).to_string(), "[7, 7] i16 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_full_like(&self, value: impl Into<Scalar>) -> Result<Self, Error> {
        let value = value.into();
        let array = value.to_array(
            "full_like",
            self.dtype(),
            self.shape(),
            LiteralPolicy::EXACT,
        );
        array.map(|array| self.with(array))
    }

    /// Makes a tensor of zeros (`false` for booleans) with the dtype, weakness, shape and rules of this one.
    ///
    /// # Errors
    /// The errors of [`Self::try_full_like`].
    pub fn try_zeros_like(&self) -> Result<Self, Error> {
        self.try_full_like(false)
    }

    /// Makes a tensor of ones (`true` for booleans) with the dtype, weakness, shape and rules of this one.
    ///
    /// # Errors
    /// The errors of [`Self::try_full_like`].
    pub fn try_ones_like(&self) -> Result<Self, Error> {
        self.try_full_like(true)
    }

    /// Makes an identity matrix, under [`Jax`] rules.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn eye(dtype: DType, size: usize) -> Result<Self, Error> { // a square: `DynTensor::eye(DType::F32, 3)?`
        let one = Scalar::Bool(true).to_scalar_bits("eye", dtype, LiteralPolicy::EXACT)?;
        named("eye", one.eye(size)).map(strong)
    }

    /// Makes a tensor from the bytes of its elements, in row-major order and native byte order, under [`Jax`] rules.
    /// Copies the bytes.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the shape needs another number of bytes; [`Error::NotABool`] for truth values
    /// other than the bytes 0 and 1; [`Error::ShapeTooLarge`], [`Error::RankTooLarge`],
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let t = DynTensor::from_bytes(DType::F32, [1], &1.5_f32.to_ne_bytes())?;
    /// assert_eq!(t.to_string(), "[1.5] f32 [1]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_bytes(dtype: DType, shape: impl SizeList, bytes: &[u8]) -> Result<Self, Error> {
        named(
            "from_bytes",
            Array::from_bytes(dtype, shape.as_ref(), bytes),
        )
        .map(strong)
    }

    /// Copies the bytes of the elements, in row-major order and native byte order; the reverse of [`Self::from_bytes`].
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let t = DynTensor::arange(DType::U16, 0.0, 4.0, 1.0)?.try_reshape([2, 2])?;
    /// let bytes = t.transpose().to_bytes()?;
    /// assert_eq!(bytes[2..4], 2_u16.to_ne_bytes());
    /// assert_eq!(DynTensor::from_bytes(t.dtype(), [2, 2], &bytes)?, t.transpose());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        exec::require_concrete("to_bytes", self.array())?;
        exec::to_bytes(self.array())
    }
}

/// Writes functions under the names that fallible forms have, as those of [`Tensor`](crate::Tensor).
macro_rules! fallible {
    ($($try_name:ident as fn $name:ident($($argument:ident: $type:ty),+);)+) => {
        /// # Construction, by names with `try_`
        impl DynTensor {$(
            #[doc = concat!("[`Self::", stringify!($name), "`], under the name that a fallible form has.")]
            ///
            /// # Errors
            #[doc = concat!("The errors of [`Self::", stringify!($name), "`].")]
            pub fn $try_name($($argument: $type),+) -> Result<Self, Error> {
                Self::$name($($argument),+)
            }
        )+}
    };
}

fallible! {
    try_full as fn full(dtype: DType, shape: impl SizeList, value: impl Into<Scalar>); // `try_full(DType::F32, [2, 3], 0.5)?`
    try_scalar as fn scalar(dtype: DType, value: impl Into<Scalar>); // `DynTensor::try_scalar(DType::F32, 0.5)?`
    try_from_vec as fn from_vec(elements: Vec<impl Element>, shape: impl SizeList); // `try_from_vec(elements, [n, 3])?`
    try_from_slice as fn from_slice(elements: &[impl Element], shape: impl SizeList); // `try_from_slice(&elements, [n, 3])?`
    try_zeros as fn zeros(dtype: DType, shape: impl SizeList); // `DynTensor::try_zeros(DType::F32, [2, 3])?`, not as `help` says
    try_ones as fn ones(dtype: DType, shape: impl SizeList); // `DynTensor::try_ones(DType::F32, [2, 3])?`, not as `help` says
    try_eye as fn eye(dtype: DType, size: usize); // a square: `DynTensor::try_eye(DType::F32, 3)?`
    try_arange as fn arange( // `DynTensor::try_arange(DType::I64, 0, 10, 1)?`, not as `help` says
        dtype: DType, start: impl FitsF64, end: impl FitsF64, step: impl FitsF64
    );
    try_from_bytes as fn from_bytes(dtype: DType, shape: impl SizeList, bytes: &[u8]);
}
