//! Reductions within an expression: as if statements in front had evaluated them, bit for bit.

use core::cell::Cell;

use supremum::rank::Broadcast;
use supremum::{
    BF16, DType, DynTensor, Error, F16, F32, F64, FitsLiteral, Floating, FuseBackend, I8, I32, I64,
    InterpretedReason, Jax, Numpy, Rank, Rank0, Rank1, Rank2, Rank3, Rules, Tensor, fuse,
    fuse_backend, literal, promote_unsafe, stablehlo, tensor, try_fuse, try_promote_unsafe,
};

use crate::{CALLS, counted, raw};

/// Numbers without a pattern, between -2 and 2.
fn numbers<N: Rank>(shape: impl supremum::rank::IntoShape<N>) -> Tensor<F32, N> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    Tensor::from_fn(shape, |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / 4_194_304.0 - 2.0
    })
}

/// Shapes whose rows are less than a pack, whole packs, and packs with a rest; with one row, few rows and more than a call of a loop
/// combines.
const SHAPES: [[usize; 2]; 9] = [
    [1, 1],
    [2, 3],
    [3, 32],
    [5, 40],
    [70, 64],
    [3, 600],
    [2, 4_100],
    [1, 40_000],
    [0, 4],
];

#[test]
fn layer_norm_is_one_expression() {
    for shape in SHAPES {
        let x = numbers::<Rank2>(shape);
        let (gamma, beta) = (
            numbers::<Rank1>([shape[1]]),
            numbers::<Rank1>([shape[1]]) + 1,
        );
        let found =
            fuse!((x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt() * gamma + beta);
        let (mean, var) = (x.mean_keepdims(-1), x.var_keepdims(-1));
        let expected = (&x - &mean) * (&var + 1e-5).rsqrt() * &gamma + &beta;
        assert_eq!(raw(&found), raw(&expected), "{shape:?}");
        let mut out = Tensor::<F32, Rank2>::zeros(shape);
        fuse!(out = (x - x.mean_keepdims(-1)) / (x.std_keepdims(-1) + 1e-5) * gamma + beta);
        let expected = (&x - &mean) / (x.std_keepdims(-1) + 1e-5) * &gamma + &beta;
        assert_eq!(raw(&out), raw(&expected), "{shape:?}");
    }
}

#[test]
fn means_and_deviations_of_every_form_come_together() {
    let x = numbers::<Rank3>([4, 70, 36]);
    let half = x.cast::<F16>();
    let all = (x.mean(), x.var(), x.std());
    assert_eq!(raw(&fuse!(x.mean() - x.var())), raw(&(&all.0 - &all.1)));
    assert_eq!(raw(&fuse!(x.std() - x.mean())), raw(&(&all.2 - &all.0)));
    let found = fuse!(half.mean() - half.var());
    assert_eq!(raw(&found), raw(&(half.mean() - half.var())));
    // Axes in a variable, so that the compiler meets one expression for all of them.
    for axes in [&[0][..], &[1], &[-1], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]] {
        let (mean, var) = (x.mean_keepdims(axes), x.var_keepdims(axes));
        let found = fuse!(x.mean_keepdims(axes) - x.var_keepdims(axes));
        assert_eq!(raw(&found), raw(&(&mean - &var)), "{axes:?}");
        let found = fuse!(x.std_keepdims(axes) - x.mean_keepdims(axes));
        assert_eq!(
            raw(&found),
            raw(&(x.std_keepdims(axes) - &mean)),
            "{axes:?}"
        );
        let found = fuse!(half.mean_keepdims(axes) - half.var_keepdims(axes));
        let expected = half.mean_keepdims(axes) - half.var_keepdims(axes);
        assert_eq!(raw(&found), raw(&expected), "{axes:?} of f16");
        let found = fuse!(x.mean_axis(axes) - x.var_axis(axes));
        let expected = x.mean_axis(axes) - x.var_axis(axes);
        assert_eq!(raw(&found), raw(&expected), "{axes:?}");
    }
    // Ranks that the compiler knows.
    let found: Tensor<F32, Rank2> = fuse!(x.mean_axis(-1) - x.std_axis(-1));
    assert_eq!(raw(&found), raw(&(x.mean_axis(-1) - x.std_axis(-1))));
}

#[test]
fn softmax_and_shares() {
    for shape in SHAPES {
        if shape[0] * shape[1] == 0 {
            continue;
        }
        let x = numbers::<Rank2>(shape);
        let found = fuse!(
            let shifted = (x - x.max_keepdims(-1)).exp();
            shifted / shifted.sum_keepdims(-1)
        );
        let shifted = (&x - x.max_keepdims(-1)).exp();
        let expected = &shifted / shifted.sum_keepdims(-1);
        assert_eq!(raw(&found), raw(&expected), "{shape:?}");
        let found = fuse!(x / x.sum_keepdims(1));
        assert_eq!(raw(&found), raw(&(&x / x.sum_keepdims(1))));
        let found = fuse!(x / x.sum_keepdims(0));
        assert_eq!(raw(&found), raw(&(&x / x.sum_keepdims(0))));
        let found = fuse!((x - x.mean()).abs().max() - x.min());
        assert_eq!(raw(&found), raw(&((&x - x.mean()).abs().max() - x.min())));
    }
}

#[test]
fn reductions_nest_and_stand_anywhere() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 6.0]];
    let n: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    // Of parts, in reductions, and beside literals on both sides.
    assert_eq!(fuse!((x * x).sum() + 1).item(), Ok(51.0));
    assert_eq!(fuse!(1 - (x - x.mean_axis(0).max()).min()).item(), Ok(4.0));
    assert_eq!(
        fuse!((x.sum_axis(0) + n.sum_axis(0).cast::<F32>()).max()).item(),
        Ok(14.0)
    );
    assert_eq!(
        fuse!(n * 2 + n.sum_axis(1).cast::<I32>()).to_vec(),
        [5, 11, 9, 15]
    );
    // In a choice, a call, a comparison and a conversion.
    assert_eq!(
        fuse!(if x > x.mean() { x } else { 0.0 }).to_vec(),
        [0.0, 0.0, 0.0, 6.0]
    );
    assert_eq!(fuse!(f32::hypot(x.min(), x)).shape(), [2, 2]);
    assert_eq!(fuse!(x == x.max()).to_vec(), [false, false, false, true]);
    assert_eq!(fuse!(x.max().cast::<I32>() - n).to_vec(), [5, 4, 3, 2]);
    assert_eq!(
        fuse!(n - n.argmax_keepdims(1).cast::<I32>()).to_vec(),
        [0, 1, 2, 3]
    );
    assert_eq!(fuse!(x.clamp(x.mean(), 4)).to_vec(), [3.0, 3.0, 3.0, 4.0]);
    // As the value of a name, and of a block.
    assert_eq!(
        fuse!(let top = x.max(); top * top + { let low = x.min(); low }).item(),
        Ok(37.0)
    );
    let found =
        fuse!(let d = x - x.mean_keepdims(1); let v = (d * d).mean_keepdims(1); d / v.sqrt());
    assert_eq!(found.to_vec(), [-1.0, 1.0, -1.0, 1.0]);
    // The axes are ordinary code, evaluated once for each reduction.
    let calls = Cell::new(0);
    let axis = |axis: isize| {
        calls.set(calls.get() + 1);
        axis
    };
    let found = fuse!(x / x.sum_keepdims(axis(1)) + x.sum_keepdims(axis(1)));
    assert_eq!((found.to_vec()[3], calls.get()), (6.0 / 9.0 + 9.0, 2));
    let axes = [0, 1];
    assert_eq!(
        fuse!(x - x.sum_keepdims(axes) + x.sum_keepdims(axes)).shape(),
        [2, 2]
    );
}

#[test]
fn equal_reductions_are_computed_once() {
    let x = numbers::<Rank2>([2, 64]);
    let calls = |run: &dyn Fn() -> Tensor<F32, Rank2>| {
        CALLS.set(0);
        let _ = run();
        CALLS.get()
    };
    let one = calls(&|| fuse!(x - counted(x).max_keepdims(1)));
    assert_eq!(one, 128);
    let equal = calls(&|| fuse!(x - counted(x).max_keepdims(1) * counted(x).max_keepdims(1)));
    assert_eq!(equal, 128);
    let other = calls(&|| fuse!(x - counted(x).max_keepdims(1) * counted(x).max_keepdims(0)));
    assert_eq!(other, 256);
    // A mean is a by-product of the variance where that has a loop, so that one walk over the elements is saved.
    let both = || fuse!(x - counted(x).mean_keepdims(1) * counted(x).var_keepdims(1));
    let apart = |axis: isize| {
        let axis = || axis;
        fuse!(x - counted(x).mean_keepdims(axis()) * counted(x).var_keepdims(axis()))
    };
    let (both_calls, apart_calls) = (calls(&both), calls(&|| apart(1)));
    assert!(both_calls <= apart_calls, "{both_calls} of {apart_calls}");
    if fuse_backend!(x - counted(x).mean_keepdims(1)) == Ok(FuseBackend::Compiled) {
        assert_eq!(apart_calls - both_calls, 128);
    }
    assert_eq!(raw(&both()), raw(&apart(1)));
    // A costly part of values of reductions is computed for each of them, not for each element.
    assert_eq!(
        calls(&|| fuse!(x * counted(x.max_keepdims(1)))) % 64,
        calls(&|| fuse!(counted(x.max_keepdims(1)))) % 64
    );
}

/// The number of exponentials in the program of a function of a matrix.
fn exponentials(function: impl FnOnce(Tensor<F32, Rank2>) -> Tensor<F32, Rank2>) -> usize {
    let program = stablehlo::trace(stablehlo::input::<F32, _>([2, 64]), function);
    let text = program.unwrap().to_string();
    text.matches("\"stablehlo.exponential\"").count()
}

#[test]
fn equal_slow_parts_are_computed_once() {
    macro_rules! softmax {
        ($x:ident) => {
            fuse!(
                ($x - $x.max_keepdims(-1)).exp()
                    / ($x - $x.max_keepdims(-1)).exp().sum_keepdims(-1)
            )
        };
    }
    for shape in SHAPES {
        if shape[0] * shape[1] == 0 {
            continue;
        }
        let x = numbers::<Rank2>(shape);
        let power = (&x - x.max_keepdims(-1)).exp();
        let expected = &power / power.sum_keepdims(-1);
        assert_eq!(raw(&softmax!(x)), raw(&expected), "{shape:?}");
    }
    assert_eq!(exponentials(|x| softmax!(x)), 1);
    // The values of bindings, a part that equals one, and equal parts without passes.
    let shared = |x: Tensor<F32, Rank2>| fuse!(let a = x.exp(); let b = x.exp(); a.sum() + b * (x.exp() + 1) - (b + 1).max());
    assert_eq!(exponentials(shared), 1);
    let x = numbers::<Rank2>([3, 40]);
    let power = x.exp();
    let expected = power.sum() + &power * (&power + 1) - (&power + 1).max();
    assert_eq!(raw(&shared(x.clone())), raw(&expected));
    let products = |x: Tensor<F32, Rank2>| fuse!((x.exp() + 1).ln() * x.exp() + (x.exp() + 1).ln());
    assert_eq!(exponentials(products), 1);
    let logarithm = (&power + 1).ln();
    let expected = &logarithm * &power + &logarithm;
    assert_eq!(raw(&products(x.clone())), raw(&expected));
    let named = |x: Tensor<F32, Rank2>| fuse!(let next = x.exp() + 1; next * x.exp());
    assert_eq!(exponentials(named), 1);
    assert_eq!(raw(&named(x.clone())), raw(&((&power + 1) * &power)));
    // The largest equal parts are shared, and others are not mistaken for them.
    assert_eq!(
        exponentials(|x| fuse!((x.exp() - 1).exp() * (x.exp() - 2).exp() + x.exp())),
        3
    );
    // A part that reads the output, and one that fails.
    let mut out = x.clone();
    fuse!(out = out.exp() / out.exp().sum_keepdims(1));
    assert_eq!(raw(&out), raw(&(&power / power.sum_keepdims(1))));
    let n: Tensor<I32, Rank1> = tensor![2, -1];
    assert_eq!(
        try_fuse!(n.pow(n) + n.pow(n).sum().cast::<I32>()).unwrap_err(),
        n.try_pow(&n).unwrap_err()
    );
}

#[test]
fn equal_calls_are_not_shared() {
    let x = numbers::<Rank2>([2, 64]);
    CALLS.set(0);
    let found = fuse!(counted(x).exp() * counted(x).exp());
    let power = (&x + 1).exp();
    assert_eq!(raw(&found), raw(&(&power * &power)));
    // The graph of the interpreter records equal operations once.
    let compiled = fuse_backend!(counted(x).exp()) == Ok(FuseBackend::Compiled);
    assert_eq!(CALLS.get(), if compiled { 256 } else { 128 });
}

#[test]
fn no_more_parts_are_shared_than_a_loop_binds() {
    let x = numbers::<Rank2>([2, 64]);
    let expected = fuse_backend!(x * 2).unwrap();
    let shared = fuse_backend!(
        x.exp() * x.exp()
            + x.sin() * x.sin()
            + x.cos() * x.cos()
            + x.tanh() * x.tanh()
            + x.exp2() * x.exp2()
            + x.sinh() * x.sinh()
            + x.cosh() * x.cosh()
            + x.exp_m1() * x.exp_m1()
            + x.atan() * x.atan()
            + x.erf() * x.erf()
    );
    assert_eq!(shared, Ok(expected));
}

#[test]
fn variances_call_functions_twice_for_each_element() {
    let x = numbers::<Rank2>([2, 64]);
    CALLS.set(0);
    let found = fuse!(counted(x).var_axis(1));
    assert_eq!(raw(&found), raw(&(&x + 1).var_axis(1)));
    // Once for the mean, and once for the deviations.
    assert_eq!(CALLS.get(), 256);
}

#[test]
fn outputs_are_read_before_they_are_written() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 3.0], [2.0, 6.0]];
    let mut out = x.clone();
    fuse!(out = out / out.sum_keepdims(1));
    assert_eq!(out.to_vec(), [0.25, 0.75, 0.25, 0.75]);
    fuse!(out -= out.min_keepdims(0));
    assert_eq!(out.to_vec(), [0.0, 0.0, 0.0, 0.0]);
    let mut out = x.clone();
    fuse!(let doubled = out * 2; out = doubled - doubled.max() + x.sum());
    assert_eq!(out.to_vec(), [2.0, 6.0, 4.0, 12.0]);
    fuse!(out.slice_mut(0, ..1) = x.max_keepdims(0) + 1);
    assert_eq!(out.to_vec(), [3.0, 7.0, 4.0, 12.0]);
    let mut view = out.slice_mut(0, 1..);
    fuse!(view = view - view.mean());
    assert_eq!(out.to_vec(), [3.0, 7.0, -4.0, 4.0]);
    // The memory is kept.
    let pointer = out.as_slice().unwrap().as_ptr();
    fuse!(out = (out - out.mean_keepdims(-1)) * (out.var_keepdims(-1) + 1e-5).rsqrt());
    assert_eq!(out.as_slice().unwrap().as_ptr(), pointer);
    // A reduction alone is written too.
    let mut total = Tensor::<F32, Rank1>::zeros([2]);
    fuse!(total = x.sum_axis(1));
    assert_eq!(total.to_vec(), [4.0, 8.0]);
    fn scaled(out: &mut Tensor<F32, Rank1>) {
        fuse!(*out /= out.max());
    }
    scaled(&mut total);
    assert_eq!(total.to_vec(), [0.5, 1.0]);
}

#[test]
fn errors_are_those_of_statements() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 3.0], [2.0, 6.0]];
    let empty = Tensor::<F32, Rank2>::zeros([0, 2]);
    let n: Tensor<I32, Rank2> = tensor![[1, 0]];
    assert_eq!(
        try_fuse!(x - x.sum_keepdims(2)),
        x.try_sum_keepdims(2).map(|_| x.clone())
    );
    assert_eq!(
        try_fuse!(x - empty.max()).unwrap_err(),
        empty.try_max().unwrap_err()
    );
    let found = try_fuse!(x - x.var_keepdims(5) * x.mean_keepdims(5)).unwrap_err();
    assert_eq!(found, x.try_var_keepdims(5).unwrap_err());
    let found = try_fuse!((n % n).sum() + 1).unwrap_err();
    assert_eq!(found, n.try_rem(&n).unwrap_err());
    let three = Tensor::<F32, Rank1>::zeros([3]);
    assert!(matches!(
        try_fuse!(x + (x * three).sum()),
        Err(Error::ShapeMismatch { .. })
    ));
    assert!(matches!(
        try_fuse!(x.sum() + x * three),
        Err(Error::ShapeMismatch { .. })
    ));
    let mut out = x.clone();
    assert!(try_fuse!(out = x - x.sum_keepdims(2)).is_err());
    assert!(try_fuse!(out = out + out.sum_axis(0) + three).is_err());
    assert_eq!(out, x);
    assert_eq!(try_fuse!(out = out - out.sum_keepdims([0, 1])), Ok(()));
    assert_eq!(out.to_vec(), [-11.0, -9.0, -10.0, -6.0]);
    assert!(matches!(
        fuse_backend!(x - x.sum_keepdims(2)),
        Err(Error::AxisOutOfRange { .. })
    ));
    assert!(matches!(
        fuse_backend!(x.sum_axis(1) - three),
        Err(Error::ShapeMismatch { .. })
    ));
}

#[test]
fn unsafe_promotions_are_admitted_in_all_passes() {
    let counts: Tensor<I64, Rank2> = tensor![[3, 5], [2, 2]];
    let scale: Tensor<F32, Rank2> = tensor![[0.5, 1.0], [1.0, 0.25]];
    let found: Tensor<F32, Rank2> =
        promote_unsafe!(counts * scale - (counts * scale).mean_keepdims(1) + counts.sum());
    assert_eq!(found.to_vec(), [10.25, 13.75, 12.75, 11.25]);
    let found = try_promote_unsafe!(counts / (counts * scale).sum_axis(0)).unwrap();
    assert_eq!(found.to_vec(), [3.0 / 3.5, 5.0 / 5.5, 2.0 / 3.5, 2.0 / 5.5]);
    let mut out = Tensor::<F32, Rank2>::zeros([2, 2]);
    promote_unsafe!(out = counts * scale + out - (out + counts).max());
    assert_eq!(out.to_vec(), [-3.5, 0.0, -3.0, -4.5]);
}

fn layer_norm<D, N>(
    x: &Tensor<D, N>,
    scale: &Tensor<D, Rank1>,
    shift: &Tensor<D, Rank1>,
) -> Tensor<D, N>
where
    D: Floating<Jax, N> + FitsLiteral<literal!(1e-5)>,
    N: Broadcast<Rank1, Output = N>,
{
    fuse!((x - x.mean_keepdims(-1)) / (x.var_keepdims(-1) + 1e-5).sqrt() * scale + shift)
}

fn centred<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    fuse!(x - x.mean_keepdims(-1))
}

#[test]
fn generic_code_reduces_within_expressions() {
    fn check<D: Floating<Jax, Rank2> + FitsLiteral<literal!(1e-5)>>() {
        let x = numbers::<Rank2>([3, 40]).cast::<D>();
        let scale = numbers::<Rank1>([40]).cast::<D>();
        let found = layer_norm(&x, &scale, &scale).cast::<F64>();
        let normal = (&x - x.mean_keepdims(-1)) / (x.var_keepdims(-1) + 1e-5).sqrt();
        assert_eq!(found, (normal * &scale + &scale).cast::<F64>());
    }
    check::<F32>();
    check::<BF16>();
    check::<F64>();
    let x = numbers::<Rank2>([3, 40]).with_rules::<Numpy>();
    assert_eq!(centred(&x), &x - x.mean_keepdims(-1));
}

#[test]
fn the_backend_is_that_of_the_whole() {
    let x = numbers::<Rank2>([40, 64]);
    let expected = fuse_backend!(x * 2).unwrap();
    assert_eq!(fuse_backend!(x - x.mean_keepdims(1)), Ok(expected));
    assert_eq!(
        fuse_backend!((x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt()),
        Ok(expected)
    );
    let softmax = fuse_backend!(let e = (x - x.max_keepdims(-1)).exp(); e / e.sum_keepdims(-1));
    assert_eq!(softmax, Ok(expected));
    let whole = fuse_backend!(x - x.argmax_keepdims(1).cast::<F32>());
    if expected == FuseBackend::Compiled {
        let reason = FuseBackend::Interpreted(InterpretedReason::Reduction);
        assert_eq!(whole, Ok(reason));
    } else {
        assert_eq!(whole, Ok(expected));
    }
}

#[test]
fn values_of_many_reductions_share_the_inputs_of_loops() {
    let x = numbers::<Rank2>([8, 64]);
    let expected = fuse_backend!(x * 2).unwrap();
    // Eight reductions, of which a loop reads two at a time.
    macro_rules! chained {
        ($macro:ident) => {
            $macro!(
                let a = x - x.max_keepdims(1);
                let b = a - (a + 1).min_keepdims(1);
                let c = b - (b + 2).max_keepdims(0);
                let d = c - (c * 3).min_keepdims(1);
                let e = d - (d + 4).max_keepdims(0);
                e - (e + 5).sum()
            )
        };
    }
    assert_eq!(chained!(fuse_backend), Ok(expected));
    let a = &x - x.max_keepdims(1);
    let b = &a - (&a + 1).min_keepdims(1);
    let c = &b - (&b + 2).max_keepdims(0);
    let d = &c - (&c * 3).min_keepdims(1);
    let e = &d - (&d + 4).max_keepdims(0);
    let f = &e - (&e + 5).sum();
    assert_eq!(raw(&chained!(fuse)), raw(&f));
}

#[test]
fn small_integers_widen_as_in_statements() {
    let n: Tensor<I8, Rank1> = tensor![100, 100, 27];
    let found: Tensor<I64, Rank1> = fuse!(n + n.sum());
    assert_eq!(found.to_vec(), [327, 327, 254]);
    let shares: Tensor<F32, Rank1> = fuse!(n / n.max());
    assert_eq!(shares.to_vec(), [1.0, 1.0, 0.27]);
    let nothing: Tensor<I64, Rank0> = fuse!(n.sum() - n.sum());
    assert_eq!(nothing.item(), Ok(0));
}

/// Many elements between two literals take one pass, if the literals leave the dtype as it is.
#[test]
fn clamps_of_many_elements_agree() -> Result<(), Error> {
    let numbers = [f32::NAN, -0.0, 0.0, -3.5, 0.25, 7.0, f32::INFINITY];
    let x = Tensor::<F32, Rank1>::from_fn([20_000], |[at]| numbers[at % 7]);
    let expected = x.maximum(-1.0).minimum(1.0).into_dyn();
    let limited = [
        x.clamp(-1.0, 1.0).into_dyn(),
        fuse!(x.clamp(-1.0, 1.0)).into_dyn(),
        x.clone().into_dyn().try_clamp(-1.0, 1.0)?,
    ];
    let bits = |x: &DynTensor| {
        Ok::<_, Error>(
            x.to_vec::<F32>()?
                .into_iter()
                .map(f32::to_bits)
                .collect::<Vec<_>>(),
        )
    };
    for limited in &limited {
        assert_eq!(bits(limited)?, bits(&expected)?);
    }
    let x = x.cast::<I8>();
    assert!(x.clamp(-1, 1) == x.maximum(-1).minimum(1));
    let x = x.into_dyn();
    assert_eq!(x.try_clamp(-1, 1)?.dtype(), DType::I8);
    // A float changes the dtype.
    let limited = x.try_clamp(-0.5, 0.5)?;
    assert!(limited.dtype() != DType::I8);
    assert!(limited == x.try_maximum(-0.5)?.try_minimum(0.5)?);
    assert!(x.try_clamp(-1000, 1).is_err());
    Ok(())
}
