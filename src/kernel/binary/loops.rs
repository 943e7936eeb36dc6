//! The loops of operations on two operands.
#![allow(unsafe_code, reason = "a promise that a test is pure")]

use core::marker::PhantomData;

use num_complex::Complex;

use super::division;
use super::op::BinaryOp;
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::float8::dispatch_float8;
use crate::dtype::format::Format;
use crate::dtype::{DType, Kind, bf16, f16};
use crate::op::each_binary;
use crate::simd::{Baseline, EasyCaseOfTwo, Isa, Kernel, each2, for_types, map2, map2_by_case};

macro_rules! for_unsigned_of_size {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype.size(), $T in [1 => u8, 2 => u16, 4 => u32] => $body, _ => { type $T = u64; $body })
    };
}
macro_rules! for_integer {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
            DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
        ] => $body, _ => { type $T = i64; $body })
    };
}
pub(in crate::kernel) use {for_integer, for_unsigned_of_size};

macro_rules! for_floats {
    ($dtype:expr, $E:ident => $body:expr) => {
        for_types!($dtype, $E in [
            DType::F16 => f16, DType::BF16 => bf16, DType::F32 => f32, DType::F64 => f64,
        ] => $body, _ => dispatch_float8!($dtype, $E => $body, _ => unreachable!("a float")))
    };
}

/// Looks an operation up in the table of the dtype's kind (`bool_kernel`, `unsigned_kernel` and so on), in the compute type.
macro_rules! kernel_of_kind {
    ($op:ident, $dtype:ident) => {{
        use DType::{C64, F64, I8, I16, I32, U8, U16, U32};
        match $dtype.kind() {
            Kind::Bool => bool_kernel::<BoolByte>($op, $dtype),
            Kind::Unsigned => {
                for_types!($dtype, T in [U8 => u8, U16 => u16, U32 => u32] => unsigned_kernel::<T>($op, $dtype), _ => unsigned_kernel::<u64>($op, $dtype))
            }
            Kind::Signed => {
                for_types!($dtype, T in [I8 => i8, I16 => i16, I32 => i32] => signed_kernel::<T>($op, $dtype), _ => signed_kernel::<i64>($op, $dtype))
            }
            Kind::Float => {
                for_types!($dtype, T in [F64 => f64] => float_kernel::<T>($op, $dtype), _ => float_kernel::<f32>($op, $dtype))
            }
            Kind::Complex => {
                for_types!($dtype, T in [C64 => Complex<f32>] => complex_kernel::<T>($op, $dtype), _ => complex_kernel::<Complex<f64>>($op, $dtype))
            }
        }
    }};
}
pub(in crate::kernel) use kernel_of_kind;

/// Returns the loop for an operation on elements of its [`BinaryOp::loop_dtype`].
pub(in crate::kernel) fn kernel(op: BinaryOp, dtype: DType) -> Option<Kernel> {
    kernel_of_kind!(op, dtype)
}

/// `fn name: kind;` is the table of the loops of a kind of dtype, computed in `T`.
macro_rules! binary_kernels {
    ($(fn $kernel:ident<$T:ident: $Bound:ident>: $kind:ident;)*) => {$(
        #[allow(unreachable_code, unused_variables, reason = "operations that the kind has; tables without `bits`")]
        fn $kernel<$T: $Bound>(op: BinaryOp, dtype: DType) -> Option<Kernel> {
            each_binary!(kernels binary_kernels! @table $kind $T dtype op)
        }
    )*};
    (@table $kind:ident $T:ident $dtype:ident $op:ident $($name:ident: $Op:ident $text:literal, $cost:literal => Itself {
        $($of:ident: $loop:ident |$($x:pat_param),+| $body:expr;)*
    })*) => {
        match $op {
            $(BinaryOp::$Op => {
                $(binary_kernels! { @$kind $of $loop $T $dtype $name })*
                None
            })*
        }
    };
    (@bool bool $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@unsigned unsigned $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@signed signed $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@float float $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@complex complex $($loop:tt)+) => { return binary_kernels!(@loop $($loop)+); };
    (@loop bits $T:ident $dtype:ident $name:ident) => {
        Some(for_unsigned_of_size!($dtype, U => map2(<U as ComputeType>::$name::<Baseline>)))
    };
    (@loop map $T:ident $dtype:ident $name:ident) => { Some(map2(<$T as ComputeType>::$name::<Baseline>)) };
    (@loop long $T:ident $dtype:ident $name:ident) => { binary_kernels!(@long $T $name |_, _| true) };
    (@loop power $T:ident $dtype:ident $name:ident) => { binary_kernels!(@long $T $name T::is_usual_power) };
    (@loop quotient $T:ident $dtype:ident $name:ident) => { binary_kernels!(@long $T $name T::has_short_quotient) };
    (@loop unit $T:ident $dtype:ident $name:ident) => {
        binary_kernels!(@long $T $name |_, factor: T| factor.to_f64() == 1.0)
    };
    (@long $T:ident $name:ident $is_easy:expr) => {
        Some({
            struct Function<T>(PhantomData<T>);
            // SAFETY: `is_easy` computes with its operands and constants alone, so its answer depends on them alone.
            unsafe impl<T: ComputeType> EasyCaseOfTwo for Function<T> {
                type Left = T;
                type Right = T;
                type Result = T;
                #[inline(always)]
                fn is_easy(a: T, b: T) -> bool {
                    $is_easy(a, b)
                }
                #[inline(always)]
                fn apply<I: Isa>(a: T, b: T) -> T {
                    T::$name::<I>(a, b)
                }
            }
            map2_by_case::<Function<$T>>()
        })
    };
    (@loop element $T:ident $dtype:ident $name:ident) => {
        Some(for_floats!($dtype, E => map2(<E as Format>::$name)))
    };
    (@loop short $T:ident $dtype:ident $name:ident) => {
        Some(division::$name($dtype))
    };
    (@loop each $T:ident $dtype:ident $name:ident) => { Some(each2(<$T as ComputeType>::$name::<Baseline>)) };
    (@$kind:ident $other:ident $($loop:tt)+) => {};
}

binary_kernels! {
    fn bool_kernel<T: ComputeType>: bool;
    fn unsigned_kernel<T: ComputeType>: unsigned;
    fn signed_kernel<T: ComputeType>: signed;
    fn float_kernel<T: ComputeType>: float;
    fn complex_kernel<T: ComputeType>: complex;
}
