//! Operations and comparisons of two operands, and operations that fail.

use super::{
    CheckOf, accepted, check_baseline, check_once, compiled_once, elements,
    has_operations_of_its_own, lend, only, sources_of,
};
use crate::array::Array;
use crate::kernel::binary::op::Check;
use crate::kernel::fused::operations::{self, BinaryOperation, Comparison};
use crate::kernel::fused::{
    Binary, Bound, Compare, Input, Loop, LoopBody, LoopExpression, LoopInputs, PackByPack,
};
use crate::kernel::tests::elementwise::for_each_element;
use crate::kernel::tests::graph::assert_same;
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::{binary, compare, fenced};
use crate::kernel::{BinaryOp, CompareOp};
use crate::op::{each_binary, each_comparison};
use crate::simd::Baseline;

check_once! {
    check_binary<O: BinaryOperation, E: Oracle>: Binary<O, Input<0, E>, Input<1, E>>, Binary::new(Input::NEW, Input::NEW);
    check_comparison<O: Comparison, E: Oracle>: Compare<O, Input<0, E>, Input<1, E>>, Compare::new(Input::NEW, Input::NEW);
}

fn binary_of<E: Oracle>() {
    if const { !has_operations_of_its_own(E::DTYPE) } {
        return;
    }
    macro_rules! operations {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself $kinds:tt)*) => {
            const { &[$((BinaryOp::$Op, only(BinaryOp::$Op.is_defined(E::DTYPE), E::DTYPE, check_binary::<operations::$Op, E>))),*] }
        };
    }
    macro_rules! comparisons {
        ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $Op:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; $example:tt)*) => {
            const { &[$((CompareOp::$Op, only(true, E::DTYPE, check_comparison::<operations::$Op, E>))),*] }
        };
    }
    let operations: &[(BinaryOp, Option<CheckOf>)] = each_binary!(kernels operations!);
    let comparisons: &[(CompareOp, Option<CheckOf>)] = each_comparison!(comparisons!);
    let (a, b) = (elements::<E>(1), elements::<E>(40_503));
    let accepted = [accepted::<E>(&b, 0), accepted::<E>(&b, 1)];
    check_pairs(operations, comparisons, [&a, &b], &accepted);
}

/// Checks operations and comparisons of two arrays. Divisions and powers of integers refuse some elements, so they take other right operands.
fn check_pairs(
    operations: &[(BinaryOp, Option<CheckOf>)],
    comparisons: &[(CompareOp, Option<CheckOf>)],
    [a, b]: [&Array; 2],
    [divisors, exponents]: &[Array; 2],
) {
    let dtype = a.dtype();
    for (op, check) in operations {
        let Some(check) = check else { continue };
        let b = match op.check(dtype) {
            Some(Check::Zero { .. }) => divisors,
            Some(Check::Negative) => exponents,
            None => b,
        };
        let expected = binary(*op, dtype, lend(a), lend(b)).unwrap();
        check(&[a, b], &expected, &format!("{} of two", op.name()));
    }
    for (op, check) in comparisons {
        let Some(check) = check else { continue };
        let expected = compare(*op, dtype, lend(a), lend(b)).unwrap();
        check(&[a, b], &expected, op.name());
    }
}

#[test]
fn operations_and_comparisons_agree() {
    for_each_element!(binary_of());
}

/// If an operation fails, the loop gives no value and does not change the output. The refused element is put in every lane, in the
/// elements after the last whole pack, and in an operand that repeats one element. Only integers are refused.
fn failing_of<E: Oracle>() {
    macro_rules! operations {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself $kinds:tt)*) => {$(
            let test: Option<fn()> = const { if BinaryOp::$Op.check(E::DTYPE).is_some() { Some(fails::<operations::$Op, E>) } else { None } };
            if let Some(test) = test {
                test();
            }
        )*};
    }
    each_binary!(kernels operations!);
}

fn fails<O: BinaryOperation, E: Oracle>() {
    let (one, zero) = (E::of(E::convert(1_u64)), E::of(E::convert(0_u64)));
    let refused = match O::OP.check(E::DTYPE) {
        Some(Check::Negative) => E::of(E::convert(-1_i64)),
        _ => zero,
    };
    let quotient = Binary::<O, _, _>::new(Input::<0, E>::NEW, Input::<1, E>::NEW);
    // A value that nothing reads can fail as well; the graph knows that it is not needed.
    let of_binding = Binary::<operations::Add, _, _>::new(Bound::<0, E>::NEW, Input::<0, E>::NEW);
    for len in [1, 8, 31, 32, 33, 64, 71] {
        for at in 0..=len {
            let a = Array::full(one, &[len]).unwrap();
            let b = Array::from_positions(
                &[len],
                |position| if position == at { refused } else { one },
            );
            let b = b.unwrap();
            let fails = at < len;
            let mut sources = LoopInputs::default();
            sources.array(0, &a);
            sources.array(1, &b);
            let context = format!("{:?} of {}, {len}, {at}", O::OP, E::DTYPE);
            let new = LoopExpression::new((), quotient);
            let found = fenced(|| compiled_once(&new, &sources).evaluate());
            assert_eq!(found.is_none(), fails, "{context}");
            let new = LoopExpression::new(((), quotient), of_binding);
            let found = fenced(|| compiled_once(&new, &sources).evaluate());
            assert_eq!(found.is_none(), fails, "{context}, bound");
            let mut out = Array::full(one, &[len]).unwrap();
            let mut sources = LoopInputs::default();
            sources.output(0, E::DTYPE);
            sources.array(1, &b);
            let new = LoopExpression::new((), quotient);
            let code = compiled_once(&new, &sources);
            assert_eq!(fenced(|| code.evaluate_into(&mut out)), !fails, "{context}");
            let left = binary(O::OP, E::DTYPE, lend(&a), lend(&b)).unwrap_or(a.clone());
            assert_same(&out, &left, &context);
        }
    }
    // Rows, of which one divides by the refused element only; and an element that all rows repeat.
    let rows = Array::from_positions(&[40 * 70], |_| one).unwrap();
    let rows = rows.reshape(&[40, 70]).unwrap();
    for at in [0, 31, 39, 40] {
        let column = Array::from_positions(&[40], |row| if row == at { refused } else { one });
        let column = column.unwrap().reshape(&[40, 1]).unwrap();
        let single = Array::full(if at < 40 { refused } else { one }, &[]).unwrap();
        for divisors in [&column, &single] {
            let mut sources = LoopInputs::default();
            sources.array(0, &rows);
            sources.array(1, divisors);
            let new = LoopExpression::new((), quotient);
            let found = fenced(|| compiled_once(&new, &sources).evaluate());
            assert_eq!(found.is_none(), at < 40, "{:?} of rows, {at}", O::OP);
        }
    }
}

#[test]
fn operations_that_fail_are_found() {
    for_each_element!(failing_of());
}
