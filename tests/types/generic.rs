//! Functions over dtypes, ranks and rules, with as few bounds as they need, and for which dtypes they hold.

use std::marker::PhantomData;

use supremum::static_assertions::assert_type_eq_all;
use supremum::*;

/// One bound: the operands are converted to their common dtype first.
fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Common<(A, X, Y)>>
where
    (A, X, Y): SafeCommon,
{
    let (a, x, y) = promote((a, x, y));
    a * x + y
}

/// Two bounds: step by step, as `a * x + y` is without a function.
fn axpy_in_steps<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Steps<A, X, Y>>
where
    A: SafePromote<X>,
    Promoted<A, X>: SafePromote<Y>,
{
    a * x + y
}

type Steps<A, X, Y> = Promoted<Promoted<A, X>, Y>;

/// One bound for all that is done with dtypes, with the rank and the rules as parameters.
fn axpy_under<A, X, Y, N: Rank, R: Rules>(
    a: &Tensor<A, N, R>,
    x: &Tensor<X, N, R>,
    y: &Tensor<Y, N, R>,
) -> Tensor<Common<(A, X, Y), R>, N, R>
where
    (A, X, Y): SafeCommon<R, Output: Arithmetic<R, N>>,
{
    let (a, x, y) = promote((a, x, y));
    a * x + y
}

/// Each column with mean 0 and variance 1.
fn normalise<D, N, R>(x: &Tensor<D, N, R>) -> Tensor<D, N, R>
where
    D: Floating<R, N>,
    N: Rank,
    R: Rules,
{
    (x - x.mean_keepdims(0)) / (x.var_keepdims(0) + 1e-6).sqrt()
}

/// The mean squared difference of a prediction and labels of any dtype that the prediction's holds.
fn mse<D, L, N, R>(predicted: &Tensor<D, N, R>, labels: &Tensor<L, N, R>) -> Tensor<D, Rank0, R>
where
    D: Floating<R, N>,
    L: WidensTo<D>,
    N: Rank,
    R: Rules,
{
    (predicted - labels.widen::<D>()).pow(2).mean()
}

/// The mean of anything that widens to `C`, in `C`.
fn mean_in<C: Floating, D: WidensTo<C>>(t: &Tensor<D>) -> Tensor<C, Rank0> {
    t.widen::<C>().mean()
}

/// A matrix product under any rules.
fn quadratic<D, R>(x: &Tensor<D, Rank2, R>, m: &Tensor<D, Rank2, R>) -> Tensor<D, Rank2, R>
where
    D: Floating<R, Rank2>,
    R: Rules,
{
    x.matmul(m).matmul(&x.transpose())
}

/// Logistic regression: inputs, weights and biases of any dtypes.
fn layer<X, W, B>(
    inputs: &Tensor<X, Rank2>,
    weights: &Tensor<W, Rank2>,
    bias: &Tensor<B, Rank1>,
) -> Tensor<Common<(X, W, B)>, Rank2>
where
    (X, W, B): SafeCommon<Output: Floating>,
{
    let (inputs, weights, bias) = promote((inputs, weights, bias));
    (inputs.matmul(&weights) + bias).sigmoid()
}

/// `softmax` along the last axis, under any rules and at any rank.
fn softmax<D: Floating<R, N>, N: Rank, R: Rules>(scores: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    let powers = (scores - scores.max_keepdims(-1)).exp();
    &powers / powers.sum_keepdims(-1)
}

/// Literals on either side, and what rank zero gives beside any rank.
fn centred_twice<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    let centred = x - x.mean();
    (2 * centred + 1.0 - 1).maximum(-100.0) / 1.0
}

/// The other functions that every float has: running sums, whole quotients, lengths, roots and classes.
fn steps<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    let lengths = x.hypot(x).pow(0.5).is_finite();
    select(&lengths, x.cumsum(-1).floor_div(2), x)
}

/// Elements as `f64`.
fn numbers<D: StaticDType, N: Rank, R: Rules>(t: &Tensor<D, N, R>) -> Vec<f64> {
    t.cast::<F64>().to_vec()
}

/// A tensor of any dtype; the numbers are values of all of them.
fn of<D: StaticDType, N: Rank, R: Rules>(values: Tensor<I8, N, R>) -> Tensor<D, N, R> {
    values.cast()
}

/// All forms of `axpy` for three dtypes: the common one, and that of the steps.
macro_rules! axpys {
    ($($a:ident $x:ident $y:ident => $common:ident, $steps:ident;)*) => {$({
        let (a, x, y) = (of::<$a, _, _>(tensor![1, 2]), of::<$x, _, _>(tensor![1, 2]), of::<$y, _, _>(tensor![3]));
        let sum: Tensor<$common> = axpy(&a, &x, &y);
        let steps: Tensor<$steps> = axpy_in_steps(&a, &x, &y);
        let under: Tensor<$common> = axpy_under(&a, &x, &y);
        assert_eq!([numbers(&sum), numbers(&steps), numbers(&under)], [[4.0, 7.0], [4.0, 7.0], [4.0, 7.0]]);
    })*};
}

#[test]
fn axpy_over_many_dtypes() {
    axpys! {
        F32 F32 F32 => F32, F32;
        F16 BF16 I8 => F32, F32;
        I8 BF16 F16 => F32, F32;
        I8 U8 U16 => I32, I32;
        U8 F16 F64 => F64, F64;
        I32 I64 U32 => I64, I64;
        U8 I8 I16 => I16, I16;
        F64 I32 F16 => F64, F64;
        C64 F32 I16 => C64, C64;
        C64 F64 F16 => C128, C128;
        F8E4M3FN F8E4M3FN F8E4M3FN => F8E4M3FN, F8E4M3FN;
    }
}

/// The steps lead to a dtype that the next one loses values of; the common dtype holds all three.
#[test]
fn some_dtypes_have_a_common_one_and_no_steps() {
    let (a, x, y): (Tensor<U8>, Tensor<I8>, Tensor<BF16>) =
        (tensor![255], tensor![-1], tensor![0.5]);
    let sum: Tensor<BF16> = axpy(&a, &x, &y);
    assert_eq!(numbers(&sum), [-254.0]);
    assert_type_eq_all!(Promoted<U8, I8>, I16); // and BF16 does not hold every i16
}

/// A sum that is exact in the common dtype can round in the dtype of a step.
#[test]
fn promoted_first_is_rounded_once() {
    let (a, x, y): (Tensor<F16>, Tensor<F16>, Tensor<F32>) =
        (tensor![2047.0], tensor![3.0], tensor![0.0]);
    assert_eq!(axpy(&a, &x, &y).to_vec(), [6141.0]);
    assert_eq!(axpy_in_steps(&a, &x, &y).to_vec(), [6140.0]);
}

#[test]
fn axpy_under_other_rules_and_at_other_ranks() {
    let a: Tensor<U8, Rank1, Torch> = tensor![200, 2];
    let x: Tensor<I8, Rank1, Torch> = tensor![100, -3];
    let y: Tensor<F32, Rank1, Torch> = tensor![0.5, 0.25];
    let sum: Tensor<F32, Rank1, Torch> = axpy_under(&a, &x, &y);
    assert_eq!(sum.to_vec(), [20000.5, -5.75]);

    let a: Tensor<I8, Rank2, Numpy> = tensor![[1, 2]];
    let x: Tensor<U16, Rank2, Numpy> = tensor![[65535, 1]];
    let y: Tensor<F16, Rank2, Numpy> = tensor![[0.5, 0.25]];
    let sum: Tensor<F32, Rank2, Numpy> = axpy_under(&a, &x, &y); // step by step it would be f64
    assert_eq!(sum.to_vec(), [65535.5, 2.25]);

    // At rank zero as well, and where unsafe promotions are admitted.
    let [a, x] = [3, 4].map(Tensor::<I64, Rank0, AllowUnsafe<Torch>>::scalar);
    let y: Tensor<F32, Rank0, AllowUnsafe<Torch>> = Tensor::scalar(0.5);
    let sum: Tensor<F32, Rank0, _> = axpy_under(&a, &x, &y);
    assert_eq!(sum.item(), Ok(12.5));
}

#[test]
fn two_to_six_tensors_promote_together() {
    let (bytes, halves, floats): (Tensor<U8, Rank1>, Tensor<F16, Rank0>, Tensor<F32>) =
        (tensor![1, 2], Tensor::scalar(f16::ONE), tensor![0.5]);
    let two: (Tensor<F16, Rank1>, Tensor<F16, Rank0>) = promote((&bytes, &halves));
    assert_eq!(two.0.to_vec(), [f16::ONE, f16::from_f32(2.0)]);
    let (a, b, c, d): (
        Tensor<F32, Rank1>,
        Tensor<F32, Rank0>,
        Tensor<F32>,
        Tensor<F32>,
    ) = promote((&bytes, &halves, &floats, &floats));
    assert_eq!((a + b + c + d).to_vec(), [3.0, 4.0]);
    let (.., five) = promote((&bytes, &bytes, &bytes, &bytes, &halves));
    assert_type_eq_all!(Common<(U8, U8, U8, U8, F16)>, F16);
    assert_eq!(five.item(), Ok(f16::ONE));
    let (six, ..) = promote((&floats, &bytes, &bytes, &bytes, &bytes, &halves));
    assert_eq!(six.to_vec(), [0.5]);
}

/// The functions that need a float, under rules and at ranks of all kinds.
macro_rules! floats {
    ($($dtype:ident, $rules:ty;)*) => {$({
        let x: Tensor<$dtype, Rank2, $rules> = of(tensor![[1, 4], [3, 8]]);
        let normal: Tensor<$dtype, Rank2, $rules> = normalise(&x);
        for (value, expected) in numbers(&normal).into_iter().zip([-1.0, -1.0, 1.0, 1.0]) {
            assert!((value - expected).abs() < 0.01, "{value}");
        }
        let labels: Tensor<U8, Rank2, $rules> = tensor![[1, 2], [3, 6]];
        assert_eq!(numbers(&mse(&x, &labels)), [2.0]);
        assert_eq!(numbers(&centred_twice(&x)), [-6.0, 0.0, -2.0, 8.0]);
        assert_eq!(numbers(&quadratic(&of(tensor![[1, 2]]), &x)), [47.0]);
        let flat: Tensor<$dtype, Rank1, $rules> = of(tensor![2, 2]);
        assert_eq!(numbers(&softmax(&flat)), [0.5, 0.5]);
        assert_eq!(numbers(&steps(&x)), [0.0, 2.0, 1.0, 5.0]);
    })*};
}

#[test]
fn float_functions_over_dtypes_and_rules() {
    floats! {
        F16, Jax; BF16, Jax; F32, Jax; F64, Jax;
        F16, JaxX32; F32, JaxX32; F32, JaxStrict;
        F16, Numpy; F32, Numpy; F64, Numpy;
        F16, Torch; BF16, Torch; F32, Torch; F64, Torch;
        F16, TensorFlow; F32, TensorFlow; F64, TensorFlow;
        F32, Anvil; F64, Anvil;
        F64, AllowUnsafe<Torch>;
    }
}

#[test]
fn a_layer_over_three_dtypes() {
    let inputs: Tensor<U8, Rank2> = tensor![[1, 2]];
    let weights: Tensor<BF16, Rank2> = tensor![[1.0], [-0.5]];
    let bias: Tensor<F16, Rank1> = tensor![0.0];
    let half: Tensor<F32, Rank2> = layer(&inputs, &weights, &bias);
    assert_eq!(half.to_vec(), [0.5]);
    let half: Tensor<BF16, Rank2> = layer(&inputs, &weights, &bias.cast::<BF16>());
    assert_eq!(half.to_vec(), [bf16::from_f32(0.5)]);
}

#[test]
fn the_mean_of_anything_that_widens() {
    let bytes: Tensor<U8> = tensor![255, 0];
    assert_eq!(mean_in::<F32, _>(&bytes).item(), Ok(127.5));
    assert_eq!(
        mean_in::<F64, _>(&tensor![F16; 0.5, 1.0].into_any()).item(),
        Ok(0.75)
    );
}

/// Asks for trait impls: the inherent constants exist only where the bounds hold, and come before those of
/// `Missing`.
struct Triple<A, B, C, R>(PhantomData<(A, B, C, R)>);
struct One<D, N, R>(PhantomData<(D, N, R)>);

trait Missing {
    const COMMON: Option<DType> = None;
    const ARITHMETIC: bool = false;
    const FLOATING: bool = false;
}
impl<A, B, C, R> Missing for Triple<A, B, C, R> {}
impl<D, N, R> Missing for One<D, N, R> {}

impl<A, B, C, R> Triple<A, B, C, R>
where
    (A, B, C): SafeCommon<R>,
{
    const COMMON: Option<DType> = Some(<Common<(A, B, C), R>>::DTYPE);
}
impl<D: Arithmetic<R, N>, N: Rank, R: Rules> One<D, N, R> {
    const ARITHMETIC: bool = true;
}
impl<D: Floating<R, N>, N: Rank, R: Rules> One<D, N, R> {
    const FLOATING: bool = true;
}

macro_rules! triples {
    ($rules:ty: $($a:ident)*) => { triples!(@b $rules, [$($a)*] $([$a])*) };
    (@b $rules:ty, $all:tt $([$a:ident])*) => {{
        let mut found: Vec<([DType; 3], Option<DType>)> = Vec::new();
        $(triples!(@c found $rules, $a $all $all);)*
        found
    }};
    (@c $found:ident $rules:ty, $a:ident [$($b:ident)*] $all:tt) => { $(triples!(@d $found $rules, $a $b $all);)* };
    (@d $found:ident $rules:ty, $a:ident $b:ident [$($c:ident)*]) => {
        $found.extend([$(([DType::$a, DType::$b, DType::$c], Triple::<$a, $b, $c, $rules>::COMMON)),*]);
    };
}

/// Every triple of these dtypes: `SafeCommon` holds where run time finds a common dtype which each operand
/// promotes to beside it, accepted. How many do, and how many do not though the common dtype loses nothing.
macro_rules! safe_triples {
    ($($test:ident $rules:ty => $safe:literal, $refused:literal;)*) => {$(
        #[test]
        fn $test() {
            let rules = <$rules as Rules>::RULE_SET;
            let (mut safe, mut refused) = (0, 0);
            for (dtypes, found) in triples!($rules: Bool U8 U32 I64 BF16 F16 F64 C64) {
                let operands = dtypes.map(OperandType::dimensioned);
                let common = rules.common(&operands).ok();
                let expected = common.filter(|common| {
                    operands.iter().all(|operand| {
                        let met = rules.safe_promote(*operand, common.operand());
                        met.is_ok_and(|met| met.dtype == common.dtype)
                    })
                });
                assert_eq!(found, expected.map(|common| common.dtype), "{dtypes:?}");
                let lossless = common.is_some_and(|common| common.verdict.is_safe());
                assert!(found.is_none() || lossless, "{dtypes:?}");
                safe += usize::from(found.is_some());
                refused += usize::from(found.is_none() && lossless);
            }
            assert_eq!((safe, refused), ($safe, $refused));
        }
    )*};
}

// PyTorch promotes no u32 with the c128 in which it meets f64 and c64.
safe_triples! {
    triples_under_jax Jax => 308, 0;
    triples_under_numpy Numpy => 324, 0;
    triples_under_torch Torch => 262, 2;
    triples_under_tensorflow TensorFlow => 308, 0;
}

macro_rules! which {
    ($($rules:ty, $rank:ident: $arithmetic:literal, $floating:literal;)*) => {$(
        supremum::__private::with_markers!(which @each $rules, $rank, $arithmetic, $floating:);
    )*};
    (@each $rules:ty, $rank:ident, $arithmetic:literal, $floating:literal: [$($dtype:ident)*]) => {{
        let all = [$((DType::$dtype.name(), One::<$dtype, $rank, $rules>::ARITHMETIC, One::<$dtype, $rank, $rules>::FLOATING)),*];
        let names = |pick: fn(&(&'static str, bool, bool)) -> bool| {
            all.iter().filter(|one| pick(one)).map(|one| one.0).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((names(|one| one.1).as_str(), names(|one| one.2).as_str()), ($arithmetic, $floating), "{}", <$rules>::NAME);
    }};
}

#[test]
fn which_dtypes_are_arithmetic_and_floating() {
    which! {
        Jax, AnyRank: "u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128", "f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64";
        JaxX32, Rank2: "u8 u16 u32 i8 i16 i32 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 c64", "f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32";
        JaxStrict, Rank0: "u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128", "f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64";
        Numpy, Rank1: "u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128", "f16 f32 f64";
        Torch, Rank2: "u8 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128", "bf16 f16 f32 f64";
        Torch, Rank0: "u8 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128", "bf16 f16 f32 f64";
        Torch, AnyRank: "u8 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128", "bf16 f16 f32 f64";
        TensorFlow, Rank1: "i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128", "bf16 f16 f32 f64";
        TensorFlowLegacy, Rank1: "i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128", "bf16 f16 f32 f64";
        OpenVino, Rank1: "i8 i16 i32 i64 f8e4m3fn f8e5m2 bf16 f16 f32 f64", "f8e4m3fn f8e5m2 bf16 f16 f32 f64";
        OpenVinoScalar, Rank1: "i8 i16 i32 i64 f8e4m3fn f8e5m2 bf16 f16 f32 f64", "f8e4m3fn f8e5m2 bf16 f16 f32 f64";
        ArrayApi, Rank1: "u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128", "f16 f32 f64";
        Anvil, Rank1: "u8 u16 u32 u64 i8 i16 i32 i64 f32 f64", "f32 f64";
        AllowUnsafe<Jax>, Rank1: "u8 u16 u32 u64 i8 i16 i32 i64 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64 c64 c128", "f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz f8e4m3b11fnuz bf16 f16 f32 f64";
    }
}

/// The dtype of a result is a parameter of functions and reductions, which nothing but the bound decides.
#[test]
fn results_of_methods_are_inferred() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let counts: Tensor<I8, Rank1> = tensor![1, 2];
    let plus = t.exp() + 1.0;
    let minus = 1.0 - t.tanh() * &counts - t.sqrt();
    let negative = -t.ln();
    assert_eq!([plus.ndim(), minus.ndim(), negative.ndim()], [2, 2, 2]);
    assert_eq!(counts.sum().item().map(|sum| sum + 1), Ok(4));
    assert_eq!(t.mean().cast::<F64>().item(), Ok(2.5));
    assert_eq!(t.sum_axis(0).sum_axis(0).item(), Ok(10.0));
    assert_eq!(f64::from(t.max().to_vec()[0]), 4.0);
    assert_eq!(t.argmax_axis(1).equal(1).all().item(), Ok(true));
    assert_eq!(
        t.index_axis(0, 1)
            .unsqueeze(0)
            .squeeze(0)
            .cumsum(0)
            .to_vec(),
        [3.0, 7.0]
    );
    assert_eq!(t.mean_keepdims(0).abs().recip().shape(), [1, 2]);
    let sums: Vec<_> = [&counts, &counts].into_iter().map(Tensor::sum).collect();
    assert_eq!(sums[0], sums[1]);
    let function: fn(&Tensor<I8, Rank1>) -> Tensor<F32, Rank1> = Tensor::sqrt;
    assert_eq!(function(&counts).to_vec()[0], 1.0);
    let total = [counts.sum(), counts.prod()]
        .into_iter()
        .reduce(|a, b| a + b);
    assert_eq!(total.and_then(|total| total.item().ok()), Some(5));
    if let (Ok(mean), Ok(any)) = (t.try_mean().and_then(|mean| mean.item()), t.any().item()) {
        assert!(any && mean > 2.0);
    }
    let mut scaled = t.clone();
    scaled -= t.max_keepdims(1);
    scaled /= t.std();
    assert_eq!(numbers(&scaled.round()), [-1.0, 0.0, -1.0, 0.0]);
}

/// In `fuse!` the same bounds serve as between tensors.
fn fused_axpy<A, X, Y>(
    a: &Tensor<A>,
    x: &Tensor<X>,
    y: &Tensor<Y>,
) -> Tensor<Promoted<Promoted<A, X>, Y>>
where
    A: SafePromote<X>,
    Promoted<A, X>: SafePromote<Y>,
{
    fuse!(a * x + y)
}

/// Literals in `fuse!` are judged by the compiler, so the bound names what every dtype does not have.
fn fused_normalise<D, N, R>(x: &Tensor<D, N, R>) -> Tensor<D, N, R>
where
    D: Floating<R, N>,
    N: Rank,
    R: Rules<LiteralRange<D>: FitsLiteral<literal!(1e-6)>>,
{
    let mean: Tensor<D, N, R> = x.mean_keepdims(0);
    let variance: Tensor<D, N, R> = fuse!(let d = x - mean; (d * d).mean_keepdims(0));
    fuse!((x - mean) / (variance + 1e-6).sqrt())
}

#[test]
fn generic_code_fuses() {
    let a: Tensor<F16> = tensor![2047.0];
    let x: Tensor<F16> = tensor![3.0];
    let y: Tensor<F32> = tensor![0.5];
    let found: Tensor<F32> = fused_axpy(&a, &x, &y);
    assert_eq!(found, &a * &x + &y);
    let x: Tensor<F32, Rank2, Numpy> = tensor![[1.0, 4.0], [3.0, 4.0]];
    let expected = (&x - x.mean_keepdims(0)) / (x.var_keepdims(0) + 1e-6).sqrt();
    assert_eq!(fused_normalise(&x), expected);
}
