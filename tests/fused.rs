//! `fuse!` and `promote_unsafe!`: the whole language, over views and broadcasts of random shapes, judged by a naive
//! oracle that computes element by element; outputs; errors. That every operation has the bits of the eager one
//! for all dtypes is shown in `paths.rs`.
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod exact;
mod naive;

use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naive::{Arith, Op, Plain, Typed, convert, indices, same, sample};
use proptest::prelude::*;
use proptest::test_runner::Config;
use supremum::static_assertions::assert_type_eq_all;
use supremum::{
    AnyRank, BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3FN, F16, F32, F64, I8, I16, I32,
    I64, Jax, Numpy, Rank0, Rank1, Rank2, Rank3, Rules, StaticDType, Tensor, Torch, U8, U16, U32,
    U64, Weak, bf16, c64, elementwise, f16, fuse, promote_unsafe, select, tensor, try_fuse,
    try_promote_unsafe,
};

/// How a tensor of a shape lies in memory.
#[derive(Clone, Copy, Debug)]
enum Layout {
    Contiguous,
    Transposed,
    Flipped,
    Strided,
    Offset,
}

/// A tensor of numbers in no order, laid out in some way, and the same in the oracle.
fn operand<D: Typed>(shape: &[usize], layout: Layout, seed: u64) -> (Tensor<D>, Plain<D::Element>) {
    let stored: Vec<usize> = match layout {
        Layout::Transposed => shape.iter().rev().copied().collect(),
        Layout::Strided => shape.iter().map(|size| size * 2).collect(),
        Layout::Offset => shape.iter().map(|size| size + 1).collect(),
        Layout::Contiguous | Layout::Flipped => shape.to_vec(),
    };
    let count = stored.iter().product();
    let elements = sample::<D::Element>(count, seed);
    let tensor = Tensor::<D>::from_slice(&elements, &stored[..]).expect("elements of that number");
    let plain = Plain::new(&stored, elements);
    let rank = shape.len();
    let axes = 0..isize::try_from(rank).expect("a small rank");
    let view = match layout {
        Layout::Contiguous => tensor,
        Layout::Transposed => tensor.transpose(),
        Layout::Flipped => axes.fold(tensor, |tensor, axis| tensor.flip(axis)),
        Layout::Strided => axes.fold(tensor, |tensor, axis| tensor.slice_step(axis, .., 2)),
        Layout::Offset => axes.fold(tensor, |tensor, axis| tensor.slice(axis, 1..)),
    };
    let shape = shape.to_vec();
    let plain = plain_view(&plain, &shape, layout);
    assert_eq!(view.shape(), shape);
    (view, plain)
}

fn plain_view<E: Copy>(stored: &Plain<E>, shape: &[usize], layout: Layout) -> Plain<E> {
    let place = |index: &[usize]| -> Vec<usize> {
        match layout {
            Layout::Contiguous => index.to_vec(),
            Layout::Transposed => index.iter().rev().copied().collect(),
            Layout::Flipped => index
                .iter()
                .zip(shape)
                .map(|(at, size)| size - 1 - at)
                .collect(),
            Layout::Strided => index.iter().map(|at| at * 2).collect(),
            Layout::Offset => index.iter().map(|at| at + 1).collect(),
        }
    };
    // An axis of one element repeats in the oracle, so every index has to be looked up by hand.
    let elements = indices(shape)
        .iter()
        .map(|index| {
            let position = place(index)
                .iter()
                .zip(&stored.shape)
                .fold(0, |position, (at, size)| position * size + at);
            stored.elements[position]
        })
        .collect();
    Plain::new(shape, elements)
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop_oneof![
        Just(Layout::Contiguous),
        Just(Layout::Transposed),
        Just(Layout::Flipped),
        Just(Layout::Strided),
        Just(Layout::Offset),
    ]
}

/// A shape of rank 0 to 6, perhaps without elements.
fn shapes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(
        prop_oneof![6 => 1_usize..5, 1 => Just(0), 1 => 60_usize..70],
        0..=6,
    )
    .prop_filter("few elements", |shape| {
        shape.iter().product::<usize>() <= 5_000
    })
}

/// A shape that broadcasts to another: without some leading axes, others of size one.
fn narrowed(shape: Vec<usize>) -> impl Strategy<Value = Vec<usize>> {
    let rank = shape.len();
    (0..=rank, prop::collection::vec(any::<bool>(), rank)).prop_map(move |(from, ones)| {
        (from..rank)
            .map(|axis| if ones[axis] { 1 } else { shape[axis] })
            .collect()
    })
}

/// Three operands that broadcast together, with layouts.
fn three() -> impl Strategy<Value = [(Vec<usize>, Layout); 3]> {
    shapes().prop_flat_map(|shape| {
        let one = || (narrowed(shape.clone()), layouts());
        ((Just(shape.clone()), layouts()), one(), one()).prop_map(|(a, b, c)| [a, b, c])
    })
}

fn assert_shows<D: Typed, N: supremum::Rank, R: Rules>(
    found: &Tensor<D, N, R>,
    expected: &Plain<D::Element>,
    what: &str,
) where
    D::Element: Debug,
{
    assert_eq!(found.shape(), expected.shape, "{what}");
    for (found, expected) in found.iter().zip(&expected.elements) {
        assert!(
            same(found, *expected),
            "{what}: {found:?}, expected {expected:?}"
        );
    }
}

/// An operation of the oracle, in a dtype.
fn op<A: Arith, B: Arith, Out: Arith>(op: Op, a: &Plain<A>, b: &Plain<B>) -> Plain<Out> {
    a.zip(b, |a, b| {
        Out::apply(op, convert(a), convert(b)).expect("nothing divides by zero")
    })
}

fn scalar<E: Copy>(value: E) -> Plain<E> {
    Plain::new(&[], vec![value])
}

proptest! {
    #![proptest_config(Config { cases: 400, ..Config::default() })]

    /// bf16, f16 and u8 in one expression, in which bf16 and f16 meet in f32.
    #[test]
    fn mixed_floats_over_all_layouts(operands in three(), seed: u64) {
        let [(a_shape, a_layout), (b_shape, b_layout), (c_shape, c_layout)] = operands;
        let (a, plain_a) = operand::<BF16>(&a_shape, a_layout, seed);
        let (b, plain_b) = operand::<F16>(&b_shape, b_layout, seed ^ 1);
        let (c, plain_c) = operand::<U8>(&c_shape, c_layout, seed ^ 2);
        let product: Plain<f32> = op(Op::Mul, &plain_a, &plain_b);
        let half: Plain<f16> = op(Op::Add, &plain_c, &scalar(0.5_f64));
        let sum: Plain<f32> = op(Op::Sub, &product, &half);
        // `b * c` is of a smaller shape than the whole, mostly.
        let small: Plain<f16> = op(Op::Mul, &plain_b, &plain_c);
        let expected: Plain<f32> = op(Op::Add, &sum, &small);
        let half = c.cast::<F16>();
        let found: Tensor<F32> = fuse!(a * b - (half + 0.5) + b * c);
        prop_assert_eq!(&found, &(&a * &b - (&half + 0.5) + &b * &c));
        let [a, b, c, half] = [a.into_dyn(), b.into_dyn(), c.into_dyn(), half.into_dyn()];
        prop_assert_eq!(&found.clone().into_dyn(), &(&a * &b - (&half + 0.5) + &b * &c));
        assert_shows(&found, &expected, "a * b - (c + 0.5) + b * c");
    }

    /// Integers that wrap, comparisons, choices, bindings.
    #[test]
    fn integers_and_choices_over_all_layouts(operands in three(), seed: u64) {
        let [(a_shape, a_layout), (b_shape, b_layout), (c_shape, c_layout)] = operands;
        let (a, plain_a) = operand::<I8>(&a_shape, a_layout, seed);
        let (b, plain_b) = operand::<U8>(&b_shape, b_layout, seed ^ 1);
        let (c, plain_c) = operand::<Bool>(&c_shape, c_layout, seed ^ 2);
        let difference: Plain<i16> = op(Op::Sub, &plain_a, &plain_b);
        let scaled: Plain<i16> = op(Op::Mul, &difference, &scalar(3000_i16));
        let remainder: Plain<i16> = op(Op::Rem, &scaled, &scalar(7_i16));
        let condition = difference.zip(&plain_c, |d, c| i16::less(d, 0) != c);
        let chosen = condition.zip(&remainder, |condition, value| (condition, value));
        let expected = chosen.zip(&difference, |(condition, value), d| if condition { value } else { d });
        let found: Tensor<I16> = fuse!(
            let d = a - b;
            if (d < 0) ^ c { d * 3000 % 7 } else { d }
        );
        assert_shows(&found, &expected, "a choice");
    }

    /// Reductions over any axes, kept or not, equal those of the evaluated expression.
    #[test]
    fn reductions_equal_those_of_the_evaluated_expression(operands in three(), axis in 0_usize..6, seed: u64) {
        let [(a_shape, a_layout), (b_shape, b_layout), _] = operands;
        let (a, _) = operand::<F16>(&a_shape, a_layout, seed);
        let (b, _) = operand::<F32>(&b_shape, b_layout, seed ^ 1);
        let x: Tensor<F32> = &a * &b - 0.3;
        let any = x.clone().into_dyn();
        let axis = isize::try_from(axis % x.ndim().max(1)).expect("a small axis");
        macro_rules! agree {
            ($($reduction:ident($($argument:expr)?) or $try_reduction:ident;)*) => {$(
                let fused = try_fuse!((a * b - 0.3).$reduction($($argument)?));
                let eager = x.$try_reduction($($argument)?);
                let dynamic = any.$try_reduction($($argument)?);
                let shows = |t: DynTensor| format!("{t:?}");
                prop_assert_eq!(
                    dynamic.map(shows),
                    eager.clone().map(Tensor::into_dyn).map(shows)
                );
                prop_assert_eq!(
                    fused.as_ref().map(|t| (t.shape().to_vec(), raw(t))),
                    eager.as_ref().map(|t| (t.shape().to_vec(), raw(t))),
                    "{}", stringify!($reduction)
                );
            )*};
        }
        agree! {
            sum() or try_sum; prod() or try_prod; mean() or try_mean; var() or try_var; std() or try_std;
            min() or try_min; max() or try_max; any() or try_any; all() or try_all;
            argmin() or try_argmin; argmax() or try_argmax;
            sum_axis(axis) or try_sum_axis; mean_axis(axis) or try_mean_axis; std_keepdims(axis) or try_std_keepdims;
            max_axis(axis) or try_max_axis; argmax_axis(axis) or try_argmax_axis;
            argmin_keepdims(axis) or try_argmin_keepdims; all_axis(axis) or try_all_axis;
            sum_axes(&[axis, 0]) or try_sum_axes; prod_keepdims(&[axis]) or try_prod_keepdims;
            var_axes(&[]) or try_var_axes; min_axis(7) or try_min_axis;
        }
    }

    /// Writing into a tensor, of any layout and shared or not.
    #[test]
    fn outputs_of_any_layout_are_written(operands in three(), shared: bool, seed: u64) {
        let [(out_shape, out_layout), (a_shape, a_layout), _] = operands;
        let (mut out, plain) = operand::<F32>(&out_shape, out_layout, seed);
        let (a, plain_a) = operand::<BF16>(&a_shape, a_layout, seed ^ 1);
        let other = shared.then(|| out.clone());
        let tripled: Plain<f32> = op(Op::Mul, &plain, &scalar(3.0_f32));
        let expected: Plain<f32> = op(Op::Add, &tripled, &plain_a);
        fuse!(out = out * 3 + a);
        assert_shows(&out, &expected, "out = out * 3 + a");
        let expected: Plain<f32> = op(Op::Sub, &expected, &plain_a);
        fuse!(out -= a);
        assert_shows(&out, &expected, "out -= a");
        if let Some(other) = other {
            assert_shows(&other, &plain, "the tensor that shared its storage");
        }
    }
}

/// The elements as numbers that compare, NaN equal to NaN.
fn raw<D: Typed, N: supremum::Rank>(tensor: &Tensor<D, N>) -> Vec<Option<u128>> {
    tensor
        .iter()
        .map(|element| same(element, element).then(|| exact::Tested::raw(element)))
        .collect()
}

#[test]
fn shapes_that_do_not_broadcast_are_errors() {
    let a = Tensor::<F32, Rank1>::zeros([2]);
    let b = Tensor::<F32, Rank1>::zeros([3]);
    let expected = a.try_add(&b).unwrap_err();
    assert_eq!(try_fuse!(a + b).unwrap_err(), expected);
    assert_eq!(try_fuse!((a + b).sum()).unwrap_err(), expected);
    let mut out = b.clone();
    assert_eq!(try_fuse!(out = a + b), Err(expected.clone()));
    assert!(matches!(
        try_fuse!(out = a),
        Err(Error::ShapeMismatch { .. })
    ));
    let text = catch_unwind(AssertUnwindSafe(|| fuse!(a + b))).unwrap_err();
    assert_eq!(
        *text.downcast::<String>().expect("a text"),
        expected.to_string()
    );
}

#[test]
fn integers_divided_by_zero_are_errors_and_leave_the_output() {
    let a: Tensor<I32> = tensor![7, 8, 9];
    let zero: Tensor<I32> = tensor![1, 0, 2];
    let mut out: Tensor<I32> = tensor![1, 2, 3];
    let error = a.try_rem(&zero).unwrap_err();
    assert_eq!(try_fuse!(a % zero + 1).unwrap_err(), error);
    assert_eq!(try_fuse!(out = a % zero), Err(error));
    assert!(try_fuse!(out %= 0).is_err());
    assert_eq!(
        try_fuse!(out -= a.pow(zero - 1)),
        Err(Error::NegativeExponent { dtype: DType::I32 })
    );
    assert_eq!(out.to_vec(), [1, 2, 3]);
    // Where there is nothing to divide, zeros do no harm.
    let none: Tensor<I32> = Tensor::zeros([0]);
    assert!(try_fuse!(none % 0).is_ok());
    let zero: Tensor<I32> = tensor![0];
    assert!(try_fuse!(none % zero).is_ok());
    // A part that has elements fails even if the whole has none, and a value that nothing reads does not.
    let some: Tensor<I32> = tensor![7];
    assert_eq!(try_fuse!(some % zero + none), some.try_rem(&zero));
    assert!(try_fuse!(let unused = some % zero; some + none).is_ok());
    // As with tensors, both sides of a choice are computed.
    assert!(try_fuse!(if zero == 0 { 0 } else { a.floor_div(zero) }).is_err());
}

/// Integer division and powers in all integer dtypes, at lengths around those of packs: values, and the errors of zero divisors
/// and negative exponents in each place.
#[test]
fn integers_are_divided_as_those_of_tensors() {
    macro_rules! check {
        ($($D:ident $($negative:literal)?;)*) => {$({
            type E = <$D as StaticDType>::Element;
            let of = |len: usize, f: &dyn Fn(usize) -> E| {
                Tensor::<$D, Rank1>::from_vec((0..len).map(f).collect(), [len]).expect("as many elements")
            };
            for len in [1, 2, 8, 31, 32, 33, 64, 100] {
                let a = of(len, &|at| if at % 5 == 0 { E::MIN } else { (at * 37 % 251) as E });
                // Among them -1, by which the least number is divided.
                let b = of(len, &|at| if at % 3 == 0 { !0 } else { (at % 7 + 1) as E });
                let e = of(len, &|at| (at % 9) as E);
                let expected = a.floor_div(&b) % &b + a.pow(&e);
                assert_eq!(fuse!(a.floor_div(b) % b + a.pow(e)), expected);
                assert_eq!(fuse!(let q = a.floor_div(b); q % b + a.pow(e)), expected);
                let sum = expected.sum();
                assert_eq!(fuse!((a.floor_div(b) % b + a.pow(e)).sum()), sum);
                let mut out = a.clone();
                fuse!(out = out.floor_div(b) % b + out.pow(e));
                assert_eq!(out, expected);
                let last = b.slice(0, 0..1);
                assert_eq!(fuse!(a % last), &a % &last);
                for at in [0, 1, 7, 30, 31, 32, 63, 99] {
                    if at >= len {
                        continue;
                    }
                    let zero = of(len, &|position| if position == at { 0 } else { 3 });
                    let error = a.try_rem(&zero).unwrap_err();
                    assert_eq!(try_fuse!(a % zero + b), Err(error.clone()), "{len}, {at}");
                    assert_eq!(try_fuse!((a % zero + b).sum()), Err(error.clone()));
                    assert_eq!(try_fuse!((a % zero).max_axis(0)), Err(error.clone()));
                    let column = zero.reshape([len, 1]);
                    assert_eq!(try_fuse!(a % column), Err(error.clone()));
                    assert_eq!(try_fuse!((a % column).sum_axis(0)), Err(error.clone()));
                    let before = out.clone();
                    assert_eq!(try_fuse!(out = a % zero), Err(error.clone()));
                    assert_eq!(try_fuse!(out %= zero), Err(error));
                    let error = a.try_floor_div(&zero).unwrap_err();
                    assert_eq!(try_fuse!(a.floor_div(zero) % zero), Err(error));
                    $(
                        let exponent = of(len, &|position| if position == at { $negative } else { 3 });
                        let error = a.try_pow(&exponent).unwrap_err();
                        assert_eq!(try_fuse!(a.pow(exponent)), Err(error.clone()));
                        assert_eq!(try_fuse!(out -= a.pow(exponent)), Err(error));
                    )?
                    assert_eq!(out, before);
                }
            }
        })*};
    }
    check!(I8 -1; I16 -1; I32 -1; I64 -1; U8; U16; U32; U64;);
}

/// Literals and integers as exponents, with which powers of small floats are computed in `F64`.
#[test]
fn powers_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident)*) => {$({
            let x = Tensor::<F64, Rank1>::from_vec((0..45).map(|at| f64::from(at) * 0.75 - 9.0).collect(), [45]);
            let x = x.expect("45 elements").cast::<$D>();
            let n: Tensor<I8, Rank1> = Tensor::from_vec((0..45).map(|at| at % 7 - 3).collect(), [45]).expect("45 elements");
            assert_eq!(raw(&fuse!(x.pow(2) + 1.0)), raw(&(x.pow(2) + 1.0)));
            assert_eq!(raw(&fuse!(x.pow(0.5) * 2)), raw(&(x.pow(0.5) * 2)));
            assert_eq!(raw(&fuse!(x.pow(-1) * 2)), raw(&(x.pow(-1) * 2)));
            assert_eq!(raw(&fuse!(x.pow(17) * 2)), raw(&(x.pow(17) * 2)));
            assert_eq!(raw(&fuse!(x.pow(n))), raw(&x.pow(&n)));
            assert_eq!(raw(&fuse!(x.pow(x))), raw(&x.pow(&x)));
        })*};
    }
    check!(F8E4M3FN F16 BF16 F32 F64 C64 C128);
    let n: Tensor<I16, Rank1> = tensor![-3, 0, 2, 300];
    assert_eq!(fuse!(n.pow(3)), n.pow(3));
    assert_eq!(fuse!(n.pow(0) + n), n.pow(0) + &n);
    assert_eq!(try_fuse!(n.pow(-1)), n.try_pow(-1));
    assert_eq!(try_fuse!(n.pow(40_000)), n.try_pow(40_000));
    let count: Tensor<U8, Rank1> = tensor![0, 1, 7];
    assert_eq!(fuse!(2.pow(count) + 1).to_vec(), [2, 3, 129]);
}

/// Large operands, which are split among threads, streamed and read in tiles.
#[test]
fn large_integers_are_divided_as_those_of_tensors() {
    let [rows, columns] = [600, 700];
    let of = |len: usize, zero: Option<usize>| {
        let divisor = |at| {
            if Some(at) == zero {
                0
            } else {
                (at % 13) as i32 - 20
            }
        };
        Tensor::<I32, Rank1>::from_vec((0..len).map(divisor).collect(), [len])
    };
    let len = rows * columns;
    let square = |zero| of(len, zero).map(|t| t.reshape([rows, columns]));
    let a = square(None).expect("a matrix");
    let mask = a.try_gt(-15).expect("one shape");
    for zero in [None, Some(0), Some(len / 2), Some(len - 1)] {
        let b = square(zero).expect("a matrix");
        let found = try_fuse!(if mask { a % b } else { a });
        let expected = a.try_rem(&b).map(|rest| select(&mask, &rest, &a));
        assert_eq!(found, expected, "{zero:?}");
        let turned = b.transpose();
        let a = a.reshape([columns, rows]);
        assert_eq!(try_fuse!(a % turned), a.try_rem(&turned), "{zero:?}");
        let sums = a.try_rem(&turned).map(|rest| rest.sum_axis(0));
        assert_eq!(try_fuse!((a % turned).sum_axis(0)), sums, "{zero:?}");
        let mut out = a.clone();
        let divided = try_fuse!(out = a.floor_div(out) % turned);
        let expected = (a.try_floor_div(&a)).and_then(|ones| ones.try_rem(&turned));
        assert_eq!(divided.is_ok(), zero.is_none());
        assert_eq!(out, expected.unwrap_or(a), "{zero:?}");
    }
}

/// Functions and powers of complex numbers, and powers of floats.
#[test]
fn complex_functions_are_those_of_tensors() {
    macro_rules! check {
        ($($D:ident $float:ident;)*) => {$(
            for len in [1, 8, 31, 32, 33, 300] {
                let [x, y] = [3, 4].map(|seed| {
                    let elements = sample::<<$D as StaticDType>::Element>(len, seed);
                    Tensor::<$D, Rank1>::from_slice(&elements, [len]).expect("as many elements")
                });
                let expected = (x.exp() / &y + y.tanh().sqrt()) * (&y * &y).ln() - x.pow(&y);
                let found = fuse!((x.exp() / y + y.tanh().sqrt()) * (y * y).ln() - x.pow(y));
                assert_eq!(raw(&found), raw(&expected), "{len}");
                let expected = (&x + &y).sigmoid().sin() + x.sign();
                let mut out = x.clone();
                fuse!(out = (out + y).sigmoid().sin() + out.sign());
                assert_eq!(raw(&out), raw(&expected), "{len}");
                assert_eq!(raw(&fuse!(x.exp().sum())), raw(&x.exp().sum()), "{len}");
                let size: Tensor<$float, Rank1> = fuse!((x.cosh() - y).abs());
                assert_eq!(raw(&size), raw(&(x.cosh() - &y).abs()), "{len}");
            }
        )*};
    }
    check!(C64 F32; C128 F64; F32 F32; F64 F64;);
}

#[test]
fn literals_are_weak_and_elements_strong() {
    let x: Tensor<F16> = tensor![1.5, 2.5];
    let weak: Tensor<F16> = fuse!(x * 2 + 0.5);
    assert_eq!(weak.to_vec(), [3.5, 5.5].map(f16::from_f64));
    let strong: Tensor<F32> = fuse!(x * 2.0f32);
    assert_eq!(strong.to_vec(), [3.0, 5.0]);
    let factor = bf16::from_f32(2.0);
    let variable: Tensor<F32> = fuse!(x * factor);
    assert_eq!(variable, strong);
    let factors = vec![2_i8, 3];
    for factor in &factors {
        let product: Tensor<F16> = fuse!(x * *factor);
        assert_eq!(product, fuse!(factors[usize::from(*factor == 3)] * x));
    }
    let angle: Tensor<F64> = fuse!(x / std::f64::consts::PI);
    assert_eq!(angle.to_vec(), [1.5, 2.5].map(|x| x / std::f64::consts::PI));
    let flags: Tensor<Bool> = tensor![true, false];
    let weak: Tensor<Weak<I64>> = fuse!(flags + 1);
    assert_eq!(weak.to_vec(), [2, 1]);
    let truth: Tensor<F16> = fuse!(x * true);
    assert_eq!(truth, x);
}

#[test]
fn an_element_is_of_rank_zero_to_rules_that_look_at_rank() {
    let x: Tensor<F16, Rank1, Torch> = tensor![1.5, 2.5];
    let exact: Tensor<F16, Rank1, Torch> = fuse!(x * &f16::from_f32(2.0) + f16::ONE);
    assert_eq!(exact.to_vec(), [4.0, 6.0].map(f16::from_f64));
    // The tensor's dtype wins, and an f32 may not fit it.
    let rounded: Tensor<F16, Rank1, Torch> = promote_unsafe!(x * 1.1f32);
    assert_eq!(rounded, promote_unsafe!(1.1f32 * x));
}

#[test]
fn a_choice_between_literals_is_of_the_dtype_that_the_rules_give() {
    // PyTorch makes of two literals its default dtype.
    let c: Tensor<Bool, Rank1, Torch> = tensor![true, false];
    let fused: Tensor<F32, Rank1, Torch> = fuse!(if c { 1.5 } else { 1.0 });
    assert_eq!(fused.to_vec(), [1.5, 1.0]);
    let eager: Tensor<F32, Rank1, Torch> = select(&c, 1.5, 1.0);
    assert_eq!(eager, fused);
    let dynamic = c.into_dyn().try_select(1.5, 1.0).expect("two floats");
    assert_eq!(dynamic, fused.into_dyn());
}

#[test]
fn literals_are_folded_exactly() {
    let x: Tensor<F64, Rank1> = tensor![3.0];
    assert_eq!(fuse!(1 / 3 * x).to_vec(), [1.0 / 3.0 * 3.0]);
    assert_eq!(fuse!((2 + 3) * -(4 - 1) * x).to_vec(), [-45.0]);
    assert_eq!(fuse!(1e3 / 8 + x).to_vec(), [128.0]);
    // On either side.
    assert_eq!(fuse!(10 - x).to_vec(), [7.0]);
    assert_eq!(fuse!(6 / x).to_vec(), [2.0]);
    let n: Tensor<I64, Rank1> = tensor![1];
    let big: Tensor<I64, _> = fuse!(n + 9_000_000_000 * 1_000_000_000);
    assert_eq!(big.to_vec(), [9_000_000_000_000_000_001]);
    assert_eq!(fuse!(n + 0xff + 0b11 + 0o7).to_vec(), [266]);
    // A binding to a literal is the literal.
    let small: Tensor<U8, Rank1> = tensor![1];
    let sum: Tensor<U8, _> = fuse!(let k = 250; let one = 1; small + k + one);
    assert_eq!(sum.to_vec(), [252]);
}

#[test]
fn bindings_are_computed_once_and_follow_scopes() {
    let x: Tensor<F64, Rank1> = tensor![1.0];
    // Were each use computed anew, this would take 2^40 steps.
    macro_rules! doubled {
        ($($name:ident)*) => { fuse!(let d = x; $(let $name = d + d; let d = $name;)* d) };
    }
    let found = doubled!(a b c d e f g h i j k l m n o p q r s t u v w y z aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo);
    assert_eq!(found.to_vec(), [2_f64.powi(40)]);
    let y: Tensor<F64, Rank1> = tensor![5.0];
    let found = fuse!(
        let y = x + 1;
        let inner = { let y = y * 10; y + 1 };
        inner + y
    );
    assert_eq!(found.to_vec(), [23.0]);
    assert_eq!(y.to_vec(), [5.0]);
}

struct Layer {
    weights: Tensor<F32, Rank2>,
    biases: [Tensor<F32, Rank1>; 2],
}

impl Layer {
    fn bias(&self) -> Tensor<F32, Rank1> {
        self.biases[1].clone()
    }

    fn shifted(&mut self) {
        fuse!(self.weights += self.biases[0] - &self.bias());
    }
}

#[test]
fn fields_indices_references_and_views_are_operands() {
    let mut layer = Layer {
        weights: tensor![[1.0, 2.0], [3.0, 4.0]],
        biases: [tensor![10.0, 20.0], tensor![1.0, 2.0]],
    };
    layer.shifted();
    assert_eq!(layer.weights.to_vec(), [10.0, 20.0, 12.0, 22.0]);
    let by_reference = &layer.weights;
    let symmetric = fuse!(by_reference + layer.weights.transpose());
    assert_eq!(symmetric.to_vec(), [20.0, 32.0, 32.0, 44.0]);
    let row: Tensor<F32, Rank1> = fuse!(by_reference.index_axis(0, 1) - layer.biases[0].flip(0));
    assert_eq!(row.to_vec(), [-8.0, 12.0]);
    let boxed = Box::new(layer.bias());
    assert_eq!(fuse!(-*boxed).to_vec(), [-1.0, -2.0]);
}

elementwise! {
    /// `x / (1 + |x|)`
    fn softsign(x: f32) -> f32 {
        x / (1.0 + x.abs())
    }

    fn blend(a: f32, b: f32, t: f16) -> f64 {
        f64::from(a) + f64::from(b - a) * f64::from(t)
    }

    fn is_power_of_two(x: u8) -> bool {
        x.is_power_of_two()
    }

    fn turned(z: c64) -> c64 {
        z * c64::new(0.0, 1.0)
    }

    fn divided(a: i32, b: i32) -> i32 {
        a / b
    }

    fn below_four(x: f32) -> f32 {
        assert!(x < 4.0, "no element is so large");
        x
    }
}

#[test]
fn functions_of_elements_are_called() {
    let x: Tensor<F32, Rank2> = tensor![[1.0], [-3.0]];
    let y: Tensor<F32, Rank1> = tensor![2.0, 4.0];
    let t: Tensor<F16, Rank0> = Tensor::scalar(f16::from_f32(0.5));
    let found: Tensor<F64, Rank2> = fuse!(blend(softsign(x), y * 2, t) + 1);
    assert_eq!(found.to_vec(), [3.25, 5.25, 2.625, 4.625]);
    let n: Tensor<U8> = Tensor::from_vec((0..=255).collect(), [256]).expect("256 elements");
    let powers: Tensor<Bool> = fuse!(is_power_of_two(n));
    assert_eq!(powers.iter().filter(|power| *power).count(), 8);
    let z = Tensor::<C64, Rank1>::from_vec(vec![c64::new(1.0, 2.0)], [1]).expect("one");
    assert_eq!(fuse!(turned(z)).to_vec(), [c64::new(-2.0, 1.0)]);
    // A function that panics ends the evaluation, and the output is a tensor still.
    let mut out: Tensor<I32> = tensor![1, 2];
    let divisors: Tensor<I32> = tensor![1, 0];
    let ended = catch_unwind(AssertUnwindSafe(|| fuse!(out = divided(out, divisors))));
    assert!(ended.is_err());
    assert_eq!(out.shape(), [2]);
}

#[test]
fn functions_see_no_elements_but_those_that_are_there() {
    // Memory of former elements is behind the few.
    drop([(); 20].map(|()| Tensor::<F32, Rank1>::full([32], 9.0)));
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    assert_eq!(fuse!(below_four(x) + x).to_vec(), [2.0, 4.0, 6.0]);
    let mut out = x.clone();
    fuse!(out = below_four(x * x / 4.0));
    assert_eq!(out.to_vec(), [0.25, 1.0, 2.25]);
    assert_eq!(fuse!(below_four(x).sum()).item(), Ok(6.0));
    assert_eq!(fuse!(below_four(x).max_axis(0)).item(), Ok(3.0));
    assert_eq!(fuse!(below_four(x).std()).item(), x.std().item());
    let column: Tensor<F32, Rank2> = tensor![[1.0], [0.5]];
    assert_eq!(
        fuse!(below_four(x * column)).to_vec(),
        [1.0, 2.0, 3.0, 0.5, 1.0, 1.5]
    );
    // Where none is called what lies there may be computed with, but is not part of the result.
    fuse!(out = x / x);
    assert_eq!((out.to_vec(), out.sum().item()), (vec![1.0; 3], Ok(3.0)));
}

/// The last piece of columns would have been less than a pack, and was not written.
#[cfg(not(debug_assertions))]
#[test]
fn very_many_columns_are_reduced_to_the_last() {
    let columns = 2_018 * 2_048 - 2_017;
    let x: Tensor<F32, Rank2> = Tensor::ones([2, columns]);
    let sums: Tensor<F32, Rank1> = fuse!((x + x).sum_axis(0));
    assert!(sums.to_vec().iter().all(|sum| *sum == 4.0));
}

#[test]
fn unsafe_promotions_are_admitted_by_name() {
    let counts: Tensor<I64, Rank1> = tensor![3, 16_777_217];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 1.0];
    let scaled: Tensor<F32, Rank1> = promote_unsafe!(counts * scale);
    assert_eq!(scaled.to_vec(), [1.5, 16_777_216.0]);
    assert_eq!(scaled, counts.promote_unsafe() * &scale);
    let reduced: Tensor<F32, Rank0> = promote_unsafe!((counts * scale).sum());
    assert_eq!(reduced.item(), Ok(16_777_218.0));
    let mut out = scaled.clone();
    promote_unsafe!(out = counts - scale);
    promote_unsafe!(out *= counts);
    assert_eq!(out.to_vec(), [7.5, 16_777_215.0 * 16_777_216.0]);
    let f: Tensor<F16, Rank1> = tensor![1.0];
    assert_eq!(promote_unsafe!(f * 70_000.0).to_vec(), [f16::INFINITY]);
    let n: Tensor<I32, Rank1> = tensor![1];
    assert!(try_promote_unsafe!(n % 0).is_err());
    assert!(try_promote_unsafe!(out = scale.reshape([2, 1]) * out).is_err());
}

#[test]
fn types_are_those_of_tensors() {
    let x: Tensor<F16, Rank2> = tensor![[1.0]];
    let n: Tensor<I8, Rank3> = Tensor::zeros([1, 1, 1]);
    fn type_of<T>(_: &T) -> std::marker::PhantomData<T> {
        std::marker::PhantomData
    }
    macro_rules! same {
        ($fused:expr, $eager:expr) => {{
            let same: [std::marker::PhantomData<_>; 2] = [type_of(&$fused), type_of(&$eager)];
            assert_eq!(same.len(), 2);
        }};
    }
    same!(fuse!(x / n), &x / &n);
    same!(fuse!(n / 2), &n / 2);
    same!(fuse!(x.pow(n)), x.pow(&n));
    same!(fuse!(x == n), x.equal(&n));
    same!(fuse!(n.exp()), n.exp());
    same!(fuse!((n * n).sum_axis(0)), (&n * &n).sum_axis(0));
    same!(fuse!((n * n).mean_keepdims(0)), (&n * &n).mean_keepdims(0));
    same!(fuse!(x.abs().argmax()), x.abs().argmax());
    same!(fuse!(x.widen::<F64>()), x.widen::<F64>());
    same!(fuse!(x.cast::<F8E4M3FN>()), x.cast::<F8E4M3FN>());
    assert_type_eq_all!(Tensor<F32>, Tensor<F32, AnyRank, Jax>);
}

#[test]
fn generic_code_fuses() {
    fn scaled<D, R>(x: &Tensor<D, Rank1, R>, factor: &Tensor<D, Rank1, R>) -> Tensor<D, Rank1, R>
    where
        D: StaticDType,
        R: Rules<Operand<D, Rank1> = D>,
        D: supremum::SafePromote<D, R::Multiply> + supremum::Promote<D, R::Multiply, Output = D>,
        D: supremum::operations::Multiply<R::Operations, Output = D>,
    {
        fuse!(x * factor)
    }
    let x: Tensor<F32, Rank1, Numpy> = tensor![2.0];
    assert_eq!(scaled(&x, &x).to_vec(), [4.0]);
}

macro_rules! beside_its_own {
    ($x:expr) => {{
        let a: Tensor<F32> = tensor![100.0];
        fuse!(a + $x)
    }};
}

macro_rules! with_a_binding {
    ($x:ident) => {
        fuse!(let d = $x - 1.0; d * $x)
    };
}

macro_rules! into_its_own {
    ($x:expr) => {{
        let mut out: Tensor<F32> = tensor![7.0];
        fuse!(out = $x + 1.0);
        out
    }};
}

macro_rules! whole {
    ($expression:expr) => {
        fuse!($expression)
    };
}

#[test]
fn names_are_those_that_the_compiler_sees() {
    let a: Tensor<F32> = tensor![1.0];
    assert_eq!(beside_its_own!(a).to_vec(), [101.0]);
    let d: Tensor<F32> = tensor![5.0];
    assert_eq!(with_a_binding!(d).to_vec(), [20.0]);
    let out: Tensor<F32> = tensor![1.0];
    assert_eq!(into_its_own!(out).to_vec(), [2.0]);
    let mut o: Tensor<F32> = tensor![1.0];
    whole!(o += a * 2);
    assert_eq!(o.to_vec(), [3.0]);
    // A binding is itself behind `&` too.
    assert_eq!(fuse!(let a = a - 1.0; &a * 3.0).to_vec(), [0.0]);
    // Names of the macro's own are no names of the caller's.
    #[allow(non_upper_case_globals, reason = "a name that the macro might use")]
    const x: f32 = 2.0;
    let literal: Tensor<F32> = tensor![3.0];
    let leaf_0: Tensor<F32> = tensor![4.0];
    assert_eq!(fuse!(literal * x + leaf_0 + 1).to_vec(), [11.0]);
}

#[test]
fn ordinary_code_runs_as_often_as_it_is_written() {
    let count = std::cell::Cell::new(0.0_f32);
    let next = || -> Tensor<F32, Rank1> {
        count.set(count.get() + 1.0);
        tensor![count.get()]
    };
    assert_eq!(fuse!(&next() - &next() * 10.0).to_vec(), [-19.0]);
    let mut tensors: [Tensor<F32, Rank1>; 2] = [tensor![1.0], tensor![2.0]];
    let position = std::cell::Cell::new(0);
    let step = || position.replace(position.get() + 1);
    fuse!(tensors[step()] += 100.0);
    assert_eq!(position.get(), 1);
    assert_eq!(tensors.map(|t| t.to_vec()[0]), [101.0, 2.0]);
}

#[test]
fn bindings_read_the_output() {
    let mut out: Tensor<F32> = tensor![2.0];
    fuse!(let t = out + 1; out = t * out);
    assert_eq!(out.to_vec(), [6.0]);
    fn doubled(out: &mut Tensor<F32>) {
        fuse!(*out = out + out);
    }
    doubled(&mut out);
    assert_eq!(out.to_vec(), [12.0]);
}

/// Enough to be streamed past the caches, and to be split among threads, neither into equal parts.
#[test]
fn large_results_are_those_of_tensors() {
    let len = 1_600_003;
    let numbers = |step: f64| {
        let elements = (0..len).map(|at| f64::from(at % 1009) * step).collect();
        let length = usize::try_from(len).expect("a number of elements");
        Tensor::<F64, Rank1>::from_vec(elements, [length]).expect("as many elements")
    };
    let (a, b, c) = (numbers(0.5), numbers(-1.25), numbers(3.0));
    let expected = &a * &b + &c;
    assert!(fuse!(a * b + c) == expected);
    let mut out = numbers(1.0);
    fuse!(out = a * b + c);
    assert!(out == expected);
    // An output that is read is not streamed.
    fuse!(out += a * b);
    assert!(out == expected + a * b);
}

/// Functions are computed some chunks ahead of what is made of them.
#[test]
fn functions_at_all_lengths_are_those_of_tensors() {
    macro_rules! check {
        ($x:ident) => {{
            let half = (&$x * 0.5).tanh();
            let expected = half.exp() * &$x + $x.sigmoid();
            assert!(fuse!(($x * 0.5).tanh().exp() * $x + $x.sigmoid()) == expected);
            let mut out = $x.clone();
            fuse!(out = (out * 0.5).tanh().exp() * out + out.sigmoid());
            assert!(out == expected);
            let found = fuse!(
                let half = ($x * 0.5).tanh();
                let power = half.exp();
                power * half - $x
            );
            assert!(found == half.exp() * &half - &$x);
        }};
    }
    for len in (1..40).chain([255, 256, 257, 288, 511, 513, 1_000]) {
        let elements = sample::<f32>(len, 7);
        let x = Tensor::<F32, Rank1>::from_slice(&elements, [len]).expect("as many elements");
        let x = x.minimum(50.0).maximum(-50.0);
        let x = select(&x.is_nan(), 1.0, &x);
        check!(x);
        let x = x.cast::<BF16>();
        check!(x);
    }
}

/// Operands that wait for results to be rounded are computed ahead too, in short chains and on either side.
#[test]
fn chains_at_all_lengths_are_those_of_tensors() {
    macro_rules! check {
        ($x:ident) => {{
            let two = (&$x + 1.5) * 0.75;
            let mut out = $x.clone();
            fuse!(out = (out + 1.5) * 0.75);
            assert!(out == two && fuse!(($x + 1.5) * 0.75) == two);
            let right = 2.0 - &$x * (&two * 0.5 - &$x);
            assert!(fuse!(2.0 - $x * (two * 0.5 - $x)) == right);
            let both = (&two * 3.0 + &$x) * (&right * 0.25 - 1.0);
            assert!(fuse!((two * 3.0 + $x) * (right * 0.25 - 1.0)) == both);
            fuse!(out = (two * 3.0 + $x) * (right * 0.25 - 1.0) - out);
            assert!(out == &both - &two);
            let found = fuse!(
                let two = ($x + 1.5) * 0.75;
                let right = 2.0 - $x * (two * 0.5 - $x);
                (two * 3.0 + $x) * (right * 0.25 - 1.0)
            );
            assert!(found == both);
        }};
    }
    for len in (1..40)
        .chain((1..20).map(|chunks| 32 * chunks))
        .chain([255, 257, 1_000])
    {
        let elements = sample::<f16>(len, 11);
        let x = Tensor::<F16, Rank1>::from_slice(&elements, [len]).expect("as many elements");
        let x = x.minimum(20.0).maximum(-20.0);
        let x = select(&x.is_nan(), 1.0, &x);
        check!(x);
        let x = x.cast::<BF16>();
        check!(x);
    }
}

/// Arithmetic of bf16 rounds without a question about NaN.
#[test]
fn nan_becomes_bf16_as_that_of_tensors() {
    let bits = [
        0x7f80_0001,
        0x7f80_8000,
        0x7f81_0000,
        0x7fc0_0000,
        0x7fff_7fff,
        0x7fff_8000,
        0x7fff_ffff,
        0xff80_0001,
        0xffc0_0000,
        0xffff_8000,
        0xffff_ffff_u32,
    ];
    let elements: Vec<f32> = bits
        .iter()
        .cycle()
        .take(100)
        .map(|bits| f32::from_bits(*bits))
        .collect();
    let x = Tensor::<F32, Rank1>::from_vec(elements, [100]).expect("as many elements");
    let to_bits = |x: &Tensor<BF16, Rank1>| -> Vec<u16> {
        x.to_vec().into_iter().map(bf16::to_bits).collect()
    };
    assert_eq!(
        to_bits(&fuse!(x.cast::<BF16>())),
        to_bits(&x.cast::<BF16>())
    );
    let computed = fuse!((x.cast::<BF16>() * 2 - x.cast::<BF16>()).cast::<F32>() + x);
    assert!(computed.to_vec().into_iter().all(f32::is_nan));
    let rounded = fuse!((x.cast::<BF16>() * 2 - 1).tanh());
    assert!(rounded.to_vec().into_iter().all(bf16::is_nan));
}

mod backend {
    //! What `fuse_backend!` says is what runs.

    use core::cell::Cell;

    use supremum::{FuseBackend, InterpretedReason, fuse_backend};

    use super::*;

    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    elementwise! {
        fn counted(x: f32) -> f32 {
            CALLS.with(|calls| calls.set(calls.get() + 1));
            x + 1.0
        }
    }

    /// Compiled loops call functions for whole chunks of 32 elements, the interpreter for those that there are.
    fn is_compiled(calls: usize, len: usize) -> bool {
        assert!(
            calls == len || calls == len.next_multiple_of(32),
            "{calls} calls"
        );
        calls != len
    }

    fn calls(run: impl FnOnce()) -> usize {
        CALLS.set(0);
        run();
        CALLS.get()
    }

    /// In the usual profiles, of which those with debug assertions are not optimised. The test of `tests/downstream` is
    /// run in others too.
    fn expected() -> FuseBackend {
        if cfg!(debug_assertions) {
            FuseBackend::Interpreted(InterpretedReason::Unoptimised)
        } else {
            FuseBackend::Compiled
        }
    }

    #[test]
    fn it_follows_the_optimisation_and_is_what_runs() {
        let x: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0, 5.0];
        let backend = fuse_backend!(counted(x) * 2.0).unwrap();
        assert_eq!(backend, expected());
        let calls = calls(|| assert_eq!(fuse!(counted(x) * 2.0).to_vec()[4], 12.0));
        assert_eq!(is_compiled(calls, 5), backend == FuseBackend::Compiled);
    }

    #[test]
    fn broadcasts_are_compiled_unless_a_part_is_smaller() {
        let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let row: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
        let whole = fuse_backend!(counted(x + row)).unwrap();
        assert_eq!(whole, expected());
        let calls_of_rows = calls(|| drop(fuse!(counted(x + row))));
        if whole == FuseBackend::Compiled {
            assert!(calls_of_rows > 6, "{calls_of_rows} calls");
        } else {
            assert_eq!(calls_of_rows, 6);
        }
        let part = fuse_backend!(x + counted(row)).unwrap();
        if expected() == FuseBackend::Compiled {
            let smaller = InterpretedReason::SmallerPart;
            assert_eq!(part, FuseBackend::Interpreted(smaller));
        } else {
            assert_eq!(part, expected());
        }
        assert_eq!(calls(|| drop(fuse!(x + counted(row)))), 3);
    }

    #[test]
    fn every_operation_is_compiled() {
        let n: Tensor<I32> = tensor![7, 8];
        assert_eq!(fuse_backend!(n % n), Ok(expected()));
        assert_eq!(fuse_backend!(n.floor_div(n).pow(n)), Ok(expected()));
        assert_eq!(fuse_backend!((n % n).sum()), Ok(expected()));
        assert_eq!(fuse_backend!(n.pow(2)), Ok(expected()));
        let x: Tensor<F64> = tensor![0.5, 2.0];
        assert_eq!(fuse_backend!(x.pow(x)), Ok(expected()));
        assert_eq!(fuse_backend!(x.cast::<F16>().pow(2)), Ok(expected()));
        assert_eq!(fuse_backend!(x.pow(n) + x.pow(0.5)), Ok(expected()));
        let z = x.cast::<C128>();
        assert_eq!(fuse_backend!(z.sqrt().ln() + z.pow(z)), Ok(expected()));
        // A function would be called a second time where an operation fails.
        let reason = FuseBackend::Interpreted(InterpretedReason::Operation);
        let x: Tensor<F32, Rank1> = tensor![7.0, 8.0];
        let called = fuse_backend!(counted(x).cast::<I32>() % 3).unwrap();
        assert_eq!(called, reason);
        assert_eq!(
            called.to_string(),
            "interpreted: an operation has no loop, or can fail beside a user's function"
        );
        let zero: Tensor<I32> = tensor![0, 1];
        let calls = calls(|| {
            let error = try_fuse!(counted((n % zero).cast::<F32>())).unwrap_err();
            assert_eq!(error, n.try_rem(&zero).unwrap_err());
        });
        assert_eq!(calls, 0);
    }

    #[test]
    fn most_reductions_are_compiled() {
        let x: Tensor<F32, Rank2> = Tensor::ones([40, 100]);
        assert_eq!(fuse_backend!((x * x).sum()), Ok(expected()));
        assert_eq!(fuse_backend!((x * x).mean_axis(0)), Ok(expected()));
        assert_eq!(fuse_backend!((x * x).std_keepdims(1)), Ok(expected()));
        let turned = x.transpose();
        for without in [
            fuse_backend!((x * x).argmax()),
            fuse_backend!((x * turned.slice(0, 0..100).transpose()).nan_sum()),
        ] {
            let without = without.unwrap();
            if expected() == FuseBackend::Compiled {
                let reason = InterpretedReason::Reduction;
                assert_eq!(without, FuseBackend::Interpreted(reason));
                assert_eq!(
                    without.to_string(),
                    "interpreted: a reduction without a loop"
                );
            } else {
                assert_eq!(without, expected());
            }
        }
        let row: Tensor<F32, Rank1> = Tensor::ones([100]);
        let part = fuse_backend!((x * row.exp()).sum()).unwrap();
        if expected() == FuseBackend::Compiled {
            let reason = InterpretedReason::SmallerPart;
            assert_eq!(part, FuseBackend::Interpreted(reason));
        } else {
            assert_eq!(part, expected());
        }
        assert!(matches!(
            fuse_backend!((x * x).sum_axis(2)),
            Err(Error::AxisOutOfRange { .. })
        ));
        let x: Tensor<F32> = tensor![7.0, 8.0];
        let other: Tensor<F32> = tensor![1.0, 2.0, 3.0];
        assert!(matches!(
            fuse_backend!(x + other),
            Err(Error::ShapeMismatch { .. })
        ));
    }
}

/// Hands a macro its arguments and 20 times the number one.
macro_rules! twenty {
    ($macro:ident $($argument:tt)*) => { $macro!($($argument)* 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1) };
}

#[test]
fn bindings_may_be_many() {
    macro_rules! in_turn {
        ($x:ident $($one:tt)*) => {
            fuse!($(
                let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one;
                let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one; let $x = $x + $one;
            )* $x)
        };
    }
    let x: Tensor<I32, Rank1> = tensor![0, 5];
    let sum: Tensor<I32, Rank1> = twenty!(in_turn x);
    assert_eq!(sum.to_vec(), [200, 205]);
}

#[test]
fn chains_may_be_long() {
    macro_rules! sum {
        ($x:ident $($one:tt)*) => { fuse!($x $(+ $x * $one + $x * $one + $x * $one + $x * $one + $x * $one)*) };
    }
    macro_rules! choices {
        ($x:ident $($one:tt)*) => {
            fuse!($(if $x > 7 { $one } else if $x > 6 { 2 } else if $x > 5 { 3 } else)* { $x })
        };
    }
    macro_rules! methods {
        ($x:ident $($one:tt)*) => { fuse!($x$(.abs().maximum($one).abs().minimum($x).abs())*) };
    }
    macro_rules! signs {
        ($x:ident $($one:tt)*) => { fuse!($(- - - - - - $one *)* $x) };
    }
    let x: Tensor<I32, Rank1> = tensor![1, 5, 7, 9];
    let sum: Tensor<I32, Rank1> = twenty!(sum x);
    assert_eq!(sum, &x * 101);
    let chosen: Tensor<I32, Rank1> = twenty!(choices x);
    assert_eq!(chosen.to_vec(), [1, 5, 2, 1]);
    let same: Tensor<I32, Rank1> = twenty!(methods x);
    assert_eq!(same, x);
    let same: Tensor<I32, Rank1> = twenty!(signs x);
    assert_eq!(same, x);
    let mut out = x.clone();
    macro_rules! into {
        ($x:ident $($one:tt)*) => { fuse!($x = $($x + $x * $one * $one * $one +)* $x) };
    }
    twenty!(into out);
    assert_eq!(out, &x * 41);
}

/// Functions that are not marked, those of the standard library and closures that capture nothing are called too.
#[test]
fn functions_of_elements_need_no_mark() {
    fn squashed(x: f32) -> f32 {
        x / (1.0 + x.abs())
    }
    let x: Tensor<F32, Rank1> = tensor![3.0, -1.0, 8.0];
    let scaled = |x: f32, by: f64| (f64::from(x) * by).round();
    let by = 2.0_f64;
    assert_eq!(
        fuse!(squashed(x) + 1.0).to_vec(),
        [1.75, 0.5, 1.0 + 8.0 / 9.0]
    );
    assert_eq!(fuse!(f32::cbrt(x + 0)).to_vec(), [3_f32.cbrt(), -1.0, 2.0]);
    assert_eq!(fuse!(scaled(x, by).sum()).item(), Ok(20.0));
}
