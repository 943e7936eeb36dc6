//! `median` and `quantile`, and their forms that skip NaN.

use core::ops::Range;
use std::borrow::Cow;

use super::quantile_rows::{Numbers, QuantileMethod, interpolated};
use crate::array::{Array, Dims, ScalarBits};
use crate::dtype::cast::cast as convert;
use crate::dtype::{DType, Kind, RealDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::AxisSplit;
use crate::ops::quantile_list::{Quantiles, Request};
use crate::ops::reduce::some_axes_of;
use crate::rank::{Axes, Rank, Rank0, RemoveAxes};
use crate::rules::Rules;
use crate::rules::operations::Mean;
use crate::tensor::{Tensor, or_panic};

/// A median, a quantile or a list of quantiles, as a method computes it.
#[derive(Clone, Copy)]
pub(crate) enum Quantile<'a> {
    /// The median, which is NaN of no elements.
    Median,
    Of(Request<'a>, QuantileMethod),
    /// The median of the elements that are not NaN.
    NanMedian,
    /// Quantiles of the elements that are not NaN, which are NaN if there are none.
    NanOf(Request<'a>, QuantileMethod),
}

/// The elements of a sorted axis that make a quantile.
enum Place {
    /// One element.
    At(usize),
    /// The element at a position and the next one, with the share of the latter.
    Between(usize, f64),
}

impl<'a> Quantile<'a> {
    fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Of(..) => "quantile",
            Self::NanMedian => "nan_median",
            Self::NanOf(..) => "nan_quantile",
        }
    }

    /// Returns the quantiles, all of them from 0 to 1, and their method.
    ///
    /// # Errors
    /// [`Error::QuantileOutOfRange`].
    fn request(self) -> Result<(Request<'a>, QuantileMethod), Error> {
        let (request, method) = match self {
            Self::Median | Self::NanMedian => (Request::One(0.5), QuantileMethod::Linear),
            Self::Of(request, method) | Self::NanOf(request, method) => (request, method),
        };
        let mut quantiles = request.as_slice().iter();
        match quantiles.find(|quantile| !(0.0..=1.0).contains(*quantile)) {
            None => Ok((request, method)),
            Some(&quantile) => Err(Error::QuantileOutOfRange {
                operation: self.name(),
                quantile,
            }),
        }
    }

    fn skips_nan(self) -> bool {
        matches!(self, Self::NanMedian | Self::NanOf(..))
    }

    /// Computes the quantile along axes, or of all elements; `keep_dims` keeps the axes with size one. Of a list, the results lie along a
    /// first axis.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] of complex numbers; [`Error::QuantileOutOfRange`], [`Error::AxisOutOfRange`],
    /// [`Error::RepeatedAxis`], [`Error::EmptyReduction`], [`Error::OutOfMemory`].
    pub(crate) fn of(
        self,
        x: &Array,
        axes: Option<&[isize]>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        let named_axes = some_axes_of(self.name(), axes, x.rank())?;
        let (request, _) = self.request()?;
        let quantiles = match named_axes.as_deref() {
            None => self.along(&exec::reshape(x, &[x.len()])?, 0, out),
            Some([axis]) => self.along(x, *axis, out),
            // Each element is a group of its own. An axis more for it would be above the limit of ranks.
            Some([]) => self.along(&exec::reshape(x, &[x.len(), 1])?, 1, out),
            Some(axes) => {
                let joined = named(self.name(), joined(x, axes))?;
                self.along(&joined, joined.rank() - 1, out)
            }
        };
        let quantiles = quantiles.map_err(|error| match error {
            Error::EmptyReduction { operation, .. } => Error::EmptyReduction {
                operation,
                shape: x.shape().to_vec(), // not that of the joined axes
            },
            error => error,
        })?;
        let all_axes: Vec<usize> = (0..x.rank()).collect();
        let reduced = named_axes.as_deref().unwrap_or(&all_axes);
        let shape = AxisSplit::new(self.name(), x.dims(), reduced, keep_dims)?.result;
        match request {
            Request::One(_) if quantiles[0].shape() != &*shape => {
                exec::reshape(&quantiles[0], &shape)
            }
            Request::One(_) => Ok(quantiles[0].clone()),
            Request::List(_) => named(self.name(), stacked(&quantiles, &shape, out)),
        }
    }

    /// Computes each of the quantiles along an axis, which is removed.
    fn along(self, x: &Array, axis: usize, out: DType) -> Result<Vec<Array>, Error> {
        let (request, method) = self.request()?;
        let quantiles = request.as_slice();
        let size = x.shape()[axis];
        if size == 0 {
            let empty = self.of_nothing(x, axis, out)?;
            return Ok(vec![empty; quantiles.len()]);
        }
        if self.skips_nan() && x.dtype().kind() == Kind::Float {
            let rows = Numbers::new(self.name(), x, axis)?;
            let each = quantiles
                .iter()
                .map(|quantile| rows.quantile(*quantile, method, out));
            return each.collect();
        }
        let places = quantiles
            .iter()
            .map(|quantile| Place::new(size, *quantile, method));
        let places: Vec<Place> = places.collect();
        // The elements of all quantiles are found together: each partition of the elements serves several of them.
        let mut positions: Vec<usize> = places.iter().flat_map(|place| place.positions()).collect();
        positions.sort_unstable();
        positions.dedup();
        let elements = match positions.is_empty() {
            true => Vec::new(),
            false => exec::order_statistics(self.name(), x, axis, &positions)?,
        };
        let element = |place: usize| elements[positions.partition_point(|at| *at < place)].clone();
        let each = places.iter().map(|place| match *place {
            Place::At(low) => exec::cast(Cow::Owned(element(low)), out),
            Place::Between(low, share) => interpolated(element(low), element(low + 1), share, out),
        });
        each.collect()
    }

    /// The quantile of an axis of no elements: an error, also for a result without elements, as in NumPy. The median and the
    /// quantiles that skip NaN are NaN.
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

impl Place {
    /// The positions of its elements.
    fn positions(&self) -> Range<usize> {
        match *self {
            Self::At(position) => position..position + 1,
            Self::Between(low, _) => low..low + 2,
        }
    }

    /// Finds the elements of a quantile in a sorted axis of `size` elements, at least one.
    fn new(size: usize, quantile: f64, method: QuantileMethod) -> Self {
        let last = size.saturating_sub(1);
        let position = quantile * convert::<u64, f64>(u64::try_from(last).unwrap_or(u64::MAX));
        let at = |position: f64| {
            let position = usize::try_from(convert::<f64, u64>(position));
            position.unwrap_or(usize::MAX).min(last)
        };
        let low = at(position.floor());
        let share = position - position.floor();
        match method {
            _ if share == 0.0 || low == last => Self::At(low),
            QuantileMethod::Linear => Self::Between(low, share),
            QuantileMethod::Midpoint => Self::Between(low, 0.5),
            QuantileMethod::Lower => Self::At(low),
            QuantileMethod::Higher => Self::At(low + 1),
            QuantileMethod::Nearest => Self::At(at(position.round_ties_even())),
        }
    }
}

/// Puts quantiles of one shape along a new first axis.
fn stacked(quantiles: &[Array], shape: &[usize], out: DType) -> Result<Array, Error> {
    let with_first_axis = |size: usize| [&[size], shape].concat();
    if quantiles.is_empty() {
        let nothing = ScalarBits::of(out, 0.0).full(&Dims::new(&[0])?)?;
        return exec::reshape(&nothing, &with_first_axis(0));
    }
    let row = with_first_axis(1);
    let rows = quantiles
        .iter()
        .map(|quantile| exec::reshape(quantile, &row));
    let rows: Vec<Array> = rows.collect::<Result<_, _>>()?;
    match &rows[..] {
        [only] => Ok(only.clone()),
        rows => exec::concat(&rows.iter().collect::<Vec<_>>(), 0, out),
    }
}

/// Moves several axes to the end and makes one of them.
fn joined(x: &Array, axes: &[usize]) -> Result<Array, Error> {
    let others = (0..x.rank()).filter(|axis| !axes.contains(axis));
    let mut order = *x.dims();
    for (to, axis) in order.iter_mut().zip(others.chain(axes.iter().copied())) {
        *to = axis;
    }
    let moved = exec::permute(x, &order)?;
    let kept = x.rank() - axes.len();
    let (others, joined) = moved.shape().split_at(kept);
    exec::reshape(&moved, &[others, &[joined.iter().product()]].concat())
}

/// Writes the forms of each method, and the `try_` form of each.
macro_rules! quantiles {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        [$($Q:ident $Quantiles:ident $Joined:ident)?] ($($argument:ident: $type:ty | $dynamic:ty),*) => $quantile:expr, errors $errors:literal
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Quantiles
        ///
        /// Each has the forms of a reduction: over all elements, along axes, which are removed, and `keepdims`, which keeps them with size
        /// one.
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
            pub fn $all<Out $(, $Q)?>(&self $(, $argument: $type)*) -> Tensor<Out, $(<$Q as $Quantiles<)? Rank0 $(>>::$Joined)?, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                $($Q: $Quantiles<Rank0>,)?
            {
                or_panic(self.$try_all($($argument),*))
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_all<Out $(, $Q)?>(&self $(, $argument: $type)*) -> Result<Tensor<Out, $(<$Q as $Quantiles<)? Rank0 $(>>::$Joined)?, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                $($Q: $Quantiles<Rank0>,)?
            {
                $quantile.of(self.array(), None, false, Out::DTYPE).map(Tensor::from_array)
            }

            #[doc = concat!($what, " along one axis, several, or all (`..`), which are removed; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis<Out, A $(, $Q)?>(&self $(, $argument: $type)*, axes: A) -> Tensor<Out, $(<$Q as $Quantiles<)? A::Output $(>>::$Joined)?, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
                $($Q: $Quantiles<A::Output>,)?
            {
                or_panic(self.$try_axis($($argument,)* axes))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            #[doc = concat!("[`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; ", $errors)]
            pub fn $try_axis<Out, A $(, $Q)?>(&self $(, $argument: $type)*, axes: A) -> Result<Tensor<Out, $(<$Q as $Quantiles<)? A::Output $(>>::$Joined)?, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
                $($Q: $Quantiles<A::Output>,)?
            {
                named(stringify!($axis), $quantile.of(self.array(), axes.numbers().as_slice(), false, Out::DTYPE)).map(Tensor::from_array)
            }

            #[doc = concat!($what, " along axes that the result keeps with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_keepdims), "`]'s error.")]
            #[track_caller]
            pub fn $keepdims<Out $(, $Q)?>(&self $(, $argument: $type)*, axes: impl Axes) -> Tensor<Out, $(<$Q as $Quantiles<)? N $(>>::$Joined)?, R>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                $($Q: $Quantiles<N>,)?
            {
                or_panic(self.$try_keepdims($($argument,)* axes))
            }

            #[doc = concat!("[`Self::", stringify!($keepdims), "`], fallible.")]
            ///
            /// # Errors
            #[doc = concat!("[`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; ", $errors)]
            pub fn $try_keepdims<Out $(, $Q)?>(&self $(, $argument: $type)*, axes: impl Axes) -> Result<Tensor<Out, $(<$Q as $Quantiles<)? N $(>>::$Joined)?, R>, Error>
            where
                D: RealDType + Mean<R::Operations, Output = Out>,
                Out: StaticDType,
                $($Q: $Quantiles<N>,)?
            {
                named(stringify!($keepdims), $quantile.of(self.array(), axes.numbers().as_slice(), true, Out::DTYPE)).map(Tensor::from_array)
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
            "The median"
            median try_median // along axes `median_axis(0)`, `median_axis([0, 1])` or `median_keepdims(0)`, not as `help` says
            median_axis try_median_axis // several axes `median_axis([0, 1])`; kept `median_keepdims(0)`; not as `help` says
            median_keepdims try_median_keepdims // several axes `median_keepdims([0, 1])`, not as `help` says
            [] () => Quantile::Median, errors "[`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]];
                /// assert_eq!(t.median().item(), Ok(3.5));
                /// assert_eq!(t.median_axis(1).to_vec(), [2.0, 5.0]);
                /// ```
            }
            /// A quantile of 0 is the smallest element, one of 1 the greatest. If it lies between two elements, the method decides; the
            /// methods are those of NumPy's `quantile`. A method that interpolates between an infinity and a finite number gives that
            /// infinity, where NumPy's can give NaN. It is computed in `f64` and rounded once. NaN if there is one. Of several quantiles,
            /// `[0.25, 0.75]`, the result has a first axis with a place for each ([`Quantiles`](crate::Quantiles)).
            "A quantile"
            quantile try_quantile // method: `supremum::QuantileMethod::Linear`
            quantile_axis try_quantile_axis // method: `supremum::QuantileMethod::Linear`
            quantile_keepdims try_quantile_keepdims // method: `supremum::QuantileMethod::Linear`
            [Q Quantiles Output] (quantile: Q | impl Quantiles<AnyRank>, method: QuantileMethod | QuantileMethod)
            => Quantile::Of(quantile.request(), method),
            errors "[`Error::QuantileOutOfRange`] if the quantile is not between 0 and 1; [`Error::EmptyReduction`]; [`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, QuantileMethod, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![4.0, 1.0, 2.0, 3.0];
                /// assert_eq!(t.quantile(0.25, QuantileMethod::Linear).item(), Ok(1.75));
                /// assert_eq!(t.quantile(0.25, QuantileMethod::Lower).item(), Ok(1.0));
                /// assert_eq!(t.quantile([0.0, 0.5], QuantileMethod::Linear).to_vec(), [1.0, 2.5]);
                /// ```
            }
            /// The median of the others, if some elements are NaN, as NumPy's and PyTorch's `nanmedian` (PyTorch's is the lower of two in
            /// the middle). NaN if all are, and of no elements. Integers have no NaN.
            "The median of the elements that are not NaN,"
            nan_median try_nan_median // along axes `nan_median_axis(0)`, `nan_median_axis([0, 1])`, not as `help` says
            nan_median_axis try_nan_median_axis // axes `nan_median_axis([0, 1])`; kept `nan_median_keepdims(0)`; not as `help` says
            nan_median_keepdims try_nan_median_keepdims // several axes `nan_median_keepdims([0, 1])`, not as `help` says
            [] () => Quantile::NanMedian, errors "[`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, Rank2, Tensor, tensor};
                /// let t: Tensor<F32, Rank2> = tensor![[3.0, f32::NAN, 1.0], [4.0, 6.0, 5.0]];
                /// assert_eq!(t.nan_median_axis(1).to_vec(), [2.0, 5.0]);
                /// assert_eq!(t.nan_median().item(), Ok(4.0));
                /// ```
            }
            /// The quantile of the others, if some elements are NaN, as NumPy's, JAX's and PyTorch's `nanquantile`. NaN if all are, and
            /// of no elements. It takes several quantiles as [`Self::quantile`] does. A method that interpolates between an infinity and a
            /// finite number gives that infinity, where NumPy's can give NaN.
            "A quantile of the elements that are not NaN,"
            nan_quantile try_nan_quantile // method: `supremum::QuantileMethod::Linear`
            nan_quantile_axis try_nan_quantile_axis // method: `supremum::QuantileMethod::Linear`
            nan_quantile_keepdims try_nan_quantile_keepdims // method: `supremum::QuantileMethod::Linear`
            [Q Quantiles Output] (quantile: Q | impl Quantiles<AnyRank>, method: QuantileMethod | QuantileMethod)
            => Quantile::NanOf(quantile.request(), method),
            errors "[`Error::QuantileOutOfRange`] if the quantile is not between 0 and 1; [`Error::OutOfMemory`]."
            {
                /// ```
                /// use supremum::{F32, QuantileMethod, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![4.0, f32::NAN, 1.0, 2.0, 3.0];
                /// assert_eq!(t.nan_quantile(0.25, QuantileMethod::Linear).item(), Ok(1.75));
                /// let t: Tensor<F32> = tensor![1.0, f32::NAN, f32::INFINITY];
                /// assert_eq!(t.nan_quantile(0.75, QuantileMethod::Linear).item(), Ok(f32::INFINITY));
                /// ```
            }
        }
    };
}

pub(crate) use each_quantile;

each_quantile!(quantiles! here);
