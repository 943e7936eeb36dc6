//! Hoistable parts in loops: computed by the loop or before it, on each instruction set, with the bits of single operations.

use std::borrow::Cow;

use super::fused_reductions::{Here, numbers};
use super::graph::assert_same;
use super::{binary, unary};
use crate::array::Array;
use crate::dtype::{Element, f16};
use crate::kernel::fused::{
    Binary, Bound, Cast, Hoistable, Input, Loop, LoopExpression, LoopInputs, Node, Unary,
    operations,
};
use crate::kernel::{BinaryOp, UnaryOp};
use crate::simd::{SimdLevel, with_level};

/// The number of the input that has the elements of the part.
const PART: usize = 2;

/// Compares `x * sqrt(y)` and `x * exp(y)`, where the second operand is a part, with the operations one after the other.
fn check<E: Element>(shape: &[usize], of_part: &[usize]) {
    let (x, y) = (numbers(E::DTYPE, shape, 1), numbers(E::DTYPE, of_part, 2));
    macro_rules! with {
        ($Function:ident) => {{
            let part = unary(UnaryOp::$Function, E::DTYPE, Cow::Borrowed(&y));
            let product = binary(
                BinaryOp::Mul,
                E::DTYPE,
                Cow::Borrowed(&x),
                Cow::Borrowed(&part),
            );
            let expected = product.unwrap();
            let node =
                Cast::<_, E>::new(Unary::<operations::$Function, Input<1, E>>::new(Input::NEW));
            let node = Hoistable::<PART, _>::new(node);
            let node = Binary::<operations::Mul, Input<0, E>, _>::new(Input::NEW, node);
            let expression = LoopExpression::new((), Cast::<_, E>::new(node));
            for (number, array) in [(1, &y), (PART, &part)] {
                let context = format!("{:?} of {of_part:?}, as input {number}", UnaryOp::$Function);
                let found = evaluate(&expression, &x, (number, array));
                for (level, found) in found {
                    assert_same(&found, &expected, &format!("{context}, {level:?}"));
                }
            }
        }};
    }
    with!(Sqrt);
    with!(Exp);
}

/// Evaluates an expression of `x` and another input, on each instruction set. Up to a few hundred elements, and if the part is not smaller, no
/// part is refused because it would be repeated.
fn evaluate<A: Node>(
    expression: &LoopExpression<(), A>,
    x: &Array,
    (number, array): (usize, &Array),
) -> Vec<(SimdLevel, Array)> {
    let mut sources = LoopInputs::default();
    sources.array(0, x);
    sources.array(number, array);
    let levels = SimdLevel::ALL
        .iter()
        .filter(|level| **level <= SimdLevel::detected());
    let evaluated = levels.map(|&level| {
        let mut value = None;
        with_level(level, || {
            value = Loop::new::<Here, _, _>(expression, &sources).evaluate();
        });
        (level, value.expect("a loop"))
    });
    evaluated.collect()
}

#[test]
fn a_part_is_computed_or_read() {
    for of_part in [&[9, 70][..], &[9, 1], &[70], &[]] {
        check::<f32>(&[9, 70], of_part);
        check::<f16>(&[9, 70], of_part);
    }
}

/// A loop computes a part of more elements only where it is told to read it.
#[test]
fn a_costly_part_is_not_repeated() {
    let (x, y) = (
        numbers(f32::DTYPE, &[90, 70], 1),
        numbers(f32::DTYPE, &[70], 2),
    );
    let part = Unary::<operations::Exp, Input<1, f32>>::new(Input::NEW);
    let node = Hoistable::<PART, _>::new(Cast::<_, f32>::new(part));
    let node = Unary::<operations::Neg, _>::new(node);
    let node = Binary::<operations::Mul, Input<0, f32>, _>::new(Input::NEW, node);
    let node = Cast::<_, f32>::new(node);
    let expression = LoopExpression::new((), node);
    let of = |number, array| {
        let mut sources = LoopInputs::default();
        sources.array(0, &x);
        sources.array(number, array);
        let shape = shape_of(&sources, node);
        let value = Loop::new::<Here, _, _>(&expression, &sources).evaluate();
        (shape, value.is_some())
    };
    assert_eq!(of(1, &y), (Some(vec![90, 70]), false));
    assert_eq!(of(PART, &y), (None, true));
}

/// The loop of a part is the same code for AVX2 and AVX-512. On x86-64 the baseline has none.
#[test]
fn a_loop_of_its_own_computes_a_part() {
    for shape in [&[70, 1][..], &[1, 33], &[3], &[0, 4]] {
        let y = numbers(f32::DTYPE, shape, 2);
        let expected = unary(UnaryOp::Exp, f32::DTYPE, Cow::Borrowed(&y));
        let part = Unary::<operations::Exp, Input<1, f32>>::new(Input::NEW);
        let expression = LoopExpression::new((), Cast::<_, f32>::new(part));
        let mut sources = LoopInputs::default();
        sources.array(1, &y);
        for level in SimdLevel::ALL {
            if level > SimdLevel::detected() {
                continue;
            }
            with_level(level, || {
                let code = Loop::of_part::<Here, _>(&expression, &sources);
                let has_code = cfg!(not(target_arch = "x86_64")) || level > SimdLevel::Baseline;
                assert_eq!(code.is_some(), has_code, "{level:?}");
                if let Some(code) = code {
                    let found = code.evaluate().expect("a loop");
                    assert_same(&found, &expected, &format!("{shape:?}, {level:?}"));
                }
            });
        }
    }
}

/// Several rows of several packs, of which the last one overlaps the one before.
#[test]
fn a_loop_of_a_part_computes_every_row() {
    let (x, y) = (
        numbers(f32::DTYPE, &[3, 1], 1),
        numbers(f32::DTYPE, &[75], 2),
    );
    let powers = unary(UnaryOp::Exp, f32::DTYPE, Cow::Borrowed(&y));
    let expected = binary(
        BinaryOp::Mul,
        f32::DTYPE,
        Cow::Borrowed(&x),
        Cow::Borrowed(&powers),
    );
    let part = Unary::<operations::Exp, Input<1, f32>>::new(Input::NEW);
    let part = Binary::<operations::Mul, Input<0, f32>, _>::new(Input::NEW, part);
    let expression = LoopExpression::new((), Cast::<_, f32>::new(part));
    let mut sources = LoopInputs::default();
    sources.array(0, &x);
    sources.array(1, &y);
    with_level(SimdLevel::detected(), || {
        if let Some(code) = Loop::of_part::<Here, _>(&expression, &sources) {
            let found = code.evaluate().expect("a loop");
            assert_same(&found, expected.as_ref().unwrap(), "rows of a part");
        }
    });
}

/// A part alone cannot read a value that only the whole expression binds.
#[test]
fn a_part_that_reads_a_bound_value_has_no_loop() {
    let root = Unary::<operations::Sqrt, Bound<0, f32>>::new(Bound::NEW);
    let expression = LoopExpression::new((), Cast::<_, f32>::new(root));
    assert!(Loop::of_part::<Here, _>(&expression, &LoopInputs::default()).is_none());
}

/// A loop of its own takes less time to prepare than the interpreter, so it pays for fewer elements.
#[test]
fn parts_are_computed_before_fewer_elements_with_a_loop() {
    let part = Unary::<operations::Exp, Input<1, f32>>::new(Input::NEW);
    let node = Hoistable::<PART, _>::new(Cast::<_, f32>::new(part));
    let node = Binary::<operations::Mul, Input<0, f32>, _>::new(Input::NEW, node);
    let is_hoisted = |columns| {
        let (x, y) = (
            numbers(f32::DTYPE, &[4, columns], 1),
            numbers(f32::DTYPE, &[4, 1], 2),
        );
        let mut sources = LoopInputs::default();
        sources.array(0, &x);
        sources.array(1, &y);
        shape_of(&sources, Cast::<_, f32>::new(node)).is_some()
    };
    with_level(SimdLevel::Baseline, || {
        let has_code = cfg!(not(target_arch = "x86_64"));
        assert_eq!([8, 200, 2000].map(is_hoisted), [false, has_code, true]);
    });
    if SimdLevel::detected() > SimdLevel::Baseline {
        with_level(SimdLevel::detected(), || {
            assert_eq!([8, 200, 2000].map(is_hoisted), [false, true, true]);
        });
    }
}

fn shape_of<A: Node>(sources: &LoopInputs<'_>, _: A) -> Option<Vec<usize>> {
    sources.hoists::<(), A>(None).map(|shape| shape.to_vec())
}

#[test]
fn parts_of_half_the_elements_are_hoisted() {
    let sources = LoopInputs::hoisting(&[10, 7]);
    assert!(sources.is_hoisting() && sources.hoists_part(&[5, 7]) && sources.hoists_part(&[]));
    assert!(!sources.hoists_part(&[6, 7]) && !LoopInputs::default().is_hoisting());
}
