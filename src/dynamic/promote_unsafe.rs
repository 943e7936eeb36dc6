//! Operations with an operand on the left whose promotion may lose values. Those with a row in `op/` are in `binary.rs`.

use super::{DynOperand, DynPromoteUnsafe, DynTensor};
use crate::dtype::DType;
use crate::error::Error;
use crate::rank::{Axes, Axis};
use crate::tensor::or_panic;

/// Writes both forms of each method for an operand on the left. One side that admits the promotion is enough, so the method of the
/// tensor takes the other one as if it were wrapped.
macro_rules! on_the_left {
    ($($name:ident, $try_name:ident($($rhs:ident),+; $($argument:ident: $type:ty),*);)*) => {
        /// Products, joins and limits with an operand whose promotion may lose values on the left.
        impl DynPromoteUnsafe {$(
            #[doc = concat!("[`DynTensor::", stringify!($name), "`] with this operand on the left.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            #[track_caller]
            #[must_use]
            pub fn $name<'a>(self, $($rhs: impl DynOperand<'a>,)+ $($argument: $type),*) -> DynTensor {
                or_panic(self.$try_name($($rhs,)+ $($argument),*))
            }

            #[doc = concat!("[`DynTensor::", stringify!($try_name), "`] with this operand on the left.")]
            ///
            /// # Errors
            #[doc = concat!("As [`DynTensor::", stringify!($try_name), "`].")]
            pub fn $try_name<'a>(self, $($rhs: impl DynOperand<'a>,)+ $($argument: $type),*) -> Result<DynTensor, Error> {
                self.tensor.$try_name($($rhs.lower().admitting(),)+ $($argument),*)
            }
        )*}
    };
}

on_the_left! {
    clamp, try_clamp(low, high;);
    matmul, try_matmul(rhs;);
    matmul_in, try_matmul_in(rhs; dtype: DType);
    dot, try_dot(rhs;);
    outer, try_outer(rhs;);
    kron, try_kron(rhs;);
    cross, try_cross(rhs; axis: impl Axis);
    tensordot, try_tensordot(rhs; axes: impl Axes, rhs_axes: impl Axes);
    concat, try_concat(rhs; axis: impl Axis);
}
