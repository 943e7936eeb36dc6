//! Functions of one tensor, by element.

use core::ops;
use std::borrow::Cow;

use super::compute::Compute;
use crate::dtype::{RealDType, StaticDType};
use crate::exec;
use crate::kernel::UnaryOp;
use crate::op::each_unary;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::rules::operations::{
    Absolute, Activation, FloatClass, Floor, Invert, MinMax, Negate, Reciprocal, Round, Sign,
    UnaryFloat,
};
use crate::tensor::Tensor;

// `Out` is a type parameter, which inference finds from the bound. If the result's type contained the projection, rustc
// would check it during method lookup, and report a missing method (E0599) instead of the bound's own message. It would do so
// for a bound of the impl too, so the method states that `D` is a dtype. This bound comes first, because rustc reports bounds in order.
macro_rules! functions {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* })*) => {supremum_macros::signatures! {
        $here
        /// # Functions
        ///
        /// Element by element, of one tensor.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            $(#[doc = $doc])+
            ///
            #[doc = concat!("`Out` is inferred: it is the result of [`", stringify!($group), "`](crate::operations::", stringify!($group), ") for `D`.")]
            ///
            /// # Panics
            /// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
            ///
            $(#[doc = $example])*
            pub fn $name<Out>(&self) -> Tensor<Out, N, R>
            where
                D: StaticDType + $group<R::Operations, Output = Out> $(+ $Bound)?,
                Out: StaticDType,
            {
                let out = Out::DTYPE;
                let compute = Compute::$compute.dtype(D::DTYPE, out);
                let x = Cow::Borrowed(self.array());
                Tensor::from_array(exec::unary(UnaryOp::$kernel, compute, out, x).array_or_panic())
            }
        )*}
    }};
}

each_unary!(methods functions! here);

macro_rules! prefix_operators {
    ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {$(
        impl<D: $group<R::Operations> + StaticDType, N: Rank, R: Rules> ops::$trait for Tensor<D, N, R> {
            type Output = Tensor<<D as $group<R::Operations>>::Output, N, R>;

            fn $method(self) -> Self::Output {
                let out = <<D as $group<R::Operations>>::Output as StaticDType>::DTYPE;
                let x = Cow::Owned(self.into_array());
                Tensor::from_array(exec::unary(UnaryOp::$kernel, out, out, x).array_or_panic())
            }
        }

        impl<D: $group<R::Operations> + StaticDType, N: Rank, R: Rules> ops::$trait for &Tensor<D, N, R> {
            type Output = Tensor<<D as $group<R::Operations>>::Output, N, R>;

            fn $method(self) -> Self::Output {
                let out = <<D as $group<R::Operations>>::Output as StaticDType>::DTYPE;
                let x = Cow::Borrowed(self.array());
                Tensor::from_array(exec::unary(UnaryOp::$kernel, out, out, x).array_or_panic())
            }
        }
    )*};
}

each_unary!(operators prefix_operators!);

/// # Complex conjugates
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns the complex conjugate; a real number is its own conjugate.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    ///
    /// ```
    /// use supremum::{C64, Tensor, c64};
    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
    /// assert_eq!(z.conj().to_vec(), [c64::new(3.0, 4.0)]);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    #[must_use]
    pub fn conj(&self) -> Self {
        let x = Cow::Borrowed(self.array());
        Self::from_array(exec::unary(UnaryOp::Conj, D::DTYPE, D::DTYPE, x).array_or_panic())
    }
}
