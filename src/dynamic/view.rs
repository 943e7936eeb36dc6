//! Views: other shapes and orders of the same elements.

use super::DynTensor;
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{SortOrder, Triangle};
use crate::rank::{Axes, Axis, AxisOrder, Extent, Offset, Shape, SizeList};
use crate::tensor::arrange::Padding;
use crate::tensor::pad_mode::{self, PadMode};
use crate::tensor::positions::{NewShape, Positions, reshaped};
use crate::tensor::positions::{along, axis_of, sliced};
use crate::tensor::slice_axes::at_position;
use crate::tensor::view::{each_view, matrices_transposed, moved, permuted, swapped};
use crate::tensor::{arrange, or_panic};

macro_rules! views {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $($left:ty: $right:path),+)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Parts and shapes
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $try_name $(<$($generic: $bound),+>)? (&$self $(, $argument: $type)*) -> Result<Self, Error> {
                let made: Result<crate::array::Array, Error> = $body;
                named(stringify!($name), made.map(|array| $self.with(array)))
            }
        )*}
    }};
}

each_view!(views! here);

/// # More shapes
impl DynTensor {
    /// Reverses the order of the axes; of a matrix, this exchanges rows and columns.
    #[must_use]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn transpose(&self) -> Self { // of two axes `swap_axes(0, 1)`, in an order `permute([2, 0, 1])`, not as `help` says
        let order: Vec<usize> = (0..self.ndim()).rev().collect();
        self.with(or_panic(exec::permute(self.array(), &order)))
    }

    /// Returns the elements in row-major order as a tensor of rank 1.
    #[must_use]
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn flatten(&self) -> Self { // `reshape((n, -1))` keeps the first axis, not as `help` says
        self.with(or_panic(exec::reshape(self.array(), &[self.len()])))
    }
}
