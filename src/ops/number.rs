//! Rust numbers on the left of tensors, which are not operands, literals on the left of `&mut Tensor`, and numbers that a tensor would
//! change: impls that exist for their messages.
//!
//! A number on the right of a tensor is refused by the generic impl of the operator. On the left each type needs an impl, because
//! operators are foreign traits. The bound of these impls never holds, so they do not affect inference: when the compiler infers the type
//! of a literal, it discards them and finds `i64` or `f64`.

use core::ops;

use super::operand::with_operand_message;
use crate::dtype::{StaticDType, bf16, c64, c128, f16};
use crate::op::each_binary;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

with_operand_message! {
    /// Implemented by no number. (The bound `Operand` would be refused where the impls are defined, because the compiler knows
    /// that it never holds.)
    #[cfg_attr(doc, doc(hidden))]
    pub trait LeftOperand<R> {}
}

/// Implemented by no type. If `&mut Tensor` were an operand, it would move: `*m = 0.9 * m` would be an error of its own, without a cure.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "a tensor behind `&mut` is an operand as `&*x`",
    label = "a mutable reference would move into the operation",
    note = "a shared reference to it is written `&*x`, not `*x`: `0.9 * &*x`, `&a + &*x`, `*x = 0.9 * &*x`"
)]
pub trait ReadsMutable {}

/// Implemented by no type.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "a tensor does not change a number",
    label = "the left side is a number and not a tensor",
    note = "a tensor of rank 0 converts to its element, which has the number's type or a narrower one: `total += f64::from(t)`, `total += f32::from(t)`; or the left side is a tensor too, `let mut total = Tensor::<F32, Rank0>::zeros([]);`"
)]
pub trait ChangesNumber {}

/// Stands for a right side in the bound.
// Not the right side itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct Change<T>(T);

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $name $($operator)*);)*
    };
    (@method $name:ident) => {};
    (@operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal) => {
        operators!(@mutable $trait::$method i64 f64 c128 bool);
        operators!(@change $assign::$assign_method
            i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f16 bf16 f32 f64 c64 c128
        );
        operators!(@numbers $trait::$method
            i8 i16 i32 i128 isize u8 u16 u32 u64 u128 usize f16 bf16 f32 c64
        );
    };
    (@change $trait:ident::$method:ident $($number:ty)*) => {
        $(
            operators!(@change_by $trait::$method $number, Tensor<D, N, R>);
            operators!(@change_by $trait::$method $number, &Tensor<D, N, R>);
        )*
    };
    (@change_by $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<D, N, R> ops::$trait<$tensor> for $number
        where
            Change<D>: ChangesNumber,
        {
            fn $method(&mut self, _: $tensor) {
                unreachable!("the bound never holds")
            }
        }
    };
    (@mutable $trait:ident::$method:ident $($number:ty)*) => {
        $(
            #[doc(hidden)]
            impl<'a, D: StaticDType, N: Rank, R: Rules> ops::$trait<&'a mut Tensor<D, N, R>> for $number
            where
                &'a mut Tensor<D, N, R>: ReadsMutable,
            {
                type Output = Tensor<D, N, R>;

                fn $method(self, _: &'a mut Tensor<D, N, R>) -> Self::Output {
                    unreachable!("the bound never holds")
                }
            }
        )*
    };
    (@numbers $trait:ident::$method:ident $($number:ty)*) => {
        $(
            operators!(@number $trait::$method $number, Tensor<D, N, R>);
            operators!(@number $trait::$method $number, &Tensor<D, N, R>);
        )*
    };
    (@number $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<D: StaticDType, N: Rank, R: Rules> ops::$trait<$tensor> for $number
        where
            $number: LeftOperand<R>,
        {
            type Output = Tensor<D, N, R>;

            fn $method(self, _: $tensor) -> Self::Output {
                unreachable!("the bound never holds")
            }
        }
    };
}

each_binary!(methods operators!);
