//! Rust numbers on the left of tensors, which are not operands, and literals on the left of `&mut Tensor`: impls that exist for
//! their messages.
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

macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $name $($operator)*);)*
    };
    (@method $name:ident) => {};
    (@operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal) => {
        operators!(@mutable $trait::$method i64 f64 c128 bool);
        operators!(@numbers $trait::$method
            i8 i16 i32 i128 isize u8 u16 u32 u64 u128 usize f16 bf16 f32 c64
        );
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
