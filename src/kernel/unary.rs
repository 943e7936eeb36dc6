//! Functions of one operand.
#![allow(unsafe_code, reason = "a promise that a test is pure")]

use core::marker::PhantomData;
use std::borrow::Cow;

use num_complex::Complex;

use super::binary::loops::{for_unsigned_of_size, kernel_of_kind};
use super::cast::{cast, cast_result, chain_from_compute, chain_to_compute};
use super::elementwise::ElementwisePlan;
use crate::array::{Array, OpResult};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Kind, compute_dtype};
use crate::error::Error;
use crate::op::{each_unary, easy_packs, is_plain, kind_of_row};
use crate::simd::{
    Baseline, EasyCase, Isa, Kernel, UnaryFunction, each1, for_types, map_function, map1,
    map1_by_case,
};

/// The packs for which a loop has a shorter way (`simd/by_case.rs`).
pub(super) enum EasyPacks {
    All,
    /// Those of numbers that [are near](crate::dtype::compute::ComputeType::is_near) zero.
    Near,
    /// Those of numbers that [are moderate](crate::dtype::compute::ComputeType::is_moderate).
    Moderate,
    /// Those of numbers that [are small](crate::dtype::compute::ComputeType::is_small).
    Small,
    /// Those of [positive normal numbers](crate::dtype::compute::ComputeType::is_positive_normal).
    Positive,
}

macro_rules! unary_op {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident {
        $($of:ident: $loop:ident |$x:pat_param| $body:expr;)*
    })*) => {
        /// A function of one operand, computed in one dtype.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum UnaryOp {
            $($Op,)*
        }

        impl UnaryOp {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$Op),*];

            /// About how long it takes, in additions.
            pub(super) const fn cost(self) -> usize {
                match self {
                    $(Self::$Op => $cost,)*
                }
            }

            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => $text,)*
                }
            }

            /// The dtype of the result when computed in `compute`, or `None` if that has no meaning.
            pub(crate) const fn result(self, compute: DType) -> Option<DType> {
                match self {
                    $(Self::$Op => match compute.kind() {
                        $(kind_of_row!($of) => Some(unary_op!(@$Result compute)),)*
                        #[allow(unreachable_patterns, reason = "functions of all kinds")]
                        _ => None,
                    },)*
                }
            }

            /// Returns whether it is computed for one element after the other in a dtype, instead of by vectors.
            pub(super) const fn is_plain(self, dtype: DType) -> bool {
                match self {
                    $(Self::$Op => match dtype.kind() {
                        $(kind_of_row!($of) => is_plain!($loop dtype),)*
                        #[allow(unreachable_patterns, reason = "functions of all kinds")]
                        _ => false,
                    },)*
                }
            }

            /// Returns the packs for which its loop has a shorter way, if it is not plain.
            pub(super) const fn easy_packs(self, dtype: DType) -> Option<EasyPacks> {
                match self {
                    $(Self::$Op => match dtype.kind() {
                        $(kind_of_row!($of) => easy_packs!($loop),)*
                        #[allow(unreachable_patterns, reason = "functions of all kinds")]
                        _ => None,
                    },)*
                }
            }

            /// Returns whether it is defined in a dtype.
            pub(crate) const fn is_defined(self, dtype: DType) -> bool {
                self.result(dtype).is_some()
            }
        }
    };
    (@Itself $compute:ident) => { $compute };
    (@Part $compute:ident) => {
        match $compute {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            real => real,
        }
    };
    (@Truth $compute:ident) => { DType::Bool };
}

each_unary!(kernels unary_op!);

/// Casts the operand to a dtype, computes in it, and casts the result, of dtype [`UnaryOp::result`], to `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the function has no meaning in the dtype; [`Error::OutOfMemory`].
pub(crate) fn unary(op: UnaryOp, compute: DType, out: DType, x: Cow<'_, Array>) -> OpResult {
    match op.result(compute) {
        Some(dtype) => cast_result(computed(op, compute, dtype, x), dtype, out),
        None => OpResult::from(Error::UnsupportedDType {
            operation: op.name(),
            dtype: compute,
        }),
    }
}

fn computed(op: UnaryOp, compute: DType, dtype: DType, x: Cow<'_, Array>) -> OpResult {
    if x.dtype() == compute
        && let Some(kernel) = sign_kernel(op, compute)
    {
        return ElementwisePlan::plain(kernel, dtype, op.cost()).run_alone(x, &[]);
    }
    let Some(kernel) = kernel(op, compute_dtype(compute)) else {
        return cast(x, compute).into();
    };
    let apply = ElementwisePlan {
        kernel,
        chain: chain_from_compute(dtype),
        dtype,
        cost: op.cost(),
    };
    let chain = chain_to_compute(x.dtype(), compute);
    apply.run_alone(x, chain)
}

/// The loop for a function that changes a sign alone, by the bits. Floats of 16 bits need no conversion then; a NaN becomes quiet, as it
/// does on the way through `f32`. Of the parts of complex numbers LLVM would make no vectors, which take a third of the time.
fn sign_kernel(op: UnaryOp, dtype: DType) -> Option<Kernel> {
    const SIGN: u16 = 1 << 15;
    const SIGN_OF_IMAGINARY: u64 = if cfg!(target_endian = "little") {
        1 << 63
    } else {
        1 << 31
    };
    Some(match (op, dtype) {
        (UnaryOp::Neg, DType::F16) => map1(|bits: u16| quiet::<0x7c00>(bits) ^ SIGN),
        (UnaryOp::Neg, DType::BF16) => map1(|bits: u16| quiet::<0x7f80>(bits) ^ SIGN),
        (UnaryOp::Abs, DType::F16) => map1(|bits: u16| quiet::<0x7c00>(bits) & !SIGN),
        (UnaryOp::Abs, DType::BF16) => map1(|bits: u16| quiet::<0x7f80>(bits) & !SIGN),
        (UnaryOp::Conj, DType::C64) => map1(|bits: u64| bits ^ SIGN_OF_IMAGINARY),
        _ => return None,
    })
}

/// Sets the highest bit of the mantissa of a NaN, in a format whose infinity has these bits.
#[inline(always)]
fn quiet<const INFINITY: u16>(bits: u16) -> u16 {
    let is_nan = bits & 0x7fff > INFINITY;
    let highest = (INFINITY & INFINITY.wrapping_neg()) >> 1;
    bits | if is_nan { highest } else { 0 }
}

/// The loop for a function on compute types; `None` for the identity. Only where there is a result.
pub(super) fn kernel(op: UnaryOp, dtype: DType) -> Option<Kernel> {
    kernel_of_kind!(op, dtype)
}

/// `fn name<T: Bound>: kind;` is the table of the loops of a kind of dtype, computed in `T`.
macro_rules! unary_kernels {
    ($(fn $kernel:ident<$T:ident: $Bound:ident>: $kind:ident;)*) => {$(
        #[allow(unreachable_code, unused_variables, reason = "functions that the kind has; tables without `bits`")]
        fn $kernel<$T: $Bound>(op: UnaryOp, dtype: DType) -> Option<Kernel> {
            each_unary!(kernels unary_kernels! @table $kind $T dtype op)
        }
    )*};
    (@table $kind:ident $T:ident $dtype:ident $op:ident $($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident {
        $($of:ident: $loop:ident |$x:pat_param| $body:expr;)*
    })*) => {
        match $op {
            $(UnaryOp::$Op => {
                $(unary_kernels! { @$kind $of $loop $T $dtype $name $Result })*
                None
            })*
        }
    };
    (@bool bool $($loop:tt)+) => { return unary_kernels!(@loop $($loop)+); };
    (@unsigned unsigned $($loop:tt)+) => { return unary_kernels!(@loop $($loop)+); };
    (@signed signed $($loop:tt)+) => { return unary_kernels!(@loop $($loop)+); };
    (@float float $($loop:tt)+) => { return unary_kernels!(@loop $($loop)+); };
    (@complex complex $($loop:tt)+) => { return unary_kernels!(@loop $($loop)+); };
    (@loop same $T:ident $dtype:ident $name:ident $Result:ident) => { None };
    (@loop bits $T:ident $dtype:ident $name:ident $Result:ident) => {{
        unary_kernels!(@function $name $Result);
        Some(for_unsigned_of_size!($dtype, U => map_function::<Function<U>>()))
    }};
    (@loop map $T:ident $dtype:ident $name:ident $Result:ident) => {{
        unary_kernels!(@function $name $Result);
        Some(map_function::<Function<$T>>())
    }};
    (@loop long $T:ident $dtype:ident $name:ident $Result:ident) => {
        Some(unary_kernels!(@by_case $T $name |_| true))
    };
    (@loop near $T:ident $dtype:ident $name:ident $Result:ident) => {
        Some(if const { size_of::<$T>() > 8 } {
            each1(<$T as ComputeType>::$name::<Baseline>)
        } else {
            unary_kernels!(@by_case $T $name T::is_near)
        })
    };
    (@loop moderate $T:ident $dtype:ident $name:ident $Result:ident) => {
        Some(unary_kernels!(@by_case $T $name T::is_moderate))
    };
    (@loop small $T:ident $dtype:ident $name:ident $Result:ident) => {
        Some(unary_kernels!(@by_case $T $name T::is_small))
    };
    (@loop positive $T:ident $dtype:ident $name:ident $Result:ident) => {
        Some(unary_kernels!(@by_case $T $name T::is_positive_normal))
    };
    (@loop each $T:ident $dtype:ident $name:ident $Result:ident) => { Some(each1(<$T as ComputeType>::$name::<Baseline>)) };
    (@loop wide $T:ident $dtype:ident $name:ident $Result:ident) => { Some(each1(<$T as ComputeType>::$name::<Baseline>)) };
    (@by_case $T:ident $name:ident $is_easy:expr) => {{
        struct Function<T>(PhantomData<T>);
        // SAFETY: `is_easy` compares its operands with constants and nothing else, so its answer depends on them alone.
        unsafe impl<T: ComputeType> EasyCase for Function<T> {
            type Argument = T;
            type Result = T;
            #[inline(always)]
            fn is_easy(x: T) -> bool {
                $is_easy(x)
            }
            #[inline(always)]
            fn apply<I: Isa>(x: T) -> T {
                T::$name::<I>(x)
            }
        }
        map1_by_case::<Function<$T>>()
    }};
    (@function $name:ident $Result:ident) => {
        struct Function<T>(PhantomData<T>);
        impl<T: ComputeType> UnaryFunction for Function<T> {
            type Argument = T;
            type Result = unary_kernels!(@result $Result T);
            #[inline(always)]
            fn apply<I: Isa>(x: T) -> Self::Result {
                T::$name::<I>(x)
            }
        }
    };
    (@result Itself $T:ident) => { $T };
    (@result Part $T:ident) => { <$T as ComputeType>::Real };
    (@result Truth $T:ident) => { bool };
    (@$kind:ident $other:ident $($loop:tt)+) => {};
}

unary_kernels! {
    fn bool_kernel<T: ComputeType>: bool;
    fn unsigned_kernel<T: ComputeType>: unsigned;
    fn signed_kernel<T: ComputeType>: signed;
    fn float_kernel<T: ComputeType>: float;
    fn complex_kernel<T: ComputeType>: complex;
}
