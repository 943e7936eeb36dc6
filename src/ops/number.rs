//! Rust numbers on the left of tensors, which are not operands, and literals on the left of `&mut Tensor`: impls that exist for their
//! messages. Numbers that a tensor changes: `total += loss` adds the element of a tensor of rank 0.
//!
//! A number on the right of a tensor is refused by the generic impl of the operator. On the left each type needs an impl, because
//! operators are foreign traits. The bound of these impls never holds, so they do not affect inference: when the compiler infers the type
//! of a literal, it discards them and finds `i64` or `f64`.
//!
//! A literal may have the type `f32` as well as `f64`. If both have an impl for the tensor and neither bound holds, the
//! compiler reports neither bound and lists impls of other crates. If only `f64` has an impl, the compiler reports the
//! bound that does not hold. So `f32` has impls only for tensors beside which a literal is an operand: for those dtypes
//! that take it under the rules of most systems, and for single ranks, because code over a rank and rules has to state a bound.
//! The same is true of `i64` and the other integers. Those of 8 and 16 bits have impls for tensors of their own dtype. Under `Jax`
//! rules, which are the default, a literal is an operand beside more dtypes, so `f32` and the integers have more impls, of every rank.
//! Other pairs have rustc's message, ``cannot multiply `f32` by `&Tensor<I64>` ``: beside `I64`, `U64` and a dtype `D` of generic code
//! the literal `0.5` is refused, and with a second impl it would lose its message. Impls for more pairs would lengthen the check of the
//! library, by half a second for a thousand.

use core::ops;

use super::operand::with_operand_message;
use crate::dtype::{self, I64, StaticDType, bf16, c64, c128, f16};
use crate::op::each_binary;
use crate::rank::{self, Rank, Rank0};
use crate::rules::{Jax, Rules};
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
    note = "a tensor of rank 0 changes a number by `+=`, `-=` and `*=`, and a float by `/=`, if the number's type has all values of the dtype: convert a tensor of another dtype, `total += t.cast::<F32>()`, and reduce one of another rank, `total += t.sum()`; a count as a `usize` is `right += i64::from(mask.sum()) as usize`; or the left side is a tensor too, of the same dtype, e.g. `let mut total = Tensor::<F32, Rank0>::zeros([]);`"
)]
pub trait ChangesNumber<To> {
    /// The element.
    fn element(self) -> To;
}

/// Stands for a right side in the bound.
// Not the right side itself: rustc would say how to implement the trait for it.
#[cfg_attr(doc, doc(hidden))]
pub struct Change<T>(T);

// The bound is that of `.into()`, which `from.rs` states for each pair of a number and a dtype at rank 0.
#[diagnostic::do_not_recommend]
impl<T, To: From<T>> ChangesNumber<To> for Change<T> {
    #[track_caller]
    fn element(self) -> To {
        self.0.into()
    }
}

/// Implemented by no type. Rust divides integers otherwise than the rules do, and bits of numbers are not changed by tensors.
#[cfg_attr(doc, doc(hidden))]
#[diagnostic::on_unimplemented(
    message = "a tensor changes a number by `+=`, `-=` and `*=` only, and a float by `/=`",
    label = "the left side is a number and not a tensor",
    note = "a tensor of rank 0 converts to its element, which has the number's type or a narrower one: `n /= i64::from(t)`, `total %= f32::from(t)`"
)]
pub trait ChangesNumberOtherwise {}

// If no impl holds for a literal's type, `{float}` or `{integer}`, rustc lists impls. If one impl is possible, it reports the bound of
// that impl. So one float and one integer have an impl for all tensors, `f32` and `i32`; `f64` and the other integers have impls for
// each dtype whose values they have, between which rustc chooses by the literal's type. Impls for counts only exist for their message.
// They do no harm: for a tensor of `I64` the impl of `i64` holds.
macro_rules! operators {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operators!(@$form $group $name $($operator)*);)*
    };
    (@method $group:ident $name:ident) => {};
    (@operator $group:ident $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal) => {
        operators!(@mutable $trait::$method i64 f64 c128 bool);
        operators!(@change $assign::$assign_method);
        operators!(@any_tensor $trait::$method f16 bf16 c64);
        operators!(@beside $group $trait::$method);
    };
    (@beside Bitwise $trait:ident::$method:ident) => {
        operators!(@each_dtype [i32 u8 u32 u64 usize] [U8 I32 I64] [] $trait::$method);
    };
    (@beside Shift $trait:ident::$method:ident) => {
        operators!(@beside Bitwise $trait::$method);
    };
    (@beside $group:ident $trait:ident::$method:ident) => {
        operators!(@each_dtype [f32] [F16 BF16 F32 F64] [Rank0 Rank1 Rank2 Rank3 Rank4 AnyRank] $trait::$method);
        operators!(@each_dtype [i32 u32 u64 usize] [I32 I64 F32 F64] [Rank0 Rank1 Rank2 Rank3 AnyRank] $trait::$method);
        operators!(@of_dtypes u8, [U8] [Rank1 Rank2 Rank3 AnyRank] $trait::$method);
        operators!(@of_dtypes i8, [I8] [Rank1 Rank2 Rank3 AnyRank] $trait::$method);
        operators!(@of_dtypes u16, [U16] [Rank1 Rank2 Rank3 AnyRank] $trait::$method);
        operators!(@of_dtypes i16, [I16] [Rank1 Rank2 Rank3 AnyRank] $trait::$method);
        operators!(@under_jax [f32] [I8 I16 I32 U8 U16 U32] $trait::$method);
        operators!(@under_jax [i32 u32 u64 usize] [F16 BF16 I8 I16 U8 U16 U32 U64] $trait::$method);
    };
    (@under_jax [$($number:ty)*] $dtypes:tt $trait:ident::$method:ident) => {
        $( operators!(@of_dtypes_under_jax $number, $dtypes $trait::$method); )*
    };
    (@of_dtypes_under_jax $number:ty, [$($D:ident)*] $trait:ident::$method:ident) => {
        $( operators!(@number [N: Rank] $trait::$method $number, Tensor<dtype::$D, N, Jax>, Jax); )*
    };
    (@each_dtype [$($number:ty)*] $dtypes:tt $ranks:tt $trait:ident::$method:ident) => {
        $( operators!(@of_dtypes $number, $dtypes $ranks $trait::$method); )*
    };
    (@of_dtypes $number:ty, [$($D:ident)*] $ranks:tt $trait:ident::$method:ident) => {
        $( operators!(@of_dtype $number, $D $ranks $trait::$method); )*
    };
    (@of_dtype $number:ty, $D:ident [] $trait:ident::$method:ident) => {
        operators!(@number [N: Rank, R: Rules] $trait::$method $number, Tensor<dtype::$D, N, R>, R);
    };
    (@of_dtype $number:ty, $D:ident [$($N:ident)*] $trait:ident::$method:ident) => {
        $( operators!(@number [R: Rules] $trait::$method $number, Tensor<dtype::$D, rank::$N, R>, R); )*
    };
    (@change AddAssign::$method:ident) => {
        operators!(@change_all AddAssign::$method);
    };
    (@change SubAssign::$method:ident) => {
        operators!(@change_all SubAssign::$method);
    };
    (@change MulAssign::$method:ident) => {
        operators!(@change_all MulAssign::$method);
    };
    (@change DivAssign::$method:ident) => {
        operators!(@each [any] DivAssign::$method f16 bf16 f32 c64 c128);
        operators!(@each [otherwise] DivAssign::$method i32);
    };
    (@change $trait:ident::$method:ident) => {
        operators!(@each [otherwise] $trait::$method f32 i32);
    };
    (@change_all $trait:ident::$method:ident) => {
        operators!(@each [any] $trait::$method f16 bf16 f32 i32 c64 c128);
        operators!(@each [count] $trait::$method i8 i16 i128 isize u8 u16 u32 u64 u128 usize);
    };
    (@each [$kind:ident] $trait:ident::$method:ident $($number:ty)*) => {$(
        operators!(@$kind $trait::$method $number, &);
        operators!(@$kind $trait::$method $number,);
    )*};
    (@any $trait:ident::$method:ident $number:ty, $($by:tt)?) => {
        operators!(@assign [D, N, R] $trait::$method $number, Tensor<D, N, R>, $($by)?);
    };
    (@count $trait:ident::$method:ident $number:ty, $($by:tt)?) => {
        operators!(@assign [R] $trait::$method $number, Tensor<I64, Rank0, R>, $($by)?);
    };
    (@each_of $D:ident $number:ty, $($trait:ident::$method:ident)*) => {$(
        operators!(@assign [R: Rules] $trait::$method $number, Tensor<crate::dtype::$D, Rank0, R>, &);
        operators!(@assign [R: Rules] $trait::$method $number, Tensor<crate::dtype::$D, Rank0, R>,);
    )*};
    (@assign [$($generics:tt)*] $trait:ident::$method:ident $number:ty, $tensor:ty, $($by:tt)?) => {
        #[doc(hidden)]
        impl<$($generics)*> ops::$trait<$($by)? $tensor> for $number
        where
            Change<$tensor>: ChangesNumber<$number>,
        {
            #[track_caller]
            fn $method(&mut self, tensor: $($by)? $tensor) {
                let element: $number = Change(tensor.clone()).element();
                ops::$trait::$method(self, element);
            }
        }
    };
    (@otherwise $trait:ident::$method:ident $number:ty, $($by:tt)?) => {
        #[doc(hidden)]
        impl<D, N, R> ops::$trait<$($by)? Tensor<D, N, R>> for $number
        where
            Change<D>: ChangesNumberOtherwise,
        {
            fn $method(&mut self, _: $($by)? Tensor<D, N, R>) {
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
    (@any_tensor $trait:ident::$method:ident $($number:ty)*) => {
        $( operators!(@number [D: StaticDType, N: Rank, R: Rules] $trait::$method $number, Tensor<D, N, R>, R); )*
    };
    (@number $generics:tt $trait:ident::$method:ident $number:ty, $tensor:ty, $R:ty) => {
        operators!(@refused $generics $trait::$method $number, $tensor, $R, $tensor);
        operators!(@refused $generics $trait::$method $number, $tensor, $R, &$tensor);
    };
    (@refused [$($generics:tt)*] $trait:ident::$method:ident $number:ty, $output:ty, $R:ty, $tensor:ty) => {
        #[doc(hidden)]
        impl<$($generics)*> ops::$trait<$tensor> for $number
        where
            for<'a> $number: LeftOperand<$R>, // Without `for` the compiler checks a bound of known types at once.
        {
            type Output = $output;

            fn $method(self, _: $tensor) -> Self::Output {
                unreachable!("the bound never holds")
            }
        }
    };
}

each_binary!(methods operators!);

/// Writes the impls of the numbers that have one for each dtype whose values they have.
macro_rules! widenings {
    ($($D:ident $kind:ident: $($To:ident)*;)*) => {$(
        widenings!(@to $D $D);
        $(widenings!(@to $D $To);)*
    )*};
    (@to $D:ident F64) => {
        operators!(@each_of $D f64, AddAssign::add_assign SubAssign::sub_assign MulAssign::mul_assign DivAssign::div_assign);
    };
    (@to $D:ident I8) => { widenings!(@integer $D i8); };
    (@to $D:ident I16) => { widenings!(@integer $D i16); };
    (@to $D:ident I64) => { widenings!(@integer $D i64); };
    (@to $D:ident U8) => { widenings!(@integer $D u8); };
    (@to $D:ident U16) => { widenings!(@integer $D u16); };
    (@to $D:ident U32) => { widenings!(@integer $D u32); };
    (@to $D:ident U64) => { widenings!(@integer $D u64); };
    (@to $D:ident $To:ident) => {};
    (@integer $D:ident $number:ty) => {
        operators!(@each_of $D $number, AddAssign::add_assign SubAssign::sub_assign MulAssign::mul_assign);
    };
}

supremum_macros::with_widenings! { widenings }
