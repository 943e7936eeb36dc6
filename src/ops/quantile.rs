//! `median` and `quantile`.

use std::borrow::Cow;

use crate::array::{Array, Datum, Dims, ScalarBits};
use crate::dtype::cast::cast as convert;
use crate::dtype::{DType, RealDType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::kernel::{BinaryOp, UnaryOp};
use crate::rank::{Axis, Rank, Rank0, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::Mean;
use crate::tensor::positions::axis_of;
use crate::tensor::{Tensor, or_panic};

/// The value of a quantile that lies between two elements: the `method` of NumPy's and JAX's `quantile`, and the `interpolation` of PyTorch's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QuantileMethod {
    /// The straight line between both.
    #[default]
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// The nearer one; in the middle, the one at an even position.
    Nearest,
    /// The mean of both.
    Midpoint,
}

/// The quantile that a caller asks for.
#[derive(Clone, Copy)]
pub(crate) enum Quantile {
    /// The median, which is NaN of no elements.
    Median,
    Of(f64, QuantileMethod),
}

/// The elements of a sorted axis that make a quantile.
enum Place {
    /// One element.
    At(usize),
    /// The element at a position and the next one, with the share of the latter.
    Between(usize, f64),
}

impl Quantile {
    fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Of(..) => "quantile",
        }
    }

    /// Finds the quantile's elements in a sorted axis of `size` elements, at least one.
    ///
    /// # Errors
    /// [`Error::QuantileOutOfRange`].
    fn place(self, size: usize) -> Result<Place, Error> {
        let (quantile, method) = match self {
            Self::Median => (0.5, QuantileMethod::Linear),
            Self::Of(quantile, method) => (quantile, method),
        };
        if !(0.0..=1.0).contains(&quantile) {
            return Err(Error::QuantileOutOfRange { quantile });
        }
        let last = size.saturating_sub(1);
        let position = quantile * convert::<u64, f64>(u64::try_from(last).unwrap_or(u64::MAX));
        let at = |position: f64| {
            let position = usize::try_from(convert::<f64, u64>(position));
            position.unwrap_or(usize::MAX).min(last)
        };
        let low = at(position.floor());
        let share = position - position.floor();
        Ok(match method {
            _ if share == 0.0 || low == last => Place::At(low),
            QuantileMethod::Linear => Place::Between(low, share),
            QuantileMethod::Midpoint => Place::Between(low, 0.5),
            QuantileMethod::Lower => Place::At(low),
            QuantileMethod::Higher => Place::At(low + 1),
            QuantileMethod::Nearest => Place::At(at(position.round_ties_even())),
        })
    }

    /// Computes the quantile along an axis, or of all elements; `keep` keeps the axes with size one.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] of complex numbers; [`Error::QuantileOutOfRange`], [`Error::AxisOutOfRange`],
    /// [`Error::EmptyReduction`], [`Error::OutOfMemory`].
    pub(crate) fn of(
        self,
        x: &Array,
        axis: Option<isize>,
        keep: bool,
        out: DType,
    ) -> Result<Array, Error> {
        let Some(axis) = axis else {
            return self.along(&exec::reshape(x, &[x.len()])?, 0, out);
        };
        let axis = axis_of(self.name(), axis, x.rank())?;
        let quantiles = self.along(x, axis, out)?;
        match keep {
            true => exec::unsqueeze(&quantiles, axis),
            false => Ok(quantiles),
        }
    }

    fn along(self, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
        let size = x.shape()[axis];
        let place = self.place(size)?;
        if size == 0 {
            return self.of_nothing(x, axis, out);
        }
        let positions = match place {
            Place::At(position) => [position; 2],
            Place::Between(low, _) => [low, low + 1],
        };
        let [low, high] = exec::order_statistics(self.name(), x, axis, positions)?;
        match place {
            Place::At(_) => exec::cast(Cow::Owned(low), out),
            Place::Between(_, share) => interpolated(low, high, share, out),
        }
    }

    /// The quantile of an axis of no elements: an error, also for a result without elements, as in NumPy. The median is NaN.
    fn of_nothing(self, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
        exec::require_current(self.name(), x)?;
        let shape: Dims = x.dims().removed(axis);
        if matches!(self, Self::Of(..)) {
            return Err(Error::EmptyReduction {
                operation: self.name(),
                shape: x.shape().to_vec(),
            });
        }
        ScalarBits::of(out, f64::NAN).full(&shape)
    }
}

/// Returns the numbers between two others, in `f64` and rounded once. As in NumPy, the nearer one is the start, so that the results do not
/// leave the interval.
fn interpolated(low: Array, high: Array, share: f64, out: DType) -> Result<Array, Error> {
    let dtype = DType::F64;
    let low = exec::cast(Cow::Owned(low), dtype)?;
    let high = exec::cast(Cow::Owned(high), dtype)?;
    fn datum(array: &Array) -> Datum<'_> {
        Datum::Array(Cow::Borrowed(array))
    }
    let binary = |op, a: Datum<'_>, b: Datum<'_>| exec::binary(op, dtype, dtype, a, b).array();
    let scaled = |x: &Array, by: f64| {
        let by = Datum::ScalarBits(ScalarBits::new(by));
        binary(BinaryOp::Mul, datum(x), by)
    };
    let distance = binary(BinaryOp::Sub, datum(&high), datum(&low))?;
    let between = match share < 0.5 {
        true => {
            let step = scaled(&distance, share)?;
            binary(BinaryOp::Add, datum(&low), datum(&step))?
        }
        false => {
            let step = scaled(&distance, 1.0 - share)?;
            binary(BinaryOp::Sub, datum(&high), datum(&step))?
        }
    };
    // The distance of infinities, and that of numbers far apart, is not finite; these are weighed.
    let (lower, higher) = (scaled(&low, 1.0 - share)?, scaled(&high, share)?);
    let weighed = binary(BinaryOp::Add, datum(&lower), datum(&higher))?;
    let distance = Cow::Owned(distance);
    let is_finite = exec::unary(UnaryOp::IsFinite, dtype, DType::Bool, distance).array()?;
    exec::select(
        Cow::Owned(is_finite),
        dtype,
        out,
        datum(&between),
        datum(&weighed),
    )
    .array()
}

/// Writes the forms of each method, and the `try_` form of each.
macro_rules! quantiles {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        ($($argument:ident: $type:ty),*) => $quantile:expr, errors $errors:literal
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Quantiles
        ///
        /// Each has three forms: over all elements, along one axis, which is removed, and `keepdims`, which keeps the axis with size one.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            #[doc = concat!($what, " of all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            /// `Out` is inferred: it is what [`Mean`] gives for `D`, as for [`Self::mean`].
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $all<Out>(&self $(, $argument: $type)*) -> Tensor<Out, Rank0, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_all($($argument),*))
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_all<Out>(&self $(, $argument: $type)*) -> Result<Tensor<Out, Rank0, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                $quantile.of(self.array(), None, false, Out::DTYPE).map(Tensor::from_array)
            }

            #[doc = concat!($what, " along an axis (counted from the end if negative), which is removed; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis<Out, M>(&self $(, $argument: $type)*, axis: impl Axis) -> Tensor<Out, M, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                N: RemoveAxis<Output = M>,
                Out: StaticDType,
                M: Rank,
            {
                or_panic(self.$try_axis($($argument,)* axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            #[doc = concat!("[`Error::AxisOutOfRange`]; ", $errors)]
            pub fn $try_axis<Out, M>(&self $(, $argument: $type)*, axis: impl Axis) -> Result<Tensor<Out, M, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                N: RemoveAxis<Output = M>,
                Out: StaticDType,
                M: Rank,
            {
                $quantile.of(self.array(), Some(axis.to_signed()), false, Out::DTYPE).map(Tensor::from_array)
            }

            #[doc = concat!($what, " along an axis, which the result keeps with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_keepdims), "`]'s error.")]
            #[track_caller]
            pub fn $keepdims<Out>(&self $(, $argument: $type)*, axis: impl Axis) -> Tensor<Out, N, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_keepdims($($argument,)* axis))
            }

            #[doc = concat!("[`Self::", stringify!($keepdims), "`], fallible.")]
            ///
            /// # Errors
            #[doc = concat!("[`Error::AxisOutOfRange`]; ", $errors)]
            pub fn $try_keepdims<Out>(&self $(, $argument: $type)*, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                $quantile.of(self.array(), Some(axis.to_signed()), true, Out::DTYPE).map(Tensor::from_array)
            }
        )*}
    }};
}

/// The list of quantiles, for typed and dynamic tensors: documentation, names of the forms, arguments, the quantile, errors and an example.
macro_rules! each_quantile {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Of an even number of elements it is the mean of the two in the middle, as in NumPy and JAX. (PyTorch's `median` is the lower
            /// of them.) It is computed in `f64` and rounded once. NaN if there is one, and of no elements.
            "The median" median try_median median_axis try_median_axis median_keepdims try_median_keepdims
            () => Quantile::Median, errors "[`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]];
                /// assert_eq!(t.median().item(), Ok(3.5));
                /// assert_eq!(t.median_axis(1).to_vec(), [2.0, 5.0]);
                /// ```
            }
            /// A quantile of 0 is the smallest element, one of 1 the greatest. If it lies between two elements, the method decides; the
            /// methods are those of NumPy's `quantile`. It is computed in `f64` and rounded once. NaN if there is one.
            "A quantile"
            quantile try_quantile quantile_axis try_quantile_axis quantile_keepdims try_quantile_keepdims // `QuantileMethod::Linear`
            (quantile: f64, method: QuantileMethod) => Quantile::Of(quantile, method),
            errors "[`Error::QuantileOutOfRange`] if the quantile is not between 0 and 1; [`Error::EmptyReduction`]; [`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, QuantileMethod, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![4.0, 1.0, 2.0, 3.0];
                /// assert_eq!(t.quantile(0.25, QuantileMethod::Linear).item(), Ok(1.75));
                /// assert_eq!(t.quantile(0.25, QuantileMethod::Lower).item(), Ok(1.0));
                /// ```
            }
        }
    };
}

pub(crate) use each_quantile;

each_quantile!(quantiles! here);
