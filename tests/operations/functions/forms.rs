//! Typed, fused and dynamic forms give the same.

use supremum::{
    BF16, Bool, C64, C128, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F16, F32, F64, I8, I16, I64, Rank1,
    StaticDType, Tensor, U8, fuse,
};

use crate::naive::{self, edges};
use crate::vector;

/// Typed, dynamic and fused, of all values of small floats among others.
#[test]
fn each_form_of_a_function_gives_the_same() {
    macro_rules! same_results {
        ([$($function:ident)*] $D:ident $Out:ident) => {{
            let mut elements = edges::<<$D as StaticDType>::Element>();
            elements.extend(naive::sample::<<$D as StaticDType>::Element>(600, 5));
            let x = vector::<$D>(&elements);
            $(
                let expected: Tensor<$Out, Rank1> = x.$function();
                let what = concat!(stringify!($function), " of ", stringify!($D));
                let dynamic = x.clone().into_dyn().$function().expect("it has the function");
                let dynamic: Tensor<$Out, Rank1> = dynamic.typed().expect("the same dtype");
                naive::assert_same(&dynamic.to_vec(), &expected.to_vec(), what);
                naive::assert_same(&fuse!(x.$function()).to_vec(), &expected.to_vec(), what);
                let sum = &expected + &expected;
                naive::assert_same(&fuse!(x.$function() + x.$function()).to_vec(), &sum.to_vec(), what);
            )*
        }};
    }
    macro_rules! of_reals {
        ($($D:ident $Out:ident;)*) => { $(same_results!([asinh acosh atanh erf erfc rsqrt cbrt gelu gelu_tanh silu softplus] $D $Out);)* };
    }
    of_reals! { Bool F32; U8 F32; I64 F64; F8E4M3FN F8E4M3FN; F8E5M2 F8E5M2; BF16 BF16; F16 F16; F32 F32; F64 F64; }
    same_results!([relu] U8 U8);
    same_results!([relu] I16 I16);
    same_results!([relu] F8E4M3FN F8E4M3FN);
    same_results!([relu] BF16 BF16);
    same_results!([relu] F32 F32);
    same_results!([rsqrt asinh acosh atanh] C64 C64);
    same_results!([rsqrt asinh acosh atanh] C128 C128);
}

/// Of two operands: typed, dynamic and fused, beside one another and in a larger expression.
#[test]
fn each_form_of_a_function_of_two_operands_gives_the_same() {
    macro_rules! same_results {
        ($($D:ident $E:ident $Out:ident;)*) => {$({
            let mut left = edges::<<$D as StaticDType>::Element>();
            left.extend(naive::sample::<<$D as StaticDType>::Element>(600, 5));
            let mut right = naive::sample::<<$E as StaticDType>::Element>(left.len(), 7);
            for (at, edge) in edges::<<$E as StaticDType>::Element>().into_iter().enumerate() {
                let last = right.len() - 1;
                right[(at * 7).min(last)] = edge;
            }
            let (a, b) = (vector::<$D>(&left), vector::<$E>(&right));
            same_results!([hypot try_hypot, log_add_exp try_log_add_exp, copysign try_copysign, next_after try_next_after, leaky_relu try_leaky_relu, elu try_elu] a b $D $E $Out);
        })*};
        ([$($name:ident $try_name:ident),*] $a:ident $b:ident $D:ident $E:ident $Out:ident) => {$(
            let expected: Tensor<$Out, Rank1> = $a.$name(&$b);
            let what = concat!(stringify!($name), " of ", stringify!($D), " and ", stringify!($E));
            let dynamic = $a.clone().into_dyn().$try_name(&$b.clone().into_dyn()).expect("it has the function");
            let dynamic: Tensor<$Out, Rank1> = dynamic.typed().expect("the same dtype");
            naive::assert_same(&dynamic.to_vec(), &expected.to_vec(), what);
            naive::assert_same(&fuse!($a.$name($b)).to_vec(), &expected.to_vec(), what);
            let size = expected.abs();
            naive::assert_same(&fuse!($a.$name($b).abs()).to_vec(), &size.to_vec(), what);
        )*};
    }
    same_results! {
        U8 U8 F32; F8E4M3FN F8E4M3FN F8E4M3FN; F8E5M2 F8E5M2 F8E5M2; F8E4M3FNUZ F8E4M3FNUZ F8E4M3FNUZ;
        BF16 BF16 BF16; F16 F16 F16; BF16 F16 F32; F32 F32 F32; F32 F64 F64; I8 F16 F16;
    }
}
