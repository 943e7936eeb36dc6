//! Constructors of tensors.

use super::inferred::IsElement;
use super::{DTypeFrom, ElementFrom, FitsF64, Tensor, or_panic, sequence};
use crate::array::{Array, ScalarBits};
use crate::dtype::StaticDType;
use crate::dtype::cast::cast;
use crate::error::{Error, named};
use crate::rank::{IntoShape, MayBe, Rank, Rank0, Rank1, Rank2};
use crate::rules::Rules;

/// A tensor without elements: its size is 0 along each axis. If the rank is known only at run time, it has one axis. A
/// tensor of rank 0 has one element, which is zero (`false` for booleans). So records of tensors can derive `Default`,
/// and [`std::mem::take`] moves a tensor out of a field. If a field keeps its default by mistake, there may be no
/// error: size 0 broadcasts with size 1, and gives a result without elements.
///
/// ```
/// use supremum::{F32, Rank0, Rank2, Tensor, tensor};
/// #[derive(Default)]
/// struct State {
///     hidden: Tensor<F32, Rank2>,
///     loss: Tensor<F32, Rank0>,
/// }
/// let mut state = State::default();
/// assert_eq!((state.hidden.shape(), state.loss.item()), (&[0, 0][..], Ok(0.0)));
/// state.hidden = tensor![[1.0, 2.0]];
/// state.hidden = std::mem::take(&mut state.hidden) + 1;
/// assert_eq!(state.hidden.to_vec(), [2.0, 3.0]);
/// assert_eq!(Tensor::<F32>::default().shape(), [0]);
/// ```
impl<D: StaticDType, N: Rank, R: Rules> Default for Tensor<D, N, R> {
    fn default() -> Self {
        let sizes = vec![0; N::RANK.unwrap_or(1)];
        or_panic(Array::full(cast::<bool, D::Element>(false), &sizes).map(Self::from_array))
    }
}

/// # Construction
///
/// [`tensor!`](crate::tensor!) makes a tensor of literals. With the feature `rand`, `uniform`, `normal` and others make random tensors; they
/// are listed at the end.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a tensor of these elements, in row-major order. `E` is the type of the dtype's elements, such as `f32` for `F32`. Unlike
    /// other plain names, it returns a `Result`, because the program seldom knows the number of elements in advance.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the number of elements is not that of the shape;
    /// [`Error::ShapeTooLarge`] if that number overflows; [`Error::RankTooLarge`] above rank 8;
    /// [`Error::RankMismatch`] for a slice or `Vec` of another length than the rank; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor};
    /// let t = Tensor::<I32, Rank2>::from_vec(vec![1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(t.get(&[1, 2]), Some(6));
    /// assert!(Tensor::<I32>::from_vec(vec![1, 2, 3], [2, 2]).is_err());
    /// # Ok::<(), supremum::Error>(())
    /// ```
    // Of any `E`, so that the bound's message says which elements the dtype has.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where the rank is not known or an argument is missing.
    pub fn from_vec<E>( // of `f64` e.g. `Tensor::<F64, Rank2>::from_vec(elements, [n, 3])?.cast::<F32>()`, whatever `help` says
        elements: Vec<E>,
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        D::Element: IsElement<E>,
    {
        let operation = "from_vec";
        let elements = <D::Element as IsElement<E>>::FROM_VEC(elements);
        let array = Array::from_slice(operation, &elements, sizes(operation, &shape)?);
        named(operation, array.map(Self::from_array))
    }

    /// [`Self::from_vec`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::from_vec`].
    #[rustfmt::skip] // As above.
    pub fn try_from_vec<E>( // of `f64`: `Tensor::<F64, Rank2>::try_from_vec(elements, [n, 3])?.cast::<F32>()`, whatever `help` says
        elements: Vec<E>,
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        D::Element: IsElement<E>,
    {
        Self::from_vec(elements, shape)
    }

    /// Makes a tensor of copies of these elements, in row-major order. Unlike other plain names, it returns a
    /// `Result`, as [`Self::from_vec`] does.
    ///
    /// # Errors
    /// The errors of [`Self::from_vec`].
    #[rustfmt::skip] // As above.
    pub fn from_slice( // `Tensor::<F32, Rank2>::from_slice(&elements, [n, 3])?`, whatever `help` says
        elements: &[D::Element],
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
    {
        let operation = "from_slice";
        let array = Array::from_elements(elements, sizes(operation, &shape)?);
        named(operation, array.map(Self::from_array))
    }

    /// [`Self::from_slice`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::from_vec`].
    #[rustfmt::skip] // As above.
    pub fn try_from_slice( // `Tensor::<F32, Rank2>::try_from_slice(&elements, [n, 3])?`, whatever `help` says
        elements: &[D::Element],
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
    {
        Self::from_slice(elements, shape)
    }

    /// Makes a tensor with one value for all elements. `E` is the type of the dtype's elements, such as `f32` for `F32`. Where Rust
    /// has no literals of that type, as for `F16` and `C64`, an `f64` or `i64` converts as a literal beside an operator does.
    ///
    /// # Panics
    /// If the shape is too large to address, a slice has another length than the rank, memory is short, or the dtype does not have the
    /// number, with the text of [`Self::try_full`]'s error.
    ///
    /// ```
    /// use supremum::{C64, F16, F32, Rank1, Tensor, c64, f16};
    /// let t = Tensor::<F16>::full([2, 2], 1.5);
    /// assert_eq!(t.to_vec(), [f16::from_f32(1.5); 4]);
    /// assert!(Tensor::<F32, Rank1>::full([2], f32::NAN)[0].is_nan());
    /// assert_eq!(Tensor::<C64, Rank1>::full([2], 1.5)[0], c64::new(1.5, 0.0));
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn full<E>( // `Tensor::<F32, Rank2>::full([2, 3], 0.5)`, whatever `help` says; of `D`: `Tensor::<D, Rank1>::ones([n]) * 0.5`
        shape: impl IntoShape<N>,
        value: E,
    ) -> Self
    where
        D: DTypeFrom<E>,
    {
        or_panic(Self::try_full(shape, value))
    }

    /// [`Self::full`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::RankTooLarge`], [`Error::RankMismatch`], [`Error::OutOfMemory`];
    /// [`Error::LiteralOutOfRange`] for a number that the dtype does not have, as 1e5 in `F16`, if the rules refuse it.
    #[rustfmt::skip] // As above.
    pub fn try_full<E>( // `Tensor::<F32, Rank1>::try_full([n], x)?`, not as `help` says; of `D`: `Tensor::<D, Rank1>::ones([n]) * x`
        shape: impl IntoShape<N>,
        value: E,
    ) -> Result<Self, Error>
    where
        D: DTypeFrom<E>,
    {
        let value =
            <D::Element as ElementFrom<E>>::FROM("full", value, || R::RULE_SET.literal_policy())?;
        let array = Array::full(value, sizes("full", &shape)?);
        named("full", array.map(Self::from_array))
    }

    /// Makes a tensor of zeros (`false` for booleans).
    ///
    /// # Panics
    /// As [`Self::full`].
    ///
    /// ```
    /// use supremum::{Error, F32, I32, Rank2, Rank3, Tensor, tensor};
    /// let a: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    /// let sums = Tensor::<F32, Rank2>::zeros(a.shape());
    /// assert_eq!(sums.shape(), [2, 3]);
    /// let other = Tensor::<F32, Rank3>::try_full(a.shape(), 0.0);
    /// assert!(matches!(other, Err(Error::RankMismatch { expected: 3, .. })));
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn zeros(shape: impl IntoShape<N>) -> Self // `Tensor::<F32, Rank2>::zeros([2, 3])`, not as `help` says
    where
        D: StaticDType,
    {
        or_panic(Self::try_zeros(shape))
    }

    /// [`Self::zeros`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_full`].
    #[rustfmt::skip] // As above.
    pub fn try_zeros( // `Tensor::<F32, Rank2>::try_zeros([2, 3])?`, not as `help` says
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
    {
        named("zeros", Self::try_full(shape, cast(false)))
    }

    /// Makes a tensor of ones (`true` for booleans).
    ///
    /// # Panics
    /// As [`Self::full`].
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn ones(shape: impl IntoShape<N>) -> Self // `Tensor::<F32, Rank2>::ones([2, 3])`, not as `help` says
    where
        D: StaticDType,
    {
        or_panic(Self::try_ones(shape))
    }

    /// [`Self::ones`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_full`].
    #[rustfmt::skip] // As above.
    pub fn try_ones( // `Tensor::<F32, Rank2>::try_ones([2, 3])?`, not as `help` says
        shape: impl IntoShape<N>,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
    {
        named("ones", Self::try_full(shape, cast(true)))
    }

    /// Makes a tensor by calling `element` with each index. That is an array, `[usize; 2]` for the shape `[2, 3]`, or a slice if the shape
    /// is a slice.
    ///
    /// # Panics
    /// As [`Self::full`].
    ///
    /// ```
    /// use supremum::{I64, Rank2, Tensor};
    /// let table = Tensor::<I64, Rank2>::from_fn([2, 3], |[i, j]| (10 * i + j) as i64);
    /// assert_eq!(table.to_vec(), [0, 1, 2, 10, 11, 12]);
    /// let same: Tensor<I64, Rank2> = Tensor::from_fn(table.shape(), |at| (10 * at[0] + at[1]) as i64);
    /// assert_eq!(same, table);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn from_fn<Shape: IntoShape<N>>( // `from_fn([2, 3], |[i, j]| (i + j) as f32)`, not as `help` says
        shape: Shape,
        element: impl FnMut(Shape::Index<'_>) -> D::Element,
    ) -> Self
    where
        D: StaticDType,
    {
        or_panic(Self::try_from_fn(shape, element))
    }

    /// [`Self::from_fn`], fallible. The function itself cannot fail.
    ///
    /// # Errors
    /// The errors of [`Self::try_full`].
    #[rustfmt::skip] // As above.
    pub fn try_from_fn<Shape: IntoShape<N>>( // `try_from_fn([2, 3], |[i, j]| (i + j) as f32)?`, not as `help` says
        shape: Shape,
        mut element: impl FnMut(Shape::Index<'_>) -> D::Element,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
    {
        let shape = sizes("from_fn", &shape)?.to_vec();
        let mut index = vec![0; shape.len()];
        let array = Array::from_positions(&shape, |_| {
            let element = element(Shape::index_of(&index));
            for (position, size) in index.iter_mut().zip(&shape).rev() {
                *position += 1;
                if *position < *size {
                    break;
                }
                *position = 0;
            }
            element
        });
        named("from_fn", array.map(Self::from_array))
    }
}

/// Returns the sizes of a shape that has the rank. A slice can have another one, an array cannot.
///
/// # Errors
/// [`Error::RankMismatch`].
pub(crate) fn sizes<'a, N: Rank>(
    operation: &'static str,
    shape: &'a impl IntoShape<N>,
) -> Result<&'a [usize], Error> {
    let shape = shape.as_ref();
    match N::RANK {
        Some(expected) if expected != shape.len() => Err(Error::RankMismatch {
            operation,
            expected,
            shape: shape.to_vec(),
        }),
        _ => Ok(shape),
    }
}

/// # Construction of one rank
///
/// For tensors whose type states that rank or [`AnyRank`](super::AnyRank).
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Makes a tensor of rank 0. The value is given as to [`Self::full`].
    ///
    /// # Panics
    /// If the dtype does not have the number, with the text of [`Error::LiteralOutOfRange`].
    ///
    /// ```
    /// use supremum::{F32, Rank0, Tensor};
    /// let t = Tensor::<F32, Rank0>::scalar(2.5);
    /// assert_eq!((t.shape().len(), t.item()), (0, Ok(2.5)));
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn scalar<E>(value: E) -> Self // `Tensor::<F32, Rank0>::scalar(0.5)`, whatever `help` says
    where
        D: DTypeFrom<E>,
        Rank0: MayBe<N>,
    {
        or_panic(Self::try_scalar(value))
    }

    /// [`Self::scalar`], fallible.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] for a number that the dtype does not have; [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_scalar<E>(value: E) -> Result<Self, Error> // `Tensor::<F32, Rank0>::try_scalar(0.5)?`, whatever `help` says
    where
        D: DTypeFrom<E>,
        Rank0: MayBe<N>,
    {
        let value =
            <D::Element as ElementFrom<E>>::FROM("scalar", value, || R::RULE_SET.literal_policy())?;
        named("scalar", Array::full(value, &[])).map(Self::from_array)
    }

    /// Makes the numbers `start`, `start + step`, and so on, below `end` (above `end`, for a negative step). Element
    /// `i` is `start + i * step`, computed in `f64` and cast to the dtype.
    ///
    /// # Panics
    /// With the text of [`Self::try_arange`]'s error.
    ///
    /// ```
    /// use supremum::{I32, I64, F32, Rank1, Tensor};
    /// assert_eq!(Tensor::<I32>::arange(0, 10, 3).to_vec(), [0, 3, 6, 9]);
    /// let rows: Vec<f32> = vec![0.5, 1.5];
    /// assert_eq!(Tensor::<I64, Rank1>::arange(0, rows.len(), 1).to_vec(), [0, 1]);
    /// assert_eq!(Tensor::<F32, Rank1>::arange(1.0, 0.0, -0.25).to_vec(), [1.0, 0.75, 0.5, 0.25]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn arange( // `Tensor::<I64, Rank1>::arange(0, 10, 1)`, not as `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        step: impl FitsF64,
    ) -> Self
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        or_panic(Self::try_arange(start, end, step))
    }

    /// [`Self::arange`], fallible.
    ///
    /// # Errors
    /// [`Error::Arange`] if the step is zero, an argument is not finite, or there would be 2^48 elements or more;
    /// [`Error::ElementOutOfRange`] for an element that the dtype does not have, as 128 in `I8`; [`Error::InexactNumber`] for an integer
    /// above 2^53 that an `f64` rounds; [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_arange( // `Tensor::<I64, Rank1>::try_arange(0, 10, 1)?`, not as `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        step: impl FitsF64,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        let [start, end, step] = [
            start.to_f64("arange")?,
            end.to_f64("arange")?,
            step.to_f64("arange")?,
        ];
        sequence::arange(D::DTYPE, start, end, step).map(Self::from_array)
    }

    /// Makes `count` numbers in equal steps, the first `start` and the last `end`, as NumPy's and the Array API's
    /// `linspace`. Element `i` is `start + i * step`, computed in `f64` and cast to the dtype; a single one is `start`.
    ///
    /// # Panics
    /// With the text of [`Self::try_linspace`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor};
    /// let t = Tensor::<F32, Rank1>::linspace(0.0, 1.0, 5);
    /// assert_eq!(t.to_vec(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn linspace( // `Tensor::<F32, Rank1>::linspace(0.0, 1.0, 5)`, whatever `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Self
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        or_panic(Self::try_linspace(start, end, count))
    }

    /// [`Self::linspace`], fallible.
    ///
    /// # Errors
    /// [`Error::Linspace`] if an argument or their difference is not finite; [`Error::ElementOutOfRange`] for an element that the dtype
    /// does not have; [`Error::InexactNumber`] for an integer above 2^53 that an `f64` rounds; [`Error::ShapeTooLarge`];
    /// [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_linspace( // `Tensor::<F32, Rank1>::try_linspace(0.0, 1.0, 5)?`, whatever `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        let (start, end) = (start.to_f64("linspace")?, end.to_f64("linspace")?);
        sequence::linspace(D::DTYPE, start, end, count).map(Self::from_array)
    }

    /// Makes `count` powers of ten, whose exponents are [`Self::linspace`] from `start` to `end`. They are computed in `f64` and cast to
    /// the dtype.
    ///
    /// # Panics
    /// With the text of [`Self::try_logspace`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor};
    /// let rates = Tensor::<F32, Rank1>::logspace(0.0, 3.0, 4);
    /// assert_eq!(rates.to_vec(), [1.0, 10.0, 100.0, 1000.0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // As above.
    pub fn logspace( // `Tensor::<F32, Rank1>::logspace(0.0, 3.0, 4)`, whatever `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Self
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        or_panic(Self::try_logspace(start, end, count))
    }

    /// [`Self::logspace`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_linspace`].
    #[rustfmt::skip] // As above.
    pub fn try_logspace( // `Tensor::<F32, Rank1>::try_logspace(0.0, 3.0, 4)?`, whatever `help` says
        start: impl FitsF64,
        end: impl FitsF64,
        count: usize,
    ) -> Result<Self, Error>
    where
        D: StaticDType,
        Rank1: MayBe<N>,
    {
        let (start, end) = (start.to_f64("logspace")?, end.to_f64("logspace")?);
        sequence::logspace(D::DTYPE, start, end, count).map(Self::from_array)
    }

    /// Makes an identity matrix.
    ///
    /// # Panics
    /// As [`Self::full`].
    ///
    /// ```
    /// use supremum::{I32, Tensor};
    /// assert_eq!(Tensor::<I32>::eye(2).to_vec(), [1, 0, 0, 1]);
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn eye(size: usize) -> Self // a square: `eye(3)`
    where
        D: StaticDType,
        Rank2: MayBe<N>,
    {
        or_panic(Self::try_eye(size))
    }

    /// [`Self::eye`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_eye(size: usize) -> Result<Self, Error> // a square: `try_eye(3)?`
    where
        D: StaticDType,
        Rank2: MayBe<N>,
    {
        let one: D::Element = cast(true);
        named("eye", ScalarBits::new(one).eye(size)).map(Self::from_array)
    }
}
