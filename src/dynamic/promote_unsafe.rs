//! Operations with an operand on the left whose promotion may lose values. Those with a row in `op/` are in `binary.rs`.

use super::{DynOperand, DynPromoteUnsafe, DynTensor};
use crate::dtype::DType;
use crate::error::Error;
use crate::rank::{Axes, Axis};

/// Writes the fallible form of each method for an operand on the left. One side that admits the promotion is enough, so the method of
/// the tensor takes the other one as if it were wrapped.
macro_rules! on_the_left {
    ($($try_name:ident($($argument:ident: $type:ty),*);)*) => {
        /// Products, joins and limits with an operand whose promotion may lose values on the left, fallible.
        impl DynPromoteUnsafe {
            $(
                #[doc = concat!("[`DynTensor::", stringify!($try_name), "`] with this operand on the left.")]
                ///
                /// # Errors
                #[doc = concat!("As [`DynTensor::", stringify!($try_name), "`].")]
                pub fn $try_name<'a>(self, rhs: impl DynOperand<'a>, $($argument: $type),*) -> Result<DynTensor, Error> {
                    self.tensor.$try_name(rhs.lower().admitting(), $($argument),*)
                }
            )*

            /// [`DynTensor::try_clamp`] of this operand.
            ///
            /// # Errors
            /// As [`DynTensor::try_clamp`].
            pub fn try_clamp<'a>(self, low: impl DynOperand<'a>, high: impl DynOperand<'a>) -> Result<DynTensor, Error> {
                self.tensor.try_clamp(low.lower().admitting(), high.lower().admitting())
            }
        }
    };
}

on_the_left! {
    try_matmul();
    try_matmul_in(dtype: DType);
    try_dot();
    try_outer();
    try_kron();
    try_cross(axis: impl Axis);
    try_tensordot(axes: impl Axes, rhs_axes: impl Axes);
    try_concat(axis: impl Axis);
}
