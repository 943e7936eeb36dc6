//! Padding of the spatial axes of convolutions and pools.

use crate::kernel::Windows;

/// The padding of `N` spatial axes, as [`ConvOptions::padding`](crate::ConvOptions::padding) and
/// [`PoolOptions::padding`](crate::PoolOptions::padding) take it.
///
/// - `[usize; N]`: a number of positions for each axis, added on both sides of it;
/// - `[[usize; 2]; N]`: two numbers for each axis, before its first element and behind its last;
/// - [`SamePadding`]: the padding with which a result has the size of the operand, divided by the stride.
///
/// ```
/// use supremum::{ConvOptions, F32, Rank3, SamePadding, Tensor, tensor};
/// let signal: Tensor<F32, Rank3> = tensor![[[1.0, 2.0, 4.0]]];
/// let sums: Tensor<F32, Rank3> = tensor![[[1.0, 1.0]]];
/// let options = ConvOptions::new();
/// assert_eq!(signal.conv1d(&sums, options.padding([1])).to_vec(), [1.0, 3.0, 6.0, 4.0]);
/// assert_eq!(signal.conv1d(&sums, options.padding([[1, 0]])).to_vec(), [1.0, 3.0, 6.0]); // causal
/// assert_eq!(signal.conv1d(&sums, options.padding(SamePadding)).to_vec(), [3.0, 6.0, 4.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a padding of {N}-dimensional windows",
    label = "expected a number for each axis, two numbers for each axis, or `supremum::SamePadding`",
    note = "of one axis `[1]` adds a position on both sides, `[[1, 0]]` one before it; of two axes `[1, 2]` and `[[1, 0], [2, 2]]`"
)]
pub trait WindowPadding<const N: usize>: Copy + sealed::WindowPadding<N> {}

/// The padding with which each axis of a result has the size of the operand's axis, divided by the stride and rounded
/// up: `"SAME"` of JAX and TensorFlow, `padding="same"` of PyTorch. If the number of added positions is odd, one more
/// is added after the axis than before it.
///
/// For a transposed convolution, it is the padding with which each axis has the size of the operand's axis, times the
/// stride.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SamePadding;

#[diagnostic::do_not_recommend]
impl<const N: usize> WindowPadding<N> for [usize; N] {}
#[diagnostic::do_not_recommend]
impl<const N: usize> WindowPadding<N> for [[usize; 2]; N] {}
#[diagnostic::do_not_recommend]
impl<const N: usize> WindowPadding<N> for SamePadding {}

impl<const N: usize> sealed::WindowPadding<N> for [usize; N] {
    fn sides(self) -> Sides<N> {
        Sides::Given(self.map(|both| [both; 2]))
    }
}

impl<const N: usize> sealed::WindowPadding<N> for [[usize; 2]; N] {
    fn sides(self) -> Sides<N> {
        Sides::Given(self)
    }
}

impl<const N: usize> sealed::WindowPadding<N> for SamePadding {
    fn sides(self) -> Sides<N> {
        Sides::Same
    }
}

/// The padding of pools with two more settings than a [`WindowPadding`] has: whether an axis gets one more window if no
/// window reaches its last elements, and whether means count the padding. The names are PyTorch's.
///
/// ```
/// use supremum::{F32, PoolOptions, PoolPadding, Rank3, Tensor, tensor};
/// let t: Tensor<F32, Rank3> = tensor![[[1.0, 2.0, 4.0, 8.0]]];
/// let windows = PoolOptions::new([3]).stride([2]);
/// let padding = PoolPadding::new([1]);
/// assert_eq!(t.avg_pool1d(windows.padding(padding)).to_vec(), [1.0, 14.0 / 3.0]);
/// assert_eq!(t.avg_pool1d(windows.padding(padding.count_include_pad(false))).to_vec(), [1.5, 14.0 / 3.0]);
/// assert_eq!(t.avg_pool1d(windows.padding(padding.ceil_mode(true))).to_vec(), [1.0, 14.0 / 3.0, 4.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PoolPadding<const N: usize> {
    pub(crate) sides: Sides<N>,
    pub(crate) ceil_mode: bool,
    pub(crate) count_include_pad: bool,
}

impl<const N: usize> PoolPadding<N> {
    /// Makes a padding with the default settings: windows that do not fit are left out, and means count the padding.
    pub fn new(padding: impl WindowPadding<N>) -> Self {
        Self {
            sides: padding.sides(),
            ceil_mode: false,
            count_include_pad: true,
        }
    }

    /// Sets whether an axis gets one more window if its last elements are in none. That window must begin within the axis or the
    /// padding before it. Means do not count its positions behind the padding.
    #[must_use]
    pub const fn ceil_mode(self, ceil_mode: bool) -> Self {
        Self { ceil_mode, ..self }
    }

    /// Sets whether means count the positions of the padding. If they do not, the mean of a window that lies in the padding alone is NaN.
    #[must_use]
    pub const fn count_include_pad(self, count_include_pad: bool) -> Self {
        Self {
            count_include_pad,
            ..self
        }
    }
}

/// The padding of pools, as [`PoolOptions::padding`](crate::PoolOptions::padding) takes it: a [`WindowPadding`] or a [`PoolPadding`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a padding of {N}-dimensional windows",
    label = "expected a number for each axis, two numbers for each axis, `supremum::SamePadding` or a `supremum::PoolPadding`",
    note = "of one axis `[1]` adds a position on both sides, `[[1, 0]]` one before it; of two axes `[1, 2]` and `[[1, 0], [2, 2]]`"
)]
pub trait IntoPoolPadding<const N: usize>: Copy {
    /// The padding, with what is to be said of it.
    fn into_pool_padding(self) -> PoolPadding<N>;
}

#[diagnostic::do_not_recommend]
impl<const N: usize, P: WindowPadding<N>> IntoPoolPadding<N> for P {
    fn into_pool_padding(self) -> PoolPadding<N> {
        PoolPadding::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> IntoPoolPadding<N> for PoolPadding<N> {
    fn into_pool_padding(self) -> Self {
        self
    }
}

pub(crate) mod sealed {
    /// The one value that each form of padding stands for.
    pub trait WindowPadding<const N: usize> {
        fn sides(self) -> super::Sides<N>;
    }
}

/// A padding at run time.
#[derive(Clone, Copy, Debug)]
pub enum Sides<const N: usize> {
    /// Positions before and behind each axis.
    Given([[usize; 2]; N]),
    /// [`SamePadding`].
    Same,
}

impl<const N: usize> Sides<N> {
    /// The positions before and behind each spatial axis of an operand, over which windows of these sizes move.
    pub(crate) fn of_windows(
        self,
        axes: &[usize],
        sizes: &[usize],
        stride: [usize; N],
        dilation: [usize; N],
    ) -> [[usize; 2]; N] {
        match self {
            Self::Given(sides) => sides,
            Self::Same => std::array::from_fn(|axis| {
                let (size, stride) = (axes[axis], stride[axis]);
                // A stride of zero is an error, which the windows report.
                let last = size.saturating_sub(1).checked_div(stride).unwrap_or(0) * stride;
                let window = Windows::span(sizes[axis], dilation[axis]);
                let total = last.saturating_add(window).saturating_sub(size);
                [total / 2, total - total / 2]
            }),
        }
    }

    /// The positions that a transposed convolution takes from both ends of an axis of this size; a negative number adds zeros.
    pub(crate) fn of_transposed(
        self,
        axis: usize,
        size: usize,
        window: usize,
        stride: usize,
    ) -> [i128; 2] {
        match self {
            Self::Given(sides) => sides[axis].map(wide),
            Self::Same => {
                let last = size.saturating_sub(1).saturating_mul(stride);
                let whole = wide(last) + wide(window);
                let before = wide(window.saturating_sub(stride) / 2);
                [before, whole - before - wide(size.saturating_mul(stride))]
            }
        }
    }
}

/// The size, in which differences of sizes do not overflow.
pub(crate) fn wide(size: usize) -> i128 {
    i128::try_from(size).unwrap_or(i128::MAX)
}

/// The size, if it is one; the next one otherwise.
pub(crate) fn narrow(size: i128) -> usize {
    usize::try_from(size.max(0)).unwrap_or(usize::MAX)
}
