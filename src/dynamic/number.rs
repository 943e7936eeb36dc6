//! Impls for Rust numbers on the left of a `DynTensor`: of `+`, those that are no operands, and of `+=` and the like; and of `+=` for a
//! shared reference on the left. They exist only for their messages.
//!
//! Of `+` every type may have them, because a literal has the type that is an operand. Of `+=` one float and one integer have them, so
//! that rustc reports their bound for literals too (`ops/number.rs`).

use core::ops;

use super::DynTensor;
use super::operand::with_operand_message;
use crate::dtype::{bf16, c64, f16};
use crate::op::each_binary;
use crate::ops::ChangesShared;

with_operand_message! {
    /// Implemented by no number. (The bound `DynOperand` would be refused where the impls are defined, because the compiler knows
    /// that it never holds.)
    #[cfg_attr(doc, doc(hidden))]
    pub trait LeftDynOperand {}
}

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
        $(operators!(@$form $group $name $($operator)*);)*
    };
    (@method $group:ident $name:ident) => {};
    (@operator $group:ident $name:ident $trait:ident $symbol:literal $assign:ident::$method:ident $assign_symbol:literal) => {
        operators!(@left $group $trait::$name);
        operators!(@shared $assign::$method);
        operators!(@one $assign::$method f64, DynTensor);
        operators!(@one $assign::$method f64, &DynTensor);
        operators!(@one $assign::$method i64, DynTensor);
        operators!(@one $assign::$method i64, &DynTensor);
    };
    (@shared $assign:ident::$method:ident) => {
        #[doc(hidden)]
        impl<Rhs> ops::$assign<Rhs> for &DynTensor
        where
            (Rhs,): ChangesShared,
        {
            fn $method(&mut self, _: Rhs) {
                unreachable!("the bound never holds")
            }
        }
    };
    (@left Bitwise $trait:ident::$method:ident) => {
        operators!(@each $trait::$method i8 i16 i32 isize u8 u16 u32 u64 usize);
    };
    (@left Shift $trait:ident::$method:ident) => {
        operators!(@left Bitwise $trait::$method);
    };
    (@left $group:ident $trait:ident::$method:ident) => {
        operators!(@left Bitwise $trait::$method);
        operators!(@each $trait::$method f32 f16 bf16 c64);
    };
    (@each $trait:ident::$method:ident $($number:ty)*) => {$(
        operators!(@refused $trait::$method $number, DynTensor);
        operators!(@refused $trait::$method $number, &DynTensor);
    )*};
    (@refused $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl ops::$trait<$tensor> for $number
        where
            for<'a> $number: LeftDynOperand,
        {
            type Output = DynTensor;

            fn $method(self, _: $tensor) -> DynTensor {
                unreachable!("the bound never holds")
            }
        }
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
