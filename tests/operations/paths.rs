//! Three ways to one result: between typed tensors, in `fuse!`, and between dynamic tensors every operation gives
//! the same dtype, weakness, shape and bits, or the error that stands for the compiler's refusal.
//!
//! The compiler takes its time for each pair of dtypes, so there are some of each kind, and under JAX's rules each dtype beside
//! others. What all dtypes give under all systems `result_types.rs`, `rules_static.rs` and `dynamic.rs` compare with the run-time
//! tables; what dynamic tensors compute of all pairs is judged in `arithmetic.rs`, and beside the systems in `values.rs`.

use crate::agreement::{COMPARED, COUNTS, NUMBERS, agree, column, row};
use supremum::operations::{
    Absolute, Add, AnyAll, ArgMinMax, Atan2, Bitwise, Divide, Equality, FloatClass, Floor,
    FloorDivide, Mean, MinMax, MinMaxReduce, Multiply, Ordering, Power, Reciprocal, Round, Shift,
    Sign, Subtract, Sum, UnaryFloat, Variance,
};
use supremum::{
    AllowUnsafe, BF16, Bool, C64, C128, DynTensor, Error, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16,
    I32, I64, Jax, Numpy, Promoted, Rank2, Rules, SafePromote, StaticDType, Tensor, TensorFlow,
    Torch, U8, U16, U32, U64, Weak, try_fuse,
};

/// The results of an operation between typed tensors, and in an expression.
type Answer = Option<[Result<DynTensor, Error>; 2]>;

/// Compares the three ways; `None` if typed code does not compile.
#[track_caller]
fn all_agree(what: &str, typed: Answer, dynamic: Result<DynTensor, Error>) {
    match typed {
        None => agree(what, None, dynamic),
        Some([eager, fused]) => {
            agree(what, Some(fused), eager.clone());
            agree(what, Some(eager), dynamic);
        }
    }
}

/// A question about operands. Where the bounds of the inherent functions hold they hide the answers of this
/// trait.
trait Missing<Operands> {
    fn answer(_: Operands) -> Answer {
        None
    }
}

type T<D, R> = Tensor<D, Rank2, R>;

macro_rules! binary_questions {
    ($($method:ident: $table:ident, |$a:ident, $b:ident| $fused:expr;)*) => {$(
        #[allow(non_camel_case_types, reason = "named like the method")]
        struct $method<A, B, R>(core::marker::PhantomData<(A, B, R)>);
        impl<A, B, R> Missing<(&T<A, R>, &T<B, R>)> for $method<A, B, R> {}
        impl<A: StaticDType, B: StaticDType, R: Rules> $method<A, B, R>
        where
            R::Operand<A, Rank2>: SafePromote<R::Operand<B, Rank2>, R::$table>,
            Promoted<R::Operand<A, Rank2>, R::Operand<B, Rank2>, R::$table>: $table<R::Operations>,
        {
            fn answer(($a, $b): (&T<A, R>, &T<B, R>)) -> Answer {
                let fused = $fused;
                Some([$a.$method($b).map(Tensor::into_dyn), fused.map(Tensor::into_dyn)])
            }
        }
    )*};
}

binary_questions! {
    try_add: Add, |a, b| try_fuse!(a + b);
    try_sub: Subtract, |a, b| try_fuse!(a - b);
    try_mul: Multiply, |a, b| try_fuse!(a * b);
    try_div: Divide, |a, b| try_fuse!(a / b);
    try_rem: FloorDivide, |a, b| try_fuse!(a % b);
    try_floor_div: FloorDivide, |a, b| try_fuse!(a.floor_div(b));
    try_pow: Power, |a, b| try_fuse!(a.pow(b));
    try_atan2: Atan2, |a, b| try_fuse!(a.atan2(b));
    try_minimum: MinMax, |a, b| try_fuse!(a.minimum(b));
    try_maximum: MinMax, |a, b| try_fuse!(a.maximum(b));
    try_bitand: Bitwise, |a, b| try_fuse!(a & b);
    try_bitor: Bitwise, |a, b| try_fuse!(a | b);
    try_bitxor: Bitwise, |a, b| try_fuse!(a ^ b);
    try_shl: Shift, |a, b| try_fuse!(a << b);
    try_shr: Shift, |a, b| try_fuse!(a >> b);
    try_equal: Equality, |a, b| try_fuse!(a == b);
    try_not_equal: Equality, |a, b| try_fuse!(a != b);
    try_lt: Ordering, |a, b| try_fuse!(a < b);
    try_le: Ordering, |a, b| try_fuse!(a <= b);
    try_gt: Ordering, |a, b| try_fuse!(a > b);
    try_ge: Ordering, |a, b| try_fuse!(a >= b);
}

macro_rules! ask_pair {
    ($rules:ty, $a:ty, $b:ty, $($method:ident)*) => {{
        fn ask() {
            for right in [&NUMBERS[..], &COUNTS] {
                let (lhs, rhs) = (column::<$a, $rules>(&NUMBERS), row::<$b, $rules>(right));
                let (any_lhs, any_rhs) = (lhs.clone().into_dyn(), rhs.clone().into_dyn());
                $(all_agree(
                    concat!(stringify!($method), " of ", stringify!($a), " and ", stringify!($b), " under ", stringify!($rules)),
                    <$method<$a, $b, $rules>>::answer((&lhs, &rhs)),
                    any_lhs.$method(&any_rhs),
                );)*
            }
        }
        ask();
    }};
}

macro_rules! ask_all {
    ($rules:ty, $a:ident $b:ident) => {
        ask_pair!($rules, $a, $b,
            try_add try_sub try_mul try_div try_rem try_floor_div try_pow try_atan2 try_minimum try_maximum try_bitand
            try_bitor try_bitxor try_shl try_shr try_equal try_not_equal try_lt try_le try_gt try_ge);
    };
}

/// Asks one operation of each group, which is what a result's dtype depends on.
macro_rules! ask_groups {
    ($rules:ty, $a:ident $b:ident) => {
        ask_pair!($rules, $a, $b,
            try_add try_sub try_mul try_div try_floor_div try_pow try_atan2 try_minimum try_bitand try_shl try_equal try_lt);
    };
}

/// Asks about each dtype of a list with each.
macro_rules! ask_square {
    ($ask:ident $rules:ty, [$($a:ident)*] $all:tt) => { $(ask_square!(@row $ask $rules, $a $all);)* };
    (@row $ask:ident $rules:ty, $a:ident [$($b:ident)*]) => { $($ask!($rules, $a $b);)* };
}

macro_rules! unary_questions {
    ($($method:ident $dynamic:ident: $table:ident;)*) => {$(
        #[allow(non_camel_case_types, reason = "named like the method")]
        struct $dynamic<D, R>(core::marker::PhantomData<(D, R)>);
        impl<D, R> Missing<&T<D, R>> for $dynamic<D, R> {}
        impl<D: StaticDType + $table<R::Operations>, R: Rules> $dynamic<D, R> {
            fn answer(x: &T<D, R>) -> Answer {
                let fused = try_fuse!(x.$method());
                Some([Ok(x.$method().into_dyn()), fused.map(Tensor::into_dyn)])
            }
        }
    )*};
}

macro_rules! functions {
    ($callback:ident! $($more:tt)*) => {
        $callback! { $($more)*
            sqrt sqrt: UnaryFloat; exp exp: UnaryFloat; exp2 exp2: UnaryFloat; exp_m1 exp_m1: UnaryFloat;
            ln ln: UnaryFloat; ln_1p ln_1p: UnaryFloat; log2 log2: UnaryFloat; log10 log10: UnaryFloat;
            sin sin: UnaryFloat; cos cos: UnaryFloat; tan tan: UnaryFloat; asin asin: UnaryFloat;
            acos acos: UnaryFloat; atan atan: UnaryFloat; sinh sinh: UnaryFloat; cosh cosh: UnaryFloat;
            asinh asinh: UnaryFloat; acosh acosh: UnaryFloat; atanh atanh: UnaryFloat;
            tanh tanh: UnaryFloat; sigmoid sigmoid: UnaryFloat; round round: Round; sign sign: Sign;
            floor floor: Floor; ceil ceil: Floor; trunc trunc: Floor; recip recip: Reciprocal; abs abs: Absolute;
            real real: Absolute; imag imag: Absolute; is_nan is_nan: FloatClass; is_infinite is_infinite: FloatClass;
            is_finite is_finite: FloatClass;
            sum try_sum: Sum; prod try_prod: Sum; mean try_mean: Mean; var try_var: Variance; std try_std: Variance;
            min try_min: MinMaxReduce; max try_max: MinMaxReduce; any try_any: AnyAll; all try_all: AnyAll;
            argmin try_argmin: ArgMinMax; argmax try_argmax: ArgMinMax;
        }
    };
}
functions!(unary_questions!);

/// One function of each group, which is what a result's dtype depends on.
macro_rules! function_groups {
    ($callback:ident! $($more:tt)*) => {
        $callback! { $($more)*
            sqrt sqrt: UnaryFloat; round round: Round; sign sign: Sign; floor floor: Floor; recip recip: Reciprocal;
            abs abs: Absolute; is_nan is_nan: FloatClass; sum try_sum: Sum; mean try_mean: Mean; var try_var: Variance;
            min try_min: MinMaxReduce; any try_any: AnyAll; argmin try_argmin: ArgMinMax;
        }
    };
}

macro_rules! ask_functions {
    ([$functions:ident $rules:ty] $($dtype:ty)*) => {$({
        fn ask() {
            let x = column::<$dtype, $rules>(&NUMBERS);
            let any = x.clone().into_dyn();
            $functions!(ask_functions! @each $rules, $dtype, x, any;);
        }
        ask();
    })*};
    (@each $rules:ty, $dtype:ty, $x:ident, $any:ident; $($method:ident $dynamic:ident: $table:ident;)*) => {
        $(all_agree(
            concat!(stringify!($method), " of ", stringify!($dtype), " under ", stringify!($rules)),
            <$dynamic<$dtype, $rules>>::answer(&$x),
            $any.$dynamic(),
        );)*
    };
}

/// Asks about each pair of the first dtypes, about each of the others with itself, about functions of the next, and about one function of
/// each group of the last. The operations of a group differ in what they compute, not in their rules, so all are asked under JAX's and
/// one of each group under those of the others.
macro_rules! systems {
    ($($test:ident $rules:ty, $ask:ident [$($square:ident)*] [$($other:ident)*] [$($operand:ty)*] [$($of_group:ty)*]: $results:literal;)*) => {$(
        #[test]
        fn $test() {
            ask_square!($ask $rules, [$($square)*] [$($square)*]);
            $(ask_all!($rules, $other $other);)*
            ask_functions!([functions $rules] $($operand)*);
            ask_functions!([function_groups $rules] $($of_group)*);
            println!("{:10} {} results", stringify!($test), COMPARED.get());
            assert_eq!(COMPARED.get(), $results);
        }
    )*};
}

systems! {
    jax AllowUnsafe<Jax>, ask_all [Bool U8 I64 BF16 C64] [U16 U32 U64 I8 I16 I32 F8E4M3FN F8E5M2 F16 F32 F64 C128]
        [Bool U8 I64 F8E4M3FN BF16 F32 C64 Weak<F64>]
        [U16 U32 U64 I8 I16 I32 F8E5M2 F16 F64 C128 Weak<I64> Weak<C128>]: 3_258;
    numpy AllowUnsafe<Numpy>, ask_groups [Bool U64 I64 F16] [BF16] [] [Bool U8 I64 BF16 Weak<I64>]: 866;
    torch AllowUnsafe<Torch>, ask_groups [Bool U8 F16 C64] [] [] []: 514;
    tensorflow AllowUnsafe<TensorFlow>, ask_groups [Bool U8 I64 F32] [] [] []: 490;
}
