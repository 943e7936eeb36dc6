//! Convolutions along one spatial axis and two.

use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{ConvShapes, Windows};
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
pub struct ConvOptions<const N: usize> {
    /// The distance between neighbouring positions of a filter; 1 unless set.
    pub stride: [usize; N],
    /// The number of zeros added on each side of an axis; 0 unless set. For two numbers, pad the operand by [`Tensor::pad`].
    pub padding: [usize; N],
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

    /// Sets the stride.
    #[must_use]
    pub const fn stride(self, stride: [usize; N]) -> Self {
        Self { stride, ..self }
    }

    /// Sets the padding.
    #[must_use]
    pub const fn padding(self, padding: [usize; N]) -> Self {
        Self { padding, ..self }
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

/// Checks the shapes of a convolution and runs it.
pub(crate) fn conv<const N: usize>(
    operation: &'static str,
    x: &Array,
    filters: &Array,
    options: &ConvOptions<N>,
    out: DType,
) -> Result<Array, Error> {
    named(operation, convolved(operation, x, filters, options, out))
}

fn convolved<const N: usize>(
    operation: &'static str,
    x: &Array,
    filters: &Array,
    options: &ConvOptions<N>,
    out: DType,
) -> Result<Array, Error> {
    for array in [x, filters] {
        check_rank::<N>(operation, array)?;
    }
    let windows = Windows {
        sizes: &filters.shape()[2..],
        strides: &options.stride,
        padding: &options.padding,
        dilation: &options.dilation,
    };
    let shapes = ConvShapes::new(operation, x.dims(), filters.dims(), windows, options.groups)?;
    exec::conv(x, filters, &shapes, out)
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
    ($here:ident: $($name:ident $try_name:ident $spatial:literal $Rank:ident: $shapes:literal { $(#[doc = $example:literal])+ })*) => {supremum_macros::signatures! {
        $here

        /// # Convolutions
        ///
        /// They do not reverse the filters, as those of PyTorch and XLA. Dtypes and rounding are those of [`Self::matmul`], on which they
        /// are built: of 16-bit and 8-bit floats, products are added in `f32` and rounded once. They take temporary memory for a
        /// window of the operand for each element of a channel of the result, unless filters have size one.
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
                options: ConvOptions<$spatial>,
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
            /// [`Error::RankMismatch`] of [`AnyRank`](crate::AnyRank); [`Error::ShapeMismatch`] if the channels differ;
            /// [`Error::NotDivisible`] if the groups do not divide channels and filters; [`Error::ZeroWindow`] for a stride,
            /// dilation or filter of size zero; [`Error::WindowTooLarge`] if a filter does not fit the padded operand;
            /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
            pub fn $try_name<B, M, S, P, Out>(
                &self,
                filters: &Tensor<B, M, S>,
                options: ConvOptions<$spatial>,
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
                let array = conv(stringify!($name), self.array(), filters.array(), &options, Out::DTYPE)?;
                Ok(Tensor::from_array(array))
            }
        )*}
    }};
}

convolutions! {
    here:
    conv1d try_conv1d 1 Rank3: // `x.conv1d(&filters, ConvOptions::new().stride([2]))`
    "Convolves an operand of shape `[examples, channels, length]` with filters of shape `[filters, channels / groups, size]`; the \
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
    conv2d try_conv2d 2 Rank4: // `x.conv2d(&filters, ConvOptions::new().stride([2, 2]))`
    "Convolves an operand of shape `[examples, channels, height, width]` with filters of shape `[filters, channels / groups, \
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
}
