//! Impls for a Rust number on the left of `+=` and the like, with a `DynTensor` on the right. They exist only for their
//! messages.
//!
//! One float and one integer have them, so that rustc reports their bound for literals too (`ops/number.rs`).

use core::ops;

use super::DynTensor;
use crate::op::each_binary;

/// Implemented by no type.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "a `DynTensor` changes no number, because its dtype is known only at run time",
    label = "the left side is a number and not a tensor",
    note = "a typed tensor of rank 0 changes a number: `total += t.cast(DType::F64).typed::<F64, Rank0, Jax>()?`; or the left side is a `DynTensor` too, `let mut total = Tensor::<F64, Rank0>::zeros([]).into_dyn();`"
)]
pub trait ChangesNumber {}

/// Stands for a right side in the bound.
// Not the right side itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct Change<T>(T);

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $($operator)*);)*
    };
    (@method) => {};
    (@operator $trait:ident $symbol:literal $assign:ident::$method:ident $assign_symbol:literal) => {
        operators!(@one $assign::$method f64, DynTensor);
        operators!(@one $assign::$method f64, &DynTensor);
        operators!(@one $assign::$method i64, DynTensor);
        operators!(@one $assign::$method i64, &DynTensor);
    };
    (@one $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl ops::$trait<$tensor> for $number
        where
            for<'a> Change<DynTensor>: ChangesNumber,
        {
            fn $method(&mut self, _: $tensor) {
                unreachable!("the bound never holds")
            }
        }
    };
}

each_binary!(methods operators!);
