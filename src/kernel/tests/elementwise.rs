//! Every operation on every dtype in every layout, at every instruction set, against the oracle.

use std::borrow::Cow;

use super::layouts::{Layout, SHAPES, Seen, check, together};
use super::oracle::{Answer, Oracle};
use super::{binary, cast, compare, copied, select, try_unary};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, StaticDType, for_each_marker};
use crate::error::Error;
use crate::kernel::*;
use crate::simd::{SimdLevel, with_level};

/// Calls a generic function with each element type.
macro_rules! for_each_element {
    ($function:ident()) => {
        for_each_element!(@ $function ($))
    };
    (@ $function:ident ($d:tt)) => {{
        macro_rules! call {
            ($d($d marker:ident)*) => {
                $d($function::<<crate::dtype::$d marker as StaticDType>::Element>();)*
            };
        }
        for_each_marker!(call);
    }};
    (@second $function:ident $A:ident ($d:tt)) => {{
        macro_rules! call {
            ($d($d marker:ident)*) => {
                $d($function::<<crate::dtype::$d marker as StaticDType>::Element, $A>();)*
            };
        }
        for_each_marker!(call);
    }};
}
pub(super) use for_each_element;

fn lend(x: &Array) -> Cow<'_, Array> {
    Cow::Borrowed(x)
}

fn own(x: &Array, take: bool) -> Cow<'_, Array> {
    if take {
        Cow::Owned(copied(x))
    } else {
        Cow::Borrowed(x)
    }
}

pub(super) fn at_each_level(test: fn()) {
    for level in SimdLevel::ALL {
        with_level(level, test);
    }
}

fn any<E>(_: E) -> bool {
    true
}

fn divisor<E: Oracle>(element: E) -> bool {
    !element.refused()[0]
}

fn exponent<E: Oracle>(element: E) -> bool {
    !element.refused()[1]
}

fn binary_of<E: Oracle>() {
    for (number, op) in BinaryOp::ALL.into_iter().enumerate() {
        let accept = match op {
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Rem => divisor::<E>,
            BinaryOp::Pow => exponent::<E>,
            _ => any::<E>,
        };
        for (case, shape) in SHAPES.into_iter().enumerate() {
            // Each shape meets other pairs of layouts with each operation; all in all, every pair
            // meets every shape.
            for turn in 0..8 {
                let first = Layout::ALL[turn];
                let second = Layout::ALL[(turn * 3 + case + number) % 8];
                let a = Seen::<E>::new(first, shape, 1, any);
                let b = Seen::<E>::new(second, shape, 2, accept);
                let result = binary(op, E::DTYPE, lend(&a.array), lend(&b.array));
                let context = || {
                    format!(
                        "{op:?} of {}, {shape:?}, {first:?} and {second:?}",
                        E::DTYPE
                    )
                };
                let Ok(result) = result else {
                    let refused = E::binary(op, E::any(8), E::any(8)).is_none();
                    assert!(refused, "{}: {result:?}", context());
                    continue;
                };
                let (out, visit) = together(&[first, second], shape);
                let expected =
                    |row, column| E::binary(op, a.at(row, column), b.at(row, column)).unwrap();
                check(&result, &out, visit, expected, context);
                // Operands that give their memory away.
                if turn != number % 8 {
                    continue;
                }
                for take in [[true, false], [false, true], [true, true]] {
                    let operands = (own(&a.array, take[0]), own(&b.array, take[1]));
                    let result = binary(op, E::DTYPE, operands.0.clone(), operands.1.clone());
                    check(&result.unwrap(), &out, visit, expected, context);
                    let result = binary(op, E::DTYPE, operands.0, operands.1);
                    check(&result.unwrap(), &out, visit, expected, context);
                }
            }
        }
    }
}

#[test]
fn binary_agrees() {
    at_each_level(|| for_each_element!(binary_of()));
}

fn refusals_of<E: Oracle>() {
    let [zero, one] = [0_u8, 1].map(cast_element::<u8, E>);
    let minus_one = cast_element::<i8, E>(-1);
    let operand = Array::from_elements(&[one, one], &[2]).unwrap();
    let with = |odd: E| Array::from_elements(&[one, odd], &[2]).unwrap();
    let empty = Array::from_elements::<E>(&[], &[0, 1]).unwrap();
    for op in [BinaryOp::Div, BinaryOp::FloorDiv, BinaryOp::Rem] {
        let result = binary(op, E::DTYPE, lend(&operand), lend(&with(zero)));
        let refused = matches!(result, Err(Error::DivisionByZero { .. }));
        assert_eq!(refused, E::DTYPE.kind().is_integer(), "{}", E::DTYPE);
        if refused {
            assert!(binary(op, E::DTYPE, lend(&empty), lend(&with(zero))).is_ok());
        }
    }
    let result = binary(
        BinaryOp::Pow,
        E::DTYPE,
        lend(&operand),
        lend(&with(minus_one)),
    );
    let refused = matches!(result, Err(Error::NegativeExponent { .. }));
    assert_eq!(refused, minus_one.refused()[1], "{}", E::DTYPE);
}

#[test]
fn integers_refuse_zero_divisors_and_negative_exponents() {
    for_each_element!(refusals_of());
}

fn compare_of<E: Oracle>() {
    for (number, op) in CompareOp::ALL.into_iter().enumerate() {
        for (case, shape) in SHAPES.into_iter().enumerate() {
            for turn in 0..8 {
                let first = Layout::ALL[turn];
                let second = Layout::ALL[(turn * 3 + case + number) % 8];
                let a = Seen::<E>::new(first, shape, 3, any);
                let b = Seen::<E>::new(second, shape, 4, any);
                let (out, visit) = together(&[first, second], shape);
                let expected = |row, column| E::compare(op, a.at(row, column), b.at(row, column));
                let context = || {
                    format!(
                        "{op:?} of {}, {shape:?}, {first:?} and {second:?}",
                        E::DTYPE
                    )
                };
                let result = compare(op, E::DTYPE, lend(&a.array), lend(&b.array)).unwrap();
                check(&result, &out, visit, expected, context);
                let owned = [copied(&a.array), copied(&b.array)].map(Cow::Owned);
                let [a, b] = owned;
                check(
                    &compare(op, E::DTYPE, a, b).unwrap(),
                    &out,
                    visit,
                    expected,
                    context,
                );
            }
        }
    }
}

#[test]
fn compare_agrees() {
    at_each_level(|| for_each_element!(compare_of()));
}

fn unary_of<E: Oracle>() {
    for &op in UnaryOp::ALL {
        for shape in SHAPES {
            for layout in Layout::ALL {
                let x = Seen::<E>::new(layout, shape, 5, any);
                let result = try_unary(op, E::DTYPE, lend(&x.array));
                let context = || format!("{op:?} of {}, {shape:?}, {layout:?}", E::DTYPE);
                let Ok(result) = result else {
                    assert!(E::unary(op, E::any(8)).is_none(), "{}", context());
                    continue;
                };
                let owned = try_unary(op, E::DTYPE, Cow::Owned(copied(&x.array))).unwrap();
                let (out, visit) = together(&[layout], shape);
                let answer = |row, column| E::unary(op, x.at(row, column));
                for result in [result, owned] {
                    match E::unary(op, E::any(8)).unwrap() {
                        Answer::BoolByte(_) => {
                            let expected = |row, column| match answer(row, column) {
                                Some(Answer::BoolByte(truth)) => truth,
                                other => panic!("{other:?}"),
                            };
                            check(&result, &out, visit, expected, context);
                        }
                        Answer::Same(_) => {
                            let expected = |row, column| match answer(row, column) {
                                Some(Answer::Same(element)) => element,
                                other => panic!("{other:?}"),
                            };
                            check(&result, &out, visit, expected, context);
                        }
                        Answer::Part(_) => {
                            let expected = |row, column| match answer(row, column) {
                                Some(Answer::Part(part)) => part,
                                other => panic!("{other:?}"),
                            };
                            assert_eq!(result.dtype().size() * 2, E::DTYPE.size());
                            let result = cast(Cow::Owned(result), DType::F64);
                            check(&result, &out, visit, expected, context);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn unary_agrees() {
    at_each_level(|| for_each_element!(unary_of()));
}

fn cast_of<From: Oracle, To: Oracle>() {
    for shape in SHAPES {
        for layout in Layout::ALL {
            let x = Seen::<From>::new(layout, shape, 6, any);
            let (out, visit) = together(&[layout], shape);
            let expected = |row, column| cast_element::<From, To>(x.at(row, column));
            let context = || format!("{} to {}, {shape:?}, {layout:?}", From::DTYPE, To::DTYPE);
            check(
                &cast(lend(&x.array), To::DTYPE),
                &out,
                visit,
                expected,
                context,
            );
            let owned = cast(Cow::Owned(copied(&x.array)), To::DTYPE);
            check(&owned, &out, visit, expected, context);
        }
    }
}

fn mixed_of<A: Oracle, B: Oracle>() {
    for (number, to) in DType::ALL.iter().enumerate() {
        crate::dtype::dispatch_dtype!(*to, D => mixed_in::<A, B, <D as StaticDType>::Element>(number));
    }
}

/// Operands of three dtypes and a fourth to compute in, through operations that all dtypes have.
fn mixed_in<A: Oracle, B: Oracle, C: Oracle>(number: usize) {
    for (case, shape) in [[1, 33], [2, 300], [40, 20]].into_iter().enumerate() {
        let layout = |salt| Layout::ALL[(number * 3 + case * 5 + salt) % 8];
        let a = Seen::<A>::new(layout(0), shape, 7, any);
        let b = Seen::<B>::new(layout(1), shape, 8, any);
        let c = Seen::<bool>::new(layout(2), shape, 9, any);
        let (out, visit) = together(&[a.layout, b.layout], shape);
        let context = || {
            format!(
                "{} and {} in {}, {shape:?}, {:?} and {:?}",
                A::DTYPE,
                B::DTYPE,
                C::DTYPE,
                a.layout,
                b.layout
            )
        };
        let cast_a = |row, column| cast_element::<A, C>(a.at(row, column));
        let cast_b = |row, column| cast_element::<B, C>(b.at(row, column));
        let sum = binary(BinaryOp::Add, C::DTYPE, lend(&a.array), lend(&b.array)).unwrap();
        let expected = |row, column| {
            C::binary(BinaryOp::Add, cast_a(row, column), cast_b(row, column)).unwrap()
        };
        check(&sum, &out, visit, expected, context);
        let less = compare(CompareOp::Lt, C::DTYPE, lend(&a.array), lend(&b.array)).unwrap();
        let expected = |row, column| C::less(cast_a(row, column), cast_b(row, column));
        check(&less, &out, visit, expected, context);
        let owned = [copied(&a.array), copied(&b.array)].map(Cow::Owned);
        let (out, visit) = together(&[a.layout, b.layout, c.layout], shape);
        let [own_a, own_b] = owned;
        let chosen = select(lend(&c.array), C::DTYPE, own_a, own_b).unwrap();
        let expected = |row, column| {
            if c.at(row, column) {
                cast_a(row, column)
            } else {
                cast_b(row, column)
            }
        };
        check(&chosen, &out, visit, expected, context);
    }
}

/// Calls a generic function with each pair of element types.
macro_rules! for_each_pair {
    ($function:ident) => {{
        fn with<A: Oracle>() {
            fn and<B: Oracle, A: Oracle>() {
                $function::<A, B>();
            }
            for_each_element!(@second and A ($));
        }
        for_each_element!(with());
    }};
}

#[test]
fn cast_agrees() {
    at_each_level(|| for_each_pair!(cast_of));
}

#[test]
fn mixed_dtypes_agree() {
    at_each_level(|| for_each_pair!(mixed_of));
}
