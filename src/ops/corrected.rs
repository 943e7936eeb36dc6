//! Variances and standard deviations with a correction.

use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::ReduceOp;
use crate::ops::reduce::reduced;
use crate::rank::{Axes, Rank, RemoveAxes};
use crate::rules::Rules;
use crate::rules::operations::Variance;
use crate::tensor::{Tensor, or_panic};

/// Writes the forms of each method, and the `try_` form of each.
macro_rules! corrected {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $keepdims:ident $try_keepdims:ident: $Op:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Variances with a correction
        ///
        /// The dtypes are those of [`Self::var`]: real for complex numbers.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name<Out, A>(&self, correction: usize, axes: A) -> Tensor<Out, A::Output, R>
            where
                D: StaticDType + Variance<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
            {
                or_panic(self.$try_name(correction, axes))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::OutOfMemory`].
            pub fn $try_name<Out, A>(&self, correction: usize, axes: A) -> Result<Tensor<Out, A::Output, R>, Error>
            where
                D: StaticDType + Variance<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
            {
                let op = ReduceOp::$Op { ddof: correction };
                let made = reduced(op, stringify!($name), self.array(), axes.numbers().as_slice(), false, Out::DTYPE);
                made.array().map(Tensor::from_array)
            }

            #[doc = concat!("[`Self::", stringify!($name), "`] along axes that the result keeps with size one.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_keepdims), "`]'s error.")]
            #[track_caller]
            pub fn $keepdims<Out>(&self, correction: usize, axes: impl Axes) -> Tensor<Out, N, R>
            where
                D: StaticDType + Variance<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_keepdims(correction, axes))
            }

            #[doc = concat!("[`Self::", stringify!($keepdims), "`], fallible.")]
            ///
            /// # Errors
            #[doc = concat!("The errors of [`Self::", stringify!($try_name), "`].")]
            pub fn $try_keepdims<Out>(&self, correction: usize, axes: impl Axes) -> Result<Tensor<Out, N, R>, Error>
            where
                D: StaticDType + Variance<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                let op = ReduceOp::$Op { ddof: correction };
                let made = reduced(op, stringify!($keepdims), self.array(), axes.numbers().as_slice(), true, Out::DTYPE);
                made.array().map(Tensor::from_array)
            }
        )*}
    }};
}

/// The list of variances with a correction, for typed and dynamic tensors: documentation, names of the forms, the reduction and an
/// example.
macro_rules! each_corrected {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// The sum of the squared distances from the mean, divided by the number of elements less `correction`, along one axis, several,
            /// or all (`..`), which are removed. With a correction of 1 it is the unbiased estimate (PyTorch's default, NumPy's `ddof=1`).
            ///
            /// NaN or infinite if there are no more elements than `correction`. [`var`](Self::var) is the same without a correction.
            var_corrected try_var_corrected // kept with size 1 `var_corrected_keepdims(1, 0)`, not as `help` says
            var_corrected_keepdims try_var_corrected_keepdims: Var {
                /// ```
                /// use supremum::{F32, Rank2, Tensor, tensor};
                /// let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [0.0, 4.0, 8.0]];
                /// assert_eq!(t.var_corrected(1, 1).to_vec(), [1.0, 16.0]);
                /// let standardised = (&t - t.mean_keepdims(1)) / t.std_corrected_keepdims(1, 1);
                /// assert_eq!(standardised.to_vec(), [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0]);
                /// ```
            }
            /// The square root of [`var_corrected`](Self::var_corrected).
            std_corrected try_std_corrected // kept with size 1 `std_corrected_keepdims(1, 0)`, not as `help` says
            std_corrected_keepdims try_std_corrected_keepdims: Std {}
            /// As [`var_corrected`](Self::var_corrected), of the elements that are not NaN: NumPy's `nanvar` with `ddof`, which is NaN
            /// also where this is infinite.
            nan_var_corrected try_nan_var_corrected // kept with size 1 `nan_var_corrected_keepdims(1, 0)`, not as `help` says
            nan_var_corrected_keepdims try_nan_var_corrected_keepdims: NanVar {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.0, f32::NAN, 2.0, 3.0];
                /// assert_eq!(t.nan_var_corrected(1, ..).item(), Ok(1.0));
                /// ```
            }
            /// The square root of [`nan_var_corrected`](Self::nan_var_corrected): the default of pandas' `std`, with a correction of 1.
            nan_std_corrected try_nan_std_corrected // kept with size 1 `nan_std_corrected_keepdims(1, 0)`, not as `help` says
            nan_std_corrected_keepdims try_nan_std_corrected_keepdims: NanStd {}
        }
    };
}

pub(crate) use each_corrected;

each_corrected!(corrected! here);
