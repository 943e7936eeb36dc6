//! Compiled reductions, which give what reductions of the evaluated expression give, bit by bit: at the edges of packs, blocks and
//! segments, along rows and across them, of operands that broadcast, and on each instruction set.
#![allow(clippy::as_conversions, reason = "numbers of 24 bits")]

use std::borrow::Cow;

use super::elementwise::level_of;
use super::graph::assert_same;
use super::{binary, cast, fenced, unary};
use crate::array::Array;
use crate::dtype::{DType, Element, bf16, f8e4m3fnuz, f16};
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::fused::reduce::{self as reductions, Reduction, compiles, with_loops};
use crate::kernel::fused::{
    Binary, CallSite, Cast, Compiled, Input, LoopInputs, Node, Unary, operations,
};
use crate::kernel::reduce::reduce_source;
use crate::kernel::{BinaryOp, ReduceOp, UnaryOp};
use crate::simd::with_level;

pub(super) enum Here {}

impl CallSite for Here {
    type Compilation = Compiled<true>;
}

/// Numbers whose sums depend on their order, some of them negative zeros.
pub(super) fn numbers(dtype: DType, shape: &[usize], seed: u64) -> Array {
    let mut state = seed;
    let mut wide = vec![0.0; shape.iter().product()];
    for number in &mut wide {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *number = (state >> 40) as f64 / 5e4 - 160.0;
        if *number > -4.0 && *number < 4.0 {
            *number = -0.0;
        }
    }
    let wide = Array::from_elements(&wide, shape).unwrap();
    cast(Cow::Owned(wide), dtype)
}

/// Reduces by the loops, on one of the instruction sets, which reductions, axes and lengths take in turn. Returns whether they could.
fn check<O: Reduction, A: Node, Out: Element, const ALONG_AXES: bool>(
    node: A,
    arrays: &[&Array],
    evaluated: &Array,
    axes: Option<&[usize]>,
    context: &str,
) -> bool {
    let mut sources = LoopInputs::default();
    for (number, array) in arrays.iter().enumerate() {
        sources.array(number, array);
    }
    let all: Vec<usize> = (0..evaluated.rank()).collect();
    let mut could = false;
    // Either form, to compute half as much.
    let keep = evaluated.len().is_multiple_of(2);
    // By the blocks: reductions of arrays may run the same loops.
    let axes_of = axes.unwrap_or(&all);
    let source = Cow::Borrowed(evaluated);
    let expected = reduce_source(O::OP, source, Some(axes_of), keep, Out::DTYPE).unwrap();
    let number = ReduceOp::ALL
        .iter()
        .position(|op| *op == O::OP)
        .unwrap_or_default();
    let turn: usize = evaluated.shape().iter().chain(axes_of).sum();
    let level = level_of(number + turn);
    with_level(level, || {
        let found = fenced(|| {
            with_loops::<Here, O, _, _, O::Accumulated<A::Format, Out>, _, ALONG_AXES>(
                ((), node),
                &sources,
                |code| {
                    code.with_shape(|shape| {
                        let reduced = code.reduce(shape, axes, keep, Out::DTYPE);
                        assert!(reduced.is_none() || code.reduces(shape, axes), "{context}");
                        reduced
                    })
                },
            )
        });
        if let Some(found) = found {
            let found = found.array().unwrap();
            let context = format!("{:?} {context} {axes:?} {keep} {level:?}", O::OP);
            assert_same(&found, &expected, &context);
            could = true;
        }
    });
    could
}

/// Every reduction of elements of `X` that gives `Out` for sums and `Mean` for means.
macro_rules! each_reduction {
    ($check:ident, $X:ty, $Out:ty, $Mean:ty, $along:literal, $($arguments:tt)*) => {
        $check::<reductions::Sum, _, $Out, $along>($($arguments)*)
            & $check::<reductions::Prod, _, $Out, $along>($($arguments)*)
            & $check::<reductions::Mean, _, $Mean, $along>($($arguments)*)
            & $check::<reductions::Var, _, $Mean, $along>($($arguments)*)
            & $check::<reductions::Std, _, $Mean, $along>($($arguments)*)
            & $check::<reductions::Min, _, $X, $along>($($arguments)*)
            & $check::<reductions::Max, _, $X, $along>($($arguments)*)
            & $check::<reductions::Any, _, bool, $along>($($arguments)*)
            & $check::<reductions::All, _, bool, $along>($($arguments)*)
    };
}

/// One reduction of each kind: a sum, one that needs the mean before, and one in any order.
macro_rules! some_reductions {
    ($X:ty, $Mean:ty, $($arguments:tt)*) => {
        check::<reductions::Sum, _, $Mean, true>($($arguments)*)
            & check::<reductions::Std, _, $Mean, true>($($arguments)*)
            & check::<reductions::Min, _, $X, true>($($arguments)*)
    };
}

/// The lengths around a pack, a block, two blocks, and a segment of 64 blocks.
const LENGTHS: &[usize] = &[
    1, 8, 31, 32, 33, 63, 64, 65, 95, 511, 512, 513, 543, 544, 1_024, 1_055, 1_100, 4_133, 32_767,
    32_768, 32_773, 32_800, 33_300, 70_001,
];

macro_rules! of_all_elements {
    ($($test:ident: $X:ty, |$arguments:ident| $check:expr;)*) => {$(
        #[test]
        fn $test() {
            for (number, len) in LENGTHS.iter().enumerate() {
                let x = numbers(<$X>::DTYPE, &[*len], 7 + u64::try_from(number).unwrap());
                let $arguments = (Input::<0, $X>::NEW, &x, format!("{len} elements"));
                assert!($check, "{len}");
            }
        }
    )*};
}

of_all_elements! {
    all_elements_of_f32: f32, |x| each_reduction!(
        check, f32, f32, f32, false, x.0, &[x.1], x.1, None, &x.2
    );
    all_elements_of_f16: f16, |x| {
        check::<reductions::Sum, _, f16, false>(x.0, &[x.1], x.1, None, &x.2)
            & check::<reductions::Mean, _, f64, false>(x.0, &[x.1], x.1, None, &x.2)
            & check::<reductions::Max, _, f16, false>(x.0, &[x.1], x.1, None, &x.2)
    };
    all_elements_of_i8: i8, |x| {
        check::<reductions::Sum, _, i32, false>(x.0, &[x.1], x.1, None, &x.2)
            & check::<reductions::Min, _, i8, false>(x.0, &[x.1], x.1, None, &x.2)
    };
}

/// More than the 64 elements that are combined without the loop.
#[test]
fn sums_of_negative_zeros_are_negative() {
    for len in [65, 100, 1_055] {
        let zeros = |shape: &[usize]| Array::from_positions(shape, |_| -0.0_f32).unwrap();
        let (x, rows) = (zeros(&[len]), zeros(&[3, len]));
        let (node, context) = (Input::<0, f32>::NEW, format!("{len} negative zeros"));
        assert!(check::<reductions::Sum, _, f32, false>(
            node,
            &[&x],
            &x,
            None,
            &context
        ));
        let axes = Some(&[1][..]);
        assert!(check::<reductions::Sum, _, f32, true>(
            node,
            &[&rows],
            &rows,
            axes,
            &context
        ));
    }
}

/// An expression with an operand that repeats rows, and one that repeats a number along them.
fn scaled(x: &Array, row: &Array, column: &Array) -> Array {
    let [x, row, column] = [x, row, column].map(Cow::Borrowed);
    let dtype = x.dtype();
    let product = binary(BinaryOp::Mul, dtype, x, row).unwrap();
    binary(BinaryOp::Add, dtype, Cow::Owned(product), column).unwrap()
}

type Scaled =
    Binary<operations::Add, Binary<operations::Mul, Input<0, f32>, Input<1, f32>>, Input<2, f32>>;

fn scaled_node() -> Scaled {
    Binary::new(Binary::new(Input::NEW, Input::NEW), Input::NEW)
}

#[test]
fn along_rows_and_across_them() {
    for (rows, columns) in [
        (1, 7),
        (2, 4),
        (5, 13),
        (1, 64),
        (3, 64),
        (40, 33),
        (65, 512),
        (129, 512),
        (70, 1_100),
        (3, 40_000),
        (700, 65),
        (64, 2_000),
        (33, 35),
        (600, 33),
        (1_030, 32),
        (1_030, 70),
    ] {
        let x = numbers(DType::F32, &[rows, columns], 3);
        let row = numbers(DType::F32, &[columns], 4);
        let column = numbers(DType::F32, &[rows, 1], 5);
        let y = scaled(&x, &row, &column);
        let context = format!("[{rows}, {columns}]");
        for axes in [&[0][..], &[1], &[0, 1]] {
            let (axes, operands) = (Some(axes), [&x, &row, &column]);
            let node = Input::<0, f32>::NEW;
            assert!(
                some_reductions!(f32, f32, node, &[&y], &y, axes, &context),
                "{context} along {axes:?}"
            );
            let (node, context) = (scaled_node(), format!("scaled {context}"));
            assert!(
                some_reductions!(f32, f32, node, &operands, &y, axes, &context),
                "{context} along {axes:?}"
            );
        }
        // Transposed, and backwards.
        let turned = y.permute(&[1, 0]).unwrap();
        let reversed = y.flip(0).unwrap();
        for (x, name) in [(&turned, "turned"), (&reversed, "reversed")] {
            for axes in [&[0][..], &[1], &[0, 1]] {
                let (node, context) = (Input::<0, f32>::NEW, format!("{name} {context}"));
                let axes = Some(axes);
                assert!(
                    some_reductions!(f32, f32, node, &[x], x, axes, &context),
                    "{context} along {axes:?}"
                );
            }
        }
    }
}

/// Rows of each number of lanes, whose tree is not full, some shorter than a pack; with a node that is staged, and one that is not.
#[test]
fn any_number_of_rows() {
    for rows in (1..=70).chain([511, 512, 513, 544, 545, 1_031]) {
        for columns in [2, 5, 31, 32, 47, 300] {
            if columns > 47 && rows % 16 > 1 || columns < 32 && rows * columns % 7 > 1 {
                continue;
            }
            let x = numbers(DType::F32, &[rows, columns], 11);
            let powers = unary(UnaryOp::Exp, DType::F32, Cow::Borrowed(&x));
            let context = format!("[{rows}, {columns}]");
            let node = Input::<0, f32>::NEW;
            let axes = Some(&[0][..]);
            assert!(some_reductions!(f32, f32, node, &[&x], &x, axes, &context));
            let node = Unary::<operations::Exp, _>::new(node);
            let context = format!("exp of {context}");
            let could =
                check::<reductions::Sum, _, f32, true>(node, &[&x], &powers, axes, &context);
            assert!(could, "{context}");
        }
    }
}

/// The forms that models use have loops, and are not left to the interpreter.
#[test]
fn forms_of_models_have_loops() {
    let (rows, columns) = (40, 512);
    let x = numbers(DType::F32, &[rows, columns], 3);
    let row = numbers(DType::F32, &[columns], 4);
    let column = numbers(DType::F32, &[rows, 1], 5);
    let y = scaled(&x, &row, &column);
    for axes in [&[0][..], &[1], &[0, 1]] {
        assert!(
            some_reductions!(
                f32,
                f32,
                scaled_node(),
                &[&x, &row, &column],
                &y,
                Some(axes),
                "forms"
            ),
            "{axes:?}"
        );
    }
}

/// Rows that are shorter than a pack, of which many are computed together: too few for a pack, parts of what is computed at a time, and more;
/// with a node that is staged, and one that is not.
#[test]
fn rows_shorter_than_a_pack() {
    for depth in [2, 3, 7, 8, 16, 24, 31] {
        for rows in [33, 70, 1_024 / depth, 1_025 / depth + 1, 700] {
            let x = numbers(DType::F32, &[rows, depth], 13);
            let half = numbers(DType::F16, &[rows, depth], 14);
            let wide = Cow::Owned(cast(Cow::Borrowed(&half), DType::F32));
            let product = binary(BinaryOp::Mul, DType::F32, Cow::Borrowed(&x), wide).unwrap();
            let context = format!("[{rows}, {depth}]");
            let axes = Some(&[1][..]);
            let node = Binary::<operations::Mul, _, _>::new(
                Input::<0, f32>::NEW,
                Cast::<_, f32>::new(Input::<1, f16>::NEW),
            );
            let arrays = [&x, &half];
            assert!(some_reductions!(
                f32, f32, node, &arrays, &product, axes, &context
            ));
            let node = Unary::<operations::Exp, _>::new(Input::<0, f32>::NEW);
            let powers = unary(UnaryOp::Exp, DType::F32, Cow::Borrowed(&x));
            let context = format!("exp of {context}");
            let could =
                check::<reductions::Mean, _, f32, true>(node, &[&x], &powers, axes, &context);
            assert!(could, "{context}");
        }
    }
}

/// Magnitudes are compared as integers, which must not lose a NaN of either sign, or take one for a number.
#[test]
fn greatest_magnitudes() {
    fn check_all<T: Element>(wide: &Array) {
        let x = cast(Cow::Borrowed(wide), T::DTYPE);
        let sizes = unary(UnaryOp::Abs, T::DTYPE, Cow::Borrowed(&x));
        let node = Unary::<operations::Abs, _>::new(Input::<0, T>::NEW);
        let node = Cast::<_, T>::new(node);
        for axes in [&[0][..], &[1], &[0, 1]] {
            let context = format!("{:?} of {:?}", x.shape(), T::DTYPE);
            let could =
                check::<reductions::Max, _, T, true>(node, &[&x], &sizes, Some(axes), &context);
            assert!(could, "{context}");
        }
    }
    for shape in [[3, 32], [5, 40], [70, 64], [2, 600], [1, 5_000]] {
        let numbers = numbers(DType::F64, &shape, 9).to_vec::<f64>();
        let zeros = vec![-0.0; numbers.len()];
        let mut all = vec![numbers.clone(), zeros];
        for special in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut numbers = numbers.clone();
            numbers[shape[0] * shape[1] * 2 / 3] = special;
            all.push(numbers);
        }
        for numbers in all {
            let wide = Array::from_elements(&numbers, &shape).unwrap();
            check_all::<f64>(&wide);
            check_all::<f32>(&wide);
            check_all::<f16>(&wide);
            check_all::<bf16>(&wide);
            check_all::<f8e4m3fnuz>(&wide);
        }
    }
}

/// Operands that the loops cannot read in place: a row and a column, which broadcast to rows of any length, and a transposed matrix. They are
/// few, or copied block by block, or as a whole.
#[test]
fn operands_that_are_copied() {
    for (rows, columns) in [
        (33, 2),
        (16, 8),
        (70, 3),
        (300, 17),
        (1_400, 24),
        (3, 500),
        (2, 40_100),
        (1_030, 31),
        (40, 40),
        (40, 1_057),
        (5, 2_079),
        (5, 2_053),
    ] {
        let turned = numbers(DType::F32, &[columns, rows], 6);
        let turned = turned.permute(&[1, 0]).unwrap();
        let row = numbers(DType::F32, &[columns], 4);
        let column = numbers(DType::F32, &[rows, 1], 5);
        let (of_row, of_all) = (numbers(DType::F32, &[rows, columns], 3), turned);
        for (x, name) in [(&of_row, "scaled"), (&of_all, "scaled transposed")] {
            let y = scaled(x, &row, &column);
            let context = format!("{name} [{rows}, {columns}]");
            let operands = [x, &row, &column];
            for axes in [&[0][..], &[1], &[0, 1]] {
                let (node, axes) = (scaled_node(), Some(axes));
                assert!(
                    some_reductions!(f32, f32, node, &operands, &y, axes, &context),
                    "{context} along {axes:?}"
                );
            }
            let node = scaled_node();
            assert!(
                check::<reductions::Var, _, f32, false>(node, &operands, &y, None, &context)
                    & check::<reductions::Max, _, f32, false>(node, &operands, &y, None, &context),
                "{context}"
            );
        }
    }
}

#[test]
fn three_axes() {
    for [first, middle, last] in [
        [5, 40, 48],
        [2, 33, 3],
        [40, 7, 40],
        [3, 70, 31],
        [2, 520, 33],
        [40, 2, 150],
    ] {
        let x = numbers(DType::F32, &[first, middle, last], 3);
        let row = numbers(DType::F32, &[last], 4);
        let column = numbers(DType::F32, &[middle, 1], 5);
        let y = scaled(&x, &row, &column);
        let operands = [&x, &row, &column];
        let context = format!("[{first}, {middle}, {last}]");
        for axes in [&[0][..], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]] {
            let axes = Some(axes);
            let node = Input::<0, f32>::NEW;
            assert!(
                some_reductions!(f32, f32, node, &[&x], &x, axes, &context),
                "{context} along {axes:?}"
            );
            let node = scaled_node();
            assert!(
                some_reductions!(f32, f32, node, &operands, &y, axes, &context),
                "scaled {context} along {axes:?}"
            );
        }
    }
}

#[test]
fn complex_numbers_and_booleans() {
    use num_complex::Complex;
    type C = Complex<f32>;
    for len in [1, 33, 700, 40_000] {
        let parts = numbers(DType::F32, &[len, 2], 9);
        let parts: Vec<C> = parts
            .to_vec::<f32>()
            .chunks(2)
            .map(|z| C::new(z[0], z[1]))
            .collect();
        let z = Array::from_elements(&parts, &[len]).unwrap();
        let node = Input::<0, C>::NEW;
        assert!(check::<reductions::Sum, _, C, false>(
            node,
            &[&z],
            &z,
            None,
            "complex"
        ));
        assert!(check::<reductions::Mean, _, C, false>(
            node,
            &[&z],
            &z,
            None,
            "complex"
        ));
        let b = cast(Cow::Owned(numbers(DType::F32, &[len], 8)), DType::Bool);
        let node = Input::<0, bool>::NEW;
        assert!(check::<reductions::Sum, _, i32, false>(
            node,
            &[&b],
            &b,
            None,
            "booleans"
        ));
        assert!(check::<reductions::Max, _, bool, false>(
            node,
            &[&b],
            &b,
            None,
            "booleans"
        ));
        assert!(check::<reductions::All, _, bool, false>(
            node,
            &[&b],
            &b,
            None,
            "booleans"
        ));
    }
    assert!(!compiles::<reductions::Max, C, C>());
    assert!(!compiles::<reductions::Var, C, f32>());
    assert!(!compiles::<reductions::NanSum, f32, f32>());
    assert!(
        !compiles::<reductions::Sum, f32, i32>(),
        "cast before, as in NumPy"
    );
}

#[test]
fn casts_before_and_after() {
    let x = numbers(DType::F16, &[70_000], 6);
    let wide = cast(Cow::Borrowed(&x), DType::F32);
    let node = Cast::<_, f32>::new(Input::<0, f16>::NEW);
    assert!(check::<reductions::Sum, _, f32, false>(
        node,
        &[&x],
        &wide,
        None,
        "widened"
    ));
    assert!(check::<reductions::Sum, _, bf16, false>(
        node,
        &[&x],
        &wide,
        None,
        "rounded"
    ));
}

#[cfg(feature = "parallel")]
#[test]
fn threads_give_the_same() {
    let shapes = [
        [1, 700_000],
        [300, 3_000],
        [3_000, 300],
        [70, 9_000],
        [70_000, 10],
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        let x = numbers(DType::F32, &shape, 3);
        let row = numbers(DType::F32, &shape[1..], 4);
        let column = numbers(DType::F32, &[shape[0], 1], 5);
        // Each axis is split among both numbers of threads.
        for (case, axes) in [&[0][..], &[1], &[0, 1]].into_iter().enumerate() {
            parallel::with_threads(2 + (number + case) % 2, || {
                let y = scaled(&x, &row, &column);
                let node = scaled_node();
                let operands = [&x, &row, &column];
                check::<reductions::Sum, _, f32, true>(node, &operands, &y, Some(axes), "threads");
                let node = Input::<0, f32>::NEW;
                check::<reductions::Sum, _, f32, true>(node, &[&x], &x, Some(axes), "threads");
                // The passes of a deviation are those of sums.
                if number < 2 {
                    check::<reductions::Std, _, f32, true>(node, &[&x], &x, Some(axes), "threads");
                }
            });
        }
    }
}

#[test]
fn types_are_those_that_the_kernel_accumulates_in() {
    macro_rules! each {
        ($($X:ty),*) => {$(
            each!(@out $X: u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64, bool);
        )*};
        (@out $X:ty: $($Out:ty),*) => {
            // One table for each dtype: code for each pair takes the compiler longer.
            let x = <$X>::DTYPE;
            for (out, found) in [$((
                <$Out>::DTYPE,
                <<reductions::Sum as Reduction>::Accumulated<$X, $Out> as Element>::DTYPE,
            )),*] {
                agree(x, out, found);
            }
        };
    }
    fn agree(x: DType, out: DType, found: DType) {
        for op in [ReduceOp::Sum, ReduceOp::Mean] {
            let accumulate = op.accumulate();
            let is_float = out.kind().is_inexact() || op == ReduceOp::Sum;
            if is_float && !accumulate.casts_first(x, out) {
                assert_eq!(found, accumulate.dtype(x, out), "{op:?} of {x} to {out}");
            }
        }
    }
    each!(
        u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64, bool
    );
}

/// Divides by elements of which one is zero, if `zero` is its position. Returns whether there is a result.
fn divides<O: Reduction, Out: Element>(
    shape: &[usize],
    zero: Option<usize>,
    axes: Option<&[usize]>,
) -> bool {
    let divisor = |at| if Some(at) == zero { 0 } else { 3 };
    let len = shape.iter().product::<usize>();
    let b = Array::from_positions(&[len], divisor).unwrap();
    let b = b.reshape(shape).unwrap();
    let a = Array::full(7_i32, shape).unwrap();
    let mut sources = LoopInputs::default();
    sources.array(0, &a);
    sources.array(1, &b);
    let rest = Binary::<operations::Rem, _, _>::new(Input::<0, i32>::NEW, Input::<1, i32>::NEW);
    fenced(|| {
        with_loops::<Here, O, _, _, O::Accumulated<i32, Out>, _, true>(
            ((), rest),
            &sources,
            |code| code.with_shape(|shape| code.reduce(shape, axes, false, Out::DTYPE)),
        )
    })
    .is_some()
}

/// Reductions of what fails have no result: along rows and across them, of few elements, and of more than a segment.
#[test]
fn operations_that_fail_are_found() {
    for shape in [&[3, 5][..], &[2, 32], &[33, 64], &[3, 100], &[1, 40_001]] {
        let len = shape.iter().product::<usize>();
        for axes in [None, Some(&[0][..]), Some(&[1][..])] {
            let context = format!("{shape:?} along {axes:?}");
            for zero in [0, len / 2, len - 1] {
                assert!(
                    !divides::<reductions::Sum, i64>(shape, Some(zero), axes),
                    "{context}"
                );
                assert!(
                    !divides::<reductions::Max, i32>(shape, Some(zero), axes),
                    "{context}"
                );
                assert!(
                    !divides::<reductions::Var, f64>(shape, Some(zero), axes),
                    "{context}"
                );
            }
            assert!(
                divides::<reductions::Sum, i64>(shape, None, axes),
                "{context}"
            );
            assert!(
                divides::<reductions::Var, f64>(shape, None, axes),
                "{context}"
            );
        }
    }
}
