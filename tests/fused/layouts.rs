//! `fuse!` over views and broadcasts of random shapes, judged by an oracle that computes element by element.

use core::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::Config;
use supremum::{BF16, Bool, DynTensor, F16, F32, I8, I16, Rules, Tensor, U8, f16, fuse, try_fuse};

use crate::naive::{Arith, Op, Plain, Typed, convert, indices, same, sample};
use crate::raw;

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
    .prop_filter(
        "few elements, also in memory of more sizes than these",
        |shape| shape.iter().map(|size| size.max(&1)).product::<usize>() <= 5_000,
    )
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
            sum_axis(&[axis, 0]) or try_sum_axis; prod_keepdims(&[axis]) or try_prod_keepdims;
            var_axis(&[0_isize; 0]) or try_var_axis; min_axis(7) or try_min_axis;
        }
    }

    /// Writing into a of any layout and shared or not.
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
