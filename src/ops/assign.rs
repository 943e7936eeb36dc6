//! Operators that assign to views for writing: `t.slice_mut(0, 1..3)`, then `+=` and the like.

use core::ops;

use crate::dtype::StaticDType;
use crate::op::each_binary;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::{Tensor, TensorViewMut, ViewedElements, or_panic};

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $($operator)*);)*
    };
    (@method) => {};
    (@operator $trait:ident $symbol:literal $assign:ident::$method:ident $assign_symbol:literal) => {
        /// Computes with a copy of the view's elements, and writes the result to the view. Panics with the text of the `try_` method's
        /// error.
        impl<D: StaticDType, N: Rank, R: Rules, Rhs> ops::$assign<Rhs> for TensorViewMut<'_, D, N, R>
        where
            Tensor<D, N, R>: ops::$assign<Rhs>,
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                ops::$assign::$method(&mut **self, rhs);
            }
        }

        /// As of the view.
        impl<D: StaticDType, N: Rank, R: Rules, Rhs> ops::$assign<Rhs> for ViewedElements<'_, D, N, R>
        where
            Tensor<D, N, R>: ops::$assign<Rhs>,
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                let mut result = Tensor::from_array(or_panic(self.part.copied()));
                ops::$assign::$method(&mut result, rhs);
                or_panic(self.part.assign($assign_symbol, result.array()));
            }
        }
    };
}

each_binary!(methods operators!);
