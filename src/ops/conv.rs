//! Convolutions along one spatial axis and two.

use super::padding::{Sides, WindowPadding, narrow, wide};
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, SizedAxis, named};
use crate::exec;
use crate::kernel::{ConvShapes, SPATIAL, TransposedShapes, Windows};
use crate::rank::{MayBe, Rank, Rank3, Rank4};
use crate::rules::operations::MatrixMultiply;
use crate::rules::{Rules, SafePromote, SameRules};
use crate::tensor::{Tensor, or_panic};

/// The steps of a convolution's filters over `N` spatial axes, a number for each axis.
///
/// ```
/// use supremum::ConvOptions;
/// let options = ConvOptions::new().stride([2, 2]).padding([1, 1]);
/// assert_eq!(options, ConvOptions { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConvOptions<const N: usize, P = [usize; N]> {
    /// The distance between neighbouring positions of a filter; 1 unless set.
    pub stride: [usize; N],
    /// The zeros added on the sides of each axis, a [`WindowPadding`](crate::WindowPadding); none unless set.
    pub padding: P,
    /// The distance between neighbouring elements of a filter; 1 unless set.
    pub dilation: [usize; N],
    /// The number of groups into which channels and filters are divided; 1 unless set. The filters of a group see its channels.
    pub groups: usize,
}

impl<const N: usize> ConvOptions<N> {
    /// Makes the options of filters that move in steps of one, without padding, dilation or groups.
    pub const fn new() -> Self {
        Self {
            stride: [1; N],
            padding: [0; N],
            dilation: [1; N],
            groups: 1,
        }
    }
}

impl<const N: usize, P: Copy> ConvOptions<N, P> {
    /// Sets the stride.
    #[must_use]
    pub const fn stride(self, stride: [usize; N]) -> Self {
        Self { stride, ..self }
    }

    /// Sets the padding: a number for both sides of each axis, `[1, 2]`, two for its sides, `[[1, 0], [2, 2]]`, or
    /// [`SamePadding`](crate::SamePadding).
    #[must_use]
    pub const fn padding<Q: Copy>(self, padding: Q) -> ConvOptions<N, Q> {
        ConvOptions {
            stride: self.stride,
            padding,
            dilation: self.dilation,
            groups: self.groups,
        }
    }

    /// Sets the dilation.
    #[must_use]
    pub const fn dilation(self, dilation: [usize; N]) -> Self {
        Self { dilation, ..self }
    }

    /// Sets the number of groups.
    #[must_use]
    pub const fn groups(self, groups: usize) -> Self {
        Self { groups, ..self }
    }
}

impl<const N: usize> Default for ConvOptions<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, P: WindowPadding<N>> ConvOptions<N, P> {
    fn padding_at_run_time(self) -> ConvOptions<N, Sides<N>> {
        self.padding(self.padding.sides())
    }
}

impl<const N: usize, P> ConvOptions<N, P> {
    /// The windows of filters of these sizes.
    fn windows<'a>(&'a self, sizes: &'a [usize], padding: &'a [[usize; 2]; N]) -> Windows<'a> {
        Windows {
            sizes,
            strides: &self.stride,
            padding,
            dilation: &self.dilation,
        }
    }
}

/// The two convolutions.
#[derive(Clone, Copy)]
pub(crate) enum Conv {
    Forward,
    Transposed,
}

/// Checks the shapes of a convolution and runs it.
pub(crate) fn conv<const N: usize>(
    operation: &'static str,
    direction: Conv,
    [x, filters]: [&Array; 2],
    options: ConvOptions<N, impl WindowPadding<N>>,
    out: DType,
) -> Result<Array, Error> {
    let options = options.padding_at_run_time();
    let convolved = || {
        for array in [x, filters] {
            check_rank::<N>(operation, array)?;
        }
        match direction {
            Conv::Forward => forward(operation, x, filters, &options, out),
            Conv::Transposed => transposed(operation, x, filters, &options, out),
        }
    };
    named(operation, convolved())
}

fn forward<const N: usize>(
    operation: &'static str,
    x: &Array,
    filters: &Array,
    options: &ConvOptions<N, Sides<N>>,
    out: DType,
) -> Result<Array, Error> {
    let (axes, sizes) = (&x.shape()[SPATIAL..], &filters.shape()[SPATIAL..]);
    let padding = options
        .padding
        .of_windows(axes, sizes, options.stride, options.dilation);
    let windows = options.windows(sizes, &padding);
    let shapes = ConvShapes::new(operation, x.dims(), filters.dims(), windows, options.groups)?;
    exec::conv(x, filters, &shapes, out)
}

/// The transposed convolution. Filters reach beyond both ends of the operand; `padding` is taken from that.
fn transposed<const N: usize>(
    operation: &'static str,
    x: &Array,
    filters: &Array,
    options: &ConvOptions<N, Sides<N>>,
    out: DType,
) -> Result<Array, Error> {
    ConvShapes::check_groups(operation, "channels", x.shape()[1], options.groups)?;
    if filters.shape()[0] != x.shape()[1] {
        return Err(Error::SizeMismatch {
            operation,
            axes: Box::new([
                SizedAxis::new("the operand", 1, x.shape()),
                SizedAxis::new("the filters", 0, filters.shape()),
            ]),
        });
    }
    let sizes = &filters.shape()[SPATIAL..];
    let windows = options.windows(sizes, &[[0; 2]; N]);
    windows.check(operation)?;
    let mut ends = [[0; 2]; N];
    for (number, ends) in ends.iter_mut().enumerate() {
        let axis = SPATIAL + number;
        let (size, stride) = (x.shape()[axis], options.stride[number]);
        let window = Windows::span(sizes[number], options.dilation[number]);
        let removed = options.padding.of_transposed(number, size, window, stride);
        let whole = windows.spread(number, size);
        if removed.iter().sum::<i128>() >= wide(whole) {
            return Err(Error::PaddingTooLarge {
                operation,
                padding: removed.map(narrow),
                axis,
                size: whole,
            });
        }
        // Beyond that, positions have no numbers.
        if isize::try_from(whole).is_err() {
            let mut shape = x.shape().to_vec();
            shape[axis] = whole;
            return Err(Error::ShapeTooLarge { operation, shape });
        }
        *ends = removed.map(|removed| isize::try_from(removed).unwrap_or(isize::MIN));
    }
    let (shape, groups) = (filters.dims(), options.groups);
    let shapes = TransposedShapes::new(operation, x.dims(), shape, windows, &ends, groups)?;
    exec::conv_transpose(x, filters, &shapes, out)
}

/// Checks that there are axes of examples and channels, and `N` spatial ones.
pub(crate) fn check_rank<const N: usize>(operation: &'static str, x: &Array) -> Result<(), Error> {
    match x.rank() == N + 2 {
        true => Ok(()),
        false => Err(Error::RankMismatch {
            operation,
            expected: N + 2,
            shape: x.shape().to_vec(),
        }),
    }
}

macro_rules! convolutions {
    ($here:ident: $($name:ident $try_name:ident $spatial:literal $Rank:ident: $Conv:ident $shapes:literal { $(#[doc = $example:literal])+ })*) => {supremum_macros::signatures! {
        $here

        /// # Convolutions
        ///
        /// They do not reverse the filters, as those of PyTorch and XLA. Dtypes and rounding are those of [`Self::matmul`]: of 16-bit and
        /// 8-bit floats, products are added in `f32` and rounded once. If filters have more than one element in each channel, products
        /// are added one after another: channel by channel, and in each along the rows of the window. The order of additions is that of
        /// [`Self::matmul`] if filters have size one, and for more than 16 filters in a group if a result has a single position or a
        /// window spans more than twice a row of positions. For these, and for more than 16 filters of integers of 8 or 16 bits, the
        /// convolution takes temporary memory for a window of the operand for each element of a channel of the result, unless filters
        /// have size one.
        impl<A: StaticDType, N: Rank, R: Rules> Tensor<A, N, R> {$(
            #[doc = $shapes]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])+
            #[track_caller]
            pub fn $name<B, M, S, P, Out>(
                &self,
                filters: &Tensor<B, M, S>,
                options: ConvOptions<$spatial, impl WindowPadding<$spatial>>,
            ) -> Tensor<Out, $Rank, R>
            where
                R: SameRules<S>,
                S: Rules,
                R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
                B: StaticDType,
                P: MatrixMultiply<R::Operations, Output = Out>,
                Out: StaticDType,
                N: MayBe<$Rank>,
                M: Rank + MayBe<$Rank>,
            {
                or_panic(self.$try_name(filters, options))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::RankMismatch`] of [`AnyRank`](crate::AnyRank); [`Error::SizeMismatch`] if the channels differ;
            /// [`Error::NotDivisible`] if the groups do not divide channels and filters; [`Error::ZeroWindow`] for a stride,
            /// dilation or filter of size zero; [`Error::WindowTooLarge`] if a filter does not fit the padded operand, and
            /// [`Error::PaddingTooLarge`] if the padding of a transposed convolution leaves no position;
            /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
            pub fn $try_name<B, M, S, P, Out>(
                &self,
                filters: &Tensor<B, M, S>,
                options: ConvOptions<$spatial, impl WindowPadding<$spatial>>,
            ) -> Result<Tensor<Out, $Rank, R>, Error>
            where
                R: SameRules<S>,
                S: Rules,
                R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
                B: StaticDType,
                P: MatrixMultiply<R::Operations, Output = Out>,
                Out: StaticDType,
                N: MayBe<$Rank>,
                M: Rank + MayBe<$Rank>,
            {
                let operands = [self.array(), filters.array()];
                let array = conv(stringify!($name), Conv::$Conv, operands, options, Out::DTYPE)?;
                Ok(Tensor::from_array(array))
            }
        )*}
    }};
}

convolutions! {
    here:
    conv1d try_conv1d 1 Rank3: // `x.conv1d(&filters, ConvOptions::new().stride([2]).padding([1]))`
    Forward "Convolves an operand of shape `[examples, channels, length]` with filters of shape `[filters, channels / groups, size]`; the \
     result has shape `[examples, filters, positions]`." {
        /// ```
        /// use supremum::{ConvOptions, F32, Rank3, Tensor, tensor};
        /// let signal: Tensor<F32, Rank3> = tensor![[[1.0, 2.0, 4.0, 8.0]]];
        /// let differences: Tensor<F32, Rank3> = tensor![[[-1.0, 1.0]]];
        /// assert_eq!(signal.conv1d(&differences, ConvOptions::new()).to_vec(), [1.0, 2.0, 4.0]);
        /// let padded = signal.conv1d(&differences, ConvOptions::new().stride([2]).padding([1]));
        /// assert_eq!(padded.to_vec(), [1.0, 2.0, -8.0]);
        /// ```
    }
    conv2d try_conv2d 2 Rank4: // `x.conv2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))`
    Forward "Convolves an operand of shape `[examples, channels, height, width]` with filters of shape `[filters, channels / groups, \
     height, width]`; the result has shape `[examples, filters, rows, columns]`." {
        /// ```
        /// use supremum::{BF16, ConvOptions, Rank4, Tensor};
        /// let images = Tensor::<BF16, Rank4>::ones([8, 3, 32, 32]);
        /// let filters = Tensor::<BF16, Rank4>::ones([16, 3, 3, 3]);
        /// let features: Tensor<BF16, Rank4> = images.conv2d(&filters, ConvOptions::new().padding([1, 1]));
        /// assert_eq!(features.shape(), [8, 16, 32, 32]);
        /// assert_eq!(features[[0, 0, 0, 0]].to_f32(), 12.0); // a corner has 4 of 9 neighbours, in 3 channels
        /// ```
    }
    conv_transpose1d try_conv_transpose1d 1 Rank3: // `x.conv_transpose1d(&filters, ConvOptions::new().stride([2]).padding([1]))`
    Transposed "The transposed convolution, which spreads each element over a window: it takes an operand of shape \
     `[examples, channels, length]` and filters of shape `[channels, filters / groups, size]`; the result has shape \
     `[examples, filters, positions]`." {
        /// The result is that of the gradient of [`Self::conv1d`] with the same filters and options, and of PyTorch's
        /// `conv_transpose1d`. Along each axis it has `(length - 1) * stride + (size - 1) * dilation + 1` positions,
        /// from whose two ends the padding is taken; with [`SamePadding`](crate::SamePadding) it has `length * stride`.
        /// PyTorch's `output_padding` reduces the padding after the axis: `padding=1, output_padding=1` is
        /// `.padding([[1, 0]])`.
        ///
        /// Products are added one after another, channel by channel, and in each along the rows of the window, if a group has up to 32
        /// channels, or up to 64 channels and more than one filter, filters have more than one element in each channel, all of them
        /// finite, strides are up to 16, and dilated filters reach over no more than 4,096 elements of the operand. Else it is computed
        /// as a matrix product, whose rows are added at their places: products of one position are summed over channels first, and then
        /// over the windows that overlap there. Of small floats the sums are rounded once.
        ///
        /// ```
        /// use supremum::{ConvOptions, F32, Rank3, SamePadding, Tensor, tensor};
        /// let signal: Tensor<F32, Rank3> = tensor![[[1.0, 2.0]]];
        /// let filters: Tensor<F32, Rank3> = tensor![[[1.0, 10.0, 100.0]]];
        /// let options = ConvOptions::new().stride([2]);
        /// assert_eq!(signal.conv_transpose1d(&filters, options).to_vec(), [1.0, 10.0, 102.0, 20.0, 200.0]);
        /// assert_eq!(signal.conv_transpose1d(&filters, options.padding([1])).to_vec(), [10.0, 102.0, 20.0]);
        /// assert_eq!(signal.conv_transpose1d(&filters, options.padding(SamePadding)).shape(), [1, 1, 4]);
        /// ```
    }
    conv_transpose2d try_conv_transpose2d 2 Rank4: // `x.conv_transpose2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))`
    Transposed "The transposed convolution along two axes, [`Self::conv_transpose1d`] along one: it takes an operand of shape \
     `[examples, channels, height, width]` and filters of shape `[channels, filters / groups, height, width]`; the result has shape \
     `[examples, filters, rows, columns]`." {
        /// ```
        /// use supremum::{BF16, ConvOptions, Rank4, Tensor};
        /// let images = Tensor::<BF16, Rank4>::ones([8, 16, 14, 14]);
        /// let filters = Tensor::<BF16, Rank4>::ones([16, 3, 3, 3]);
        /// // PyTorch's `padding=1, output_padding=1`
        /// let options = ConvOptions::new().stride([2, 2]).padding([[1, 0], [1, 0]]);
        /// assert_eq!(images.conv_transpose2d(&filters, options).shape(), [8, 3, 28, 28]);
        /// ```
    }
}
