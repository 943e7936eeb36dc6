//! Rust numbers on the left of tensors, which are not operands, and literals on the left of `&mut Tensor`: impls that exist for their
//! messages. Numbers that a tensor changes: `total += loss` adds the element of a tensor of rank 0.
//!
//! A number on the right of a tensor is refused by the generic impl of the operator. On the left each type needs an impl, because
//! operators are foreign traits. The bound of these impls never holds, so they do not affect inference: when the compiler infers the type
//! of a literal, it discards them and finds `i64` or `f64`. Of `+=`, `-=` and `*=` it discards those whose number does not have all values of
//! the tensor's dtype.

use core::ops;

use super::operand::with_operand_message;
use crate::dtype::{StaticDType, bf16, c64, c128, f16};
use crate::op::each_binary;
use crate::rank::{Rank, Rank0};
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

/// Tensors of rank 0 whose element converts to the number `To`.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "this tensor does not change a number of type `{To}`",
    label = "the left side is a number and not a tensor",
    note = "a tensor of rank 0 changes a number by `+=`, `-=` and `*=` if the number's type has all values of the dtype: convert the tensor, `total += t.cast::<F32>()`, or reduce it, `total += t.sum()`; a count as a `usize` is `right += i64::from(mask.sum()) as usize`; or the left side is a tensor too, `let mut total = Tensor::<F32, Rank0>::zeros([]);`"
)]
pub trait ChangesNumber<To> {
    /// The element.
    fn element(self) -> To;
}

/// Stands for a right side in the bound.
// Not the right side itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct Change<T>(T);

// The bound is that of `.into()`, which `from.rs` states for each pair.
#[diagnostic::do_not_recommend]
impl<D, R, To: From<Tensor<D, Rank0, R>>> ChangesNumber<To> for Change<Tensor<D, Rank0, R>> {
    #[track_caller]
    fn element(self) -> To {
        self.0.into()
    }
}

/// Implemented by no type. Rust divides integers otherwise than the rules do, and bits of numbers are not changed by tensors.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "a tensor changes a number by `+=`, `-=` and `*=` only",
    label = "the left side is a number and not a tensor",
    note = "a tensor of rank 0 converts to its element, which has the number's type or a narrower one: `total /= f64::from(t)`, `total /= f32::from(t)`"
)]
pub trait ChangesNumberOtherwise {}

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
    (@change_by AddAssign::$method:ident $number:ty, $tensor:ty) => {
        operators!(@change_element AddAssign::$method $number, $tensor);
    };
    (@change_by SubAssign::$method:ident $number:ty, $tensor:ty) => {
        operators!(@change_element SubAssign::$method $number, $tensor);
    };
    (@change_by MulAssign::$method:ident $number:ty, $tensor:ty) => {
        operators!(@change_element MulAssign::$method $number, $tensor);
    };
    (@change_element $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<D, N, R> ops::$trait<$tensor> for $number
        where
            Change<Tensor<D, N, R>>: ChangesNumber<$number>,
        {
            #[track_caller]
            fn $method(&mut self, tensor: $tensor) {
                let element: $number = Change(tensor.clone()).element();
                ops::$trait::$method(self, element);
            }
        }
    };
    (@change_by $trait:ident::$method:ident $number:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<D, N, R> ops::$trait<$tensor> for $number
        where
            Change<D>: ChangesNumberOtherwise,
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
