//! Pooling along one spatial axis and two.
//!
//! The elements at one place of all windows are a slice of the operand, with the stride as its step. Pooling combines such slices along
//! the last axis, and then slices of the result along the axis before. So a window of 64 by 64 elements takes 128 slices. Pooling is written
//! with operations that traces record.

use std::borrow::Cow;

use super::conv::check_rank;
use super::padding::{IntoPoolPadding, PoolPadding};
use crate::array::{Array, Datum, Dims, ScalarBits};
use crate::dtype::cast::cast as convert;
use crate::dtype::{DType, Kind, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{BinaryOp, SPATIAL, Windows};
use crate::rank::{MayBe, Rank, Rank3, Rank4};
use crate::rules::Rules;
use crate::rules::operations::{Mean, MinMaxReduce};
use crate::tensor::{Tensor, or_panic};

/// The windows of a pooling over `N` spatial axes, a number for each axis.
///
/// ```
/// use supremum::PoolOptions;
/// let options = PoolOptions::new([2, 2]).padding([1, 0]);
/// assert_eq!(options, PoolOptions { size: [2, 2], stride: [2, 2], padding: [1, 0], dilation: [1, 1] });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolOptions<const N: usize, P = [usize; N]> {
    /// The number of elements of a window along each axis.
    pub size: [usize; N],
    /// The distance between neighbouring windows; the size unless set.
    pub stride: [usize; N],
    /// The positions added on the sides of each axis, a [`WindowPadding`](crate::WindowPadding) or [`PoolPadding`](crate::PoolPadding); none unless set.
    pub padding: P,
    /// The distance between neighbouring elements of a window; 1 unless set.
    pub dilation: [usize; N],
}

impl<const N: usize> PoolOptions<N> {
    /// Makes the options of windows of this size that lie side by side.
    pub const fn new(size: [usize; N]) -> Self {
        Self {
            size,
            stride: size,
            padding: [0; N],
            dilation: [1; N],
        }
    }
}

impl<const N: usize, P: Copy> PoolOptions<N, P> {
    /// Sets the stride.
    #[must_use]
    pub const fn stride(self, stride: [usize; N]) -> Self {
        Self { stride, ..self }
    }

    /// Sets the padding: a number for both sides of each axis, `[1, 2]`, two for its sides, `[[1, 0], [2, 2]]`, or
    /// [`SamePadding`](crate::SamePadding). [`PoolPadding`](crate::PoolPadding) is for PyTorch's `ceil_mode` and `count_include_pad`.
    #[must_use]
    pub const fn padding<Q: Copy>(self, padding: Q) -> PoolOptions<N, Q> {
        PoolOptions {
            size: self.size,
            stride: self.stride,
            padding,
            dilation: self.dilation,
        }
    }

    /// Sets the dilation.
    #[must_use]
    pub const fn dilation(self, dilation: [usize; N]) -> Self {
        Self { dilation, ..self }
    }
}

impl<const N: usize, P: IntoPoolPadding<N>> PoolOptions<N, P> {
    fn padding_at_run_time(self) -> PoolOptions<N, PoolPadding<N>> {
        self.padding(self.padding.into_pool_padding())
    }
}

impl<const N: usize, P> PoolOptions<N, P> {
    fn windows<'a>(&'a self, padding: &'a [[usize; 2]; N]) -> Windows<'a> {
        Windows {
            sizes: &self.size,
            strides: &self.stride,
            padding,
            dilation: &self.dilation,
        }
    }
}

/// The reduction of a window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pool {
    Maximum,
    Mean,
}

impl Pool {
    /// The dtype in which elements are combined: for means that of sums.
    fn compute(self, x: DType, out: DType) -> DType {
        match self {
            Self::Maximum => x,
            Self::Mean if x.kind() == Kind::Complex => DType::C128,
            Self::Mean if x.is_small_float() && out != DType::F64 => DType::F32,
            Self::Mean => DType::F64,
        }
    }

    const fn op(self) -> BinaryOp {
        match self {
            Self::Maximum => BinaryOp::Max,
            Self::Mean => BinaryOp::Add,
        }
    }
}

/// Pools an array whose first axes are those of examples and channels.
pub(crate) fn pool<const N: usize>(
    operation: &'static str,
    pool: Pool,
    x: &Array,
    options: PoolOptions<N, impl IntoPoolPadding<N>>,
    out: DType,
) -> Result<Array, Error> {
    let options = options.padding_at_run_time();
    named(operation, pooled(operation, pool, x, &options, out))
}

fn pooled<const N: usize>(
    operation: &'static str,
    pool: Pool,
    x: &Array,
    options: &PoolOptions<N, PoolPadding<N>>,
    out: DType,
) -> Result<Array, Error> {
    check_rank::<N>(operation, x)?;
    let placement = Placement::new(operation, x, options)?;
    let compute = pool.compute(x.dtype(), out);
    let combined = combined(pool, x, options, &placement, compute)?;
    match pool {
        Pool::Maximum => exec::cast(Cow::Owned(combined), out),
        Pool::Mean => {
            let sums = Datum::owned(combined);
            let counts = divisor(&x.shape()[SPATIAL..], options, &placement, compute)?;
            exec::binary(BinaryOp::Div, compute, out, sums, counts).array()
        }
    }
}

/// The places of a pooling's windows.
struct Placement<const N: usize> {
    /// The padding that the options ask for.
    padding: [[usize; 2]; N],
    /// The same, and behind it the positions that windows reach in `ceil_mode`.
    reached: [[usize; 2]; N],
    /// The shape of the result: a position for each window.
    positions: Dims,
}

impl<const N: usize> Placement<N> {
    fn new(
        operation: &'static str,
        x: &Array,
        options: &PoolOptions<N, PoolPadding<N>>,
    ) -> Result<Self, Error> {
        let axes = &x.shape()[SPATIAL..];
        let sides = options.padding.sides;
        let padding = sides.of_windows(axes, &options.size, options.stride, options.dilation);
        let windows = options.windows(&padding);
        let mut reached = padding;
        let mut positions = windows.positions(operation, x.dims())?;
        if options.padding.ceil_mode {
            for (axis, size) in axes.iter().enumerate() {
                let more = windows.missing(axis, *size, positions[SPATIAL + axis]);
                reached[axis][1] = reached[axis][1].saturating_add(more);
            }
            positions = options.windows(&reached).positions(operation, x.dims())?;
        }
        Ok(Self {
            padding,
            reached,
            positions,
        })
    }
}

/// Combines the elements of each window: first those of its rows, and then the rows.
fn combined<const N: usize>(
    pool: Pool,
    x: &Array,
    options: &PoolOptions<N, PoolPadding<N>>,
    placement: &Placement<N>,
    compute: DType,
) -> Result<Array, Error> {
    let mut padded = x.clone();
    if let Some(padding) = options.windows(&placement.reached).padding_of_axes() {
        let value = match pool {
            Pool::Maximum => ScalarBits::extremes(x.dtype())[0],
            Pool::Mean => ScalarBits::of(x.dtype(), false),
        };
        padded = exec::pad(&padded, &padding, value)?;
    }
    let axes = CombinedAxes {
        op: pool.op(),
        compute,
        options,
        positions: &placement.positions,
    };
    let combined = axes.combined_from(0, &padded)?;
    exec::cast(Cow::Owned(combined), compute)
}

/// Combines the elements of each window, along one axis after the other.
struct CombinedAxes<'a, const N: usize> {
    op: BinaryOp,
    compute: DType,
    options: &'a PoolOptions<N, PoolPadding<N>>,
    /// The shape of the result.
    positions: &'a Dims,
}

impl<const N: usize> CombinedAxes<'_, N> {
    /// Combines the elements of each window along the spatial axes from this one on, those along the last axis first.
    fn combined_from(&self, axis: usize, x: &Array) -> Result<Array, Error> {
        if axis == N {
            return Ok(x.clone());
        }
        // Windows that touch or overlap share rows. Of others, rows between them would be combined in vain.
        let rows_are_shared = self.options.stride[axis] <= self.options.size[axis];
        let rows = match rows_are_shared {
            true => self.combined_from(axis + 1, x)?,
            false => x.clone(),
        };
        let at_place = |place: usize| {
            let slice = self.at_place(&rows, axis, place)?;
            match rows_are_shared {
                true => Ok(slice),
                false => self.combined_from(axis + 1, &slice),
            }
        };
        // A result without elements needs no more places than one: there may be more of them than could be counted.
        let places = match self.positions.contains(&0) {
            true => 1,
            false => self.options.size[axis],
        };
        let mut combined = at_place(0)?;
        for place in 1..places {
            let [a, b] = [combined, at_place(place)?].map(Datum::owned);
            combined = exec::binary(self.op, self.compute, self.compute, a, b).array()?;
        }
        Ok(combined)
    }

    /// Takes the elements at one place of all windows along a spatial axis.
    fn at_place(&self, x: &Array, axis: usize, place: usize) -> Result<Array, Error> {
        let start = place * self.options.dilation[axis];
        let end = start + (self.positions[SPATIAL + axis] - 1) * self.options.stride[axis] + 1;
        let [start, end] = [start, end].map(usize::cast_signed);
        // A stride beyond the axis makes no second position.
        let step = isize::try_from(self.options.stride[axis]).unwrap_or(isize::MAX);
        exec::slice(x, SPATIAL + axis, start, end, step)
    }
}

/// Returns the number by which the sum of each window is divided.
fn divisor<const N: usize>(
    axes: &[usize],
    options: &PoolOptions<N, PoolPadding<N>>,
    placement: &Placement<N>,
    compute: DType,
) -> Result<Datum<'static>, Error> {
    let Placement {
        padding,
        reached,
        positions,
    } = placement;
    let count_include_pad = options.padding.count_include_pad;
    let all_count = reached == padding && (count_include_pad || *padding == [[0; 2]; N]);
    if all_count || positions.contains(&0) {
        let count: usize = options.size.iter().product();
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        return Ok(Datum::ScalarBits(ScalarBits::of(compute, count)));
    }
    let counted = std::array::from_fn(|axis| {
        let [before, behind] = padding[axis];
        match count_include_pad {
            true => [0, axes[axis] + before + behind],
            false => [before, before + axes[axis]],
        }
    });
    let counts = counts(options, &positions[SPATIAL..], counted)?;
    let counts = exec::cast(Cow::Owned(counts), compute)?;
    Ok(Datum::owned(counts))
}

/// Returns the number of each window's elements that count, in `f64` and for one example and channel. They lie between two positions of each
/// axis, from the start of its padding on.
fn counts<const N: usize>(
    options: &PoolOptions<N, PoolPadding<N>>,
    positions: &[usize],
    counted: [[usize; 2]; N],
) -> Result<Array, Error> {
    let along = |axis: usize, position: usize| {
        let start = position * options.stride[axis];
        let before = |end: usize| {
            let places = end.saturating_sub(start).div_ceil(options.dilation[axis]);
            places.min(options.size[axis])
        };
        let [first, end] = counted[axis];
        before(end) - before(first)
    };
    let shape = [&[1, 1], positions].concat();
    let shape = &shape[..];
    Array::from_positions(shape, |at| {
        let mut left = at;
        let mut count = 1;
        for axis in (0..N).rev() {
            count *= along(axis, left % positions[axis]);
            left /= positions[axis];
        }
        convert::<u64, f64>(u64::try_from(count).unwrap_or(u64::MAX))
    })
}

macro_rules! poolings {
    ($here:ident: $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $spatial:literal $Rank:ident: $group:ident $Pool:ident $shapes:literal
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Pooling
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            #[doc = $shapes]
            #[doc = concat!("`Out` is inferred: it is the result of [`", stringify!($group), "`](crate::operations::", stringify!($group), ") for `D`.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name<Out>(&self, options: PoolOptions<$spatial, impl IntoPoolPadding<$spatial>>) -> Tensor<Out, $Rank, R>
            where
                D: $group<R::Operations, Output = Out>,
                Out: StaticDType,
                N: MayBe<$Rank>,
            {
                or_panic(self.$try_name(options))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::RankMismatch`] of [`AnyRank`](crate::AnyRank); [`Error::ZeroWindow`] for a size, stride or dilation of zero;
            /// [`Error::WindowTooLarge`] if a window does not fit the padded operand; [`Error::ShapeTooLarge`],
            /// [`Error::OutOfMemory`].
            pub fn $try_name<Out>(&self, options: PoolOptions<$spatial, impl IntoPoolPadding<$spatial>>) -> Result<Tensor<Out, $Rank, R>, Error>
            where
                D: $group<R::Operations, Output = Out>,
                Out: StaticDType,
                N: MayBe<$Rank>,
            {
                let array = pool(stringify!($name), Pool::$Pool, self.array(), options, Out::DTYPE)?;
                Ok(Tensor::from_array(array))
            }
        )*}
    }};
}

poolings! {
    here:
    /// The greatest element of each window; NaN if there is one. Padding holds the lowest value of the dtype (-inf of floats that have it).
    max_pool1d try_max_pool1d 1 Rank3: MinMaxReduce Maximum // `x.max_pool1d(PoolOptions::new([2]))`
    "The operand has shape `[examples, channels, length]`, the result `[examples, channels, positions]`." {
        /// ```
        /// use supremum::{I8, PoolOptions, Rank3, Tensor, tensor};
        /// let t: Tensor<I8, Rank3> = tensor![[[1, -5, 3, 2, 9]]];
        /// assert_eq!(t.max_pool1d(PoolOptions::new([2])).to_vec(), [1, 3]);
        /// assert_eq!(t.max_pool1d(PoolOptions::new([3]).stride([1])).to_vec(), [3, 3, 9]);
        /// ```
    }
    /// The greatest element of each window; NaN if there is one. Padding holds the lowest value of the dtype (-inf of floats that have it).
    max_pool2d try_max_pool2d 2 Rank4: MinMaxReduce Maximum // `x.max_pool2d(PoolOptions::new([2, 2]))`
    "The operand has shape `[examples, channels, height, width]`, the result `[examples, channels, rows, columns]`." {}
    /// The mean of each window, added in `f64` (of 16-bit and 8-bit floats in `f32`) and rounded once. Padding counts as zeros, unless a
    /// [`PoolPadding`](crate::PoolPadding) leaves it out.
    avg_pool1d try_avg_pool1d 1 Rank3: Mean Mean // `x.avg_pool1d(PoolOptions::new([2]))`
    "The operand has shape `[examples, channels, length]`, the result `[examples, channels, positions]`." {}
    /// The mean of each window, added in `f64` (of 16-bit and 8-bit floats in `f32`) and rounded once. Padding counts as zeros, unless a
    /// [`PoolPadding`](crate::PoolPadding) leaves it out.
    avg_pool2d try_avg_pool2d 2 Rank4: Mean Mean // `x.avg_pool2d(PoolOptions::new([2, 2]))`
    "The operand has shape `[examples, channels, height, width]`, the result `[examples, channels, rows, columns]`." {
        /// ```
        /// use supremum::{F32, PoolOptions, Rank4, Tensor, U8, tensor};
        /// let image: Tensor<U8, Rank4> = tensor![[[[1, 2, 3], [5, 6, 9]]]];
        /// let means: Tensor<F32, Rank4> = image.avg_pool2d(PoolOptions::new([2, 2]));
        /// assert_eq!(means.to_vec(), [3.5]);
        /// ```
    }
}
