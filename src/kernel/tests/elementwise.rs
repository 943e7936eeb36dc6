//! Every operation on every dtype in every layout and at every instruction set, against the oracle.

use std::borrow::Cow;

use super::graph::assert_same;
use super::layouts::{Layout, SHAPES, Seen, together, visited};
use super::oracle::{Answer, Oracle};
use super::{binary, cast, compare, copied, select, try_unary};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Element, Kind, StaticDType, c128, dispatch_dtype};
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
                $d($function::<<crate::dtype::$d marker as crate::dtype::StaticDType>::Element>();)*
            };
        }
        crate::dtype::for_each_marker!(call);
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

/// Returns the result of a function at each instruction set of this processor, from the lowest.
pub(super) fn each_level<T>(run: impl Fn() -> T) -> Vec<(SimdLevel, T)> {
    let mut results = Vec::with_capacity(SimdLevel::ALL.len());
    for level in SimdLevel::ALL {
        with_level(level, || results.push((level, run())));
    }
    results
}

/// Returns whether a dtype takes a case. Floats of eight bits are computed with as `f32`: five dtypes have the loops of one, with other
/// functions that load and store. [`cast_agrees`] tests these, and other operations take them in turn.
pub(super) fn takes(dtype: DType, case: usize) -> bool {
    let is_float8 = dtype.kind() == Kind::Float && dtype.size() == 1;
    !is_float8 || (case + number_of(dtype)).is_multiple_of(3)
}

/// Returns the result of an operation at an instruction set that this processor has.
fn at_level(level: SimdLevel, run: &dyn Fn() -> Result<Array, Error>) -> Result<Array, Error> {
    let mut result = None;
    with_level(level, || result = Some(run()));
    result.expect("the processor has the instruction set")
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

/// Returns the instruction set of a case. Cases take turns, so that each operation meets each instruction set in many shapes and layouts.
pub(super) fn level_of(case: usize) -> SimdLevel {
    let levels = SimdLevel::ALL.map(|level| (level <= SimdLevel::detected()).then_some(level));
    let levels: Vec<_> = levels.into_iter().flatten().collect();
    levels[case % levels.len()]
}

/// Compares what an operation gives at an instruction set, in each way that it is run, with what is expected of it.
#[track_caller]
fn agree<E: Oracle>(
    level: SimdLevel,
    out: &[usize],
    visit: [usize; 2],
    expected: &dyn Fn(usize, usize) -> E,
    context: &dyn Fn() -> String,
    accesses: &[&dyn Fn() -> Array],
) {
    let expected = visited(visit, expected);
    with_level(level, || {
        for access in accesses {
            let found = access();
            assert_eq!(found.dtype(), E::DTYPE, "{}, {level:?}", context());
            assert_eq!(found.shape(), out, "{}, {level:?}", context());
            // Elements are compared one by one only if their bytes differ, because that takes long in a debug build.
            if found.as_bytes() == Some(bytemuck::cast_slice(&expected)) {
                continue;
            }
            let found: Vec<E> = found.to_vec();
            assert_eq!(found.len(), expected.len(), "{}, {level:?}", context());
            for at in 0..found.len() {
                let (expected, found) = (expected[at], found[at]);
                if E::alike(expected, found) {
                    continue;
                }
                let index = [at / visit[1], at % visit[1]];
                panic!(
                    "{}, {level:?}: expected {expected:?}, found {found:?} at {index:?}",
                    context()
                );
            }
        }
    });
}

/// Operands of one shape in every layout. They are made once for all operations, which takes less than one of those.
fn in_all_layouts<E: Oracle>(shape: [usize; 2], seed: u64, accept: fn(E) -> bool) -> [Seen<E>; 8] {
    Layout::ALL.map(|layout| Seen::new(layout, shape, seed, accept))
}

fn binary_of<E: Oracle>() {
    for (case, shape) in SHAPES.into_iter().enumerate() {
        if !takes(E::DTYPE, case) {
            continue;
        }
        let lefts = in_all_layouts::<E>(shape, 1, any);
        let rights = [
            in_all_layouts::<E>(shape, 2, any),
            in_all_layouts(shape, 2, divisor),
            in_all_layouts(shape, 2, exponent),
        ];
        for (number, op) in BinaryOp::ALL.iter().copied().enumerate() {
            let rights = match op {
                BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Rem => &rights[1],
                BinaryOp::Pow => &rights[2],
                _ => &rights[0],
            };
            // Each shape meets other pairs of layouts with each operation; all in all, every layout
            // meets every shape.
            let step = step_of(shape);
            for turn in (0..8).filter(|turn| (turn + case + number) % step == 0) {
                let (a, b) = (&lefts[turn], &rights[(turn * 3 + case + number) % 8]);
                let context = || {
                    format!(
                        "{op:?} of {}, {shape:?}, {:?} and {:?}",
                        E::DTYPE,
                        a.layout,
                        b.layout
                    )
                };
                let run = |take: [bool; 2]| {
                    let operands = (own(&a.array, take[0]), own(&b.array, take[1]));
                    binary(op, E::DTYPE, operands.0, operands.1)
                };
                let level = level_of(case + number + turn / 2);
                let borrowed = match at_level(level, &|| run([false, false])) {
                    Ok(result) => result,
                    Err(error) => {
                        let refused = E::binary(op, E::any(8), E::any(8)).is_none();
                        assert!(refused, "{}: {error:?}", context());
                        continue;
                    }
                };
                let (out, visit) = together(&[a.layout, b.layout], shape);
                let expected =
                    |row, column| E::binary(op, a.at(row, column), b.at(row, column)).unwrap();
                // Operands that give their memory away, and ones that would if nobody else had it.
                let shared = |take: [bool; 2]| {
                    let kept = [own(&a.array, take[0]), own(&b.array, take[1])];
                    binary(op, E::DTYPE, kept[0].clone(), kept[1].clone())
                };
                let accesses: [&dyn Fn() -> Array; 7] = [
                    &|| borrowed.clone(),
                    &|| run([true, false]).unwrap(),
                    &|| run([false, true]).unwrap(),
                    &|| run([true, true]).unwrap(),
                    &|| shared([true, false]).unwrap(),
                    &|| shared([false, true]).unwrap(),
                    &|| shared([true, true]).unwrap(),
                ];
                let accesses = if turn / 2 == number % 4 {
                    &accesses[..]
                } else {
                    &accesses[..1]
                };
                agree(level, &out, visit, &expected, &context, accesses);
            }
        }
    }
}

#[test]
fn binary_agrees() {
    for_each_element!(binary_of());
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

/// Of how many layouts one meets an operation in this shape, and the others another operation. Operations walk long rows and many rows in
/// the same way, so of the larger shapes each operation meets two layouts, and of others four.
fn step_of([rows, columns]: [usize; 2]) -> usize {
    if rows * columns > 1_000 { 4 } else { 2 }
}

fn compare_of<E: Oracle>() {
    for (case, shape) in SHAPES.into_iter().enumerate() {
        if !takes(E::DTYPE, case) {
            continue;
        }
        let lefts = in_all_layouts::<E>(shape, 3, any);
        let rights = in_all_layouts::<E>(shape, 4, any);
        for (number, op) in CompareOp::ALL.iter().copied().enumerate() {
            let step = step_of(shape);
            for turn in (0..8).filter(|turn| (turn + case + number) % step == 0) {
                let (a, b) = (&lefts[turn], &rights[(turn * 3 + case + number) % 8]);
                let (out, visit) = together(&[a.layout, b.layout], shape);
                let expected = |row, column| E::compare(op, a.at(row, column), b.at(row, column));
                let context = || {
                    format!(
                        "{op:?} of {}, {shape:?}, {:?} and {:?}",
                        E::DTYPE,
                        a.layout,
                        b.layout
                    )
                };
                let run =
                    |take| compare(op, E::DTYPE, own(&a.array, take), own(&b.array, take)).unwrap();
                let accesses: [&dyn Fn() -> Array; 2] = [&|| run(false), &|| run(true)];
                let level = level_of(case + number + turn / 2);
                agree(level, &out, visit, &expected, &context, &accesses);
            }
        }
    }
}

#[test]
fn compare_agrees() {
    for_each_element!(compare_of());
}

fn unary_of<E: Oracle>() {
    for (case, shape) in SHAPES.into_iter().enumerate() {
        if !takes(E::DTYPE, case) {
            continue;
        }
        for (number, x) in in_all_layouts::<E>(shape, 5, any).iter().enumerate() {
            let (out, visit) = together(&[x.layout], shape);
            // Each operation meets every shape, and other layouts in each; all in all, every layout meets every shape.
            let step = 2 * step_of(shape);
            let met = (0..UnaryOp::ALL.len()).filter(|turn| (case + number + turn) % step == 0);
            for op in met.map(|turn| UnaryOp::ALL[turn]) {
                let run = |take| try_unary(op, E::DTYPE, own(&x.array, take));
                let context = || format!("{op:?} of {}, {shape:?}, {:?}", E::DTYPE, x.layout);
                let level = level_of(case + 2 * number);
                let Ok(borrowed) = at_level(level, &|| run(false)) else {
                    assert!(E::unary(op, E::any(8)).is_none(), "{}", context());
                    continue;
                };
                let accesses: [&dyn Fn() -> Array; 2] =
                    [&|| borrowed.clone(), &|| run(true).unwrap()];
                let answer = |row, column| E::unary(op, x.at(row, column)).unwrap();
                match E::unary(op, E::any(8)).unwrap() {
                    Answer::BoolByte(_) => {
                        let expected = |row, column| match answer(row, column) {
                            Answer::BoolByte(truth) => truth,
                            other => panic!("{other:?}"),
                        };
                        agree(level, &out, visit, &expected, &context, &accesses);
                    }
                    Answer::Same(_) => {
                        let expected = |row, column| match answer(row, column) {
                            Answer::Same(element) => element,
                            other => panic!("{other:?}"),
                        };
                        agree(level, &out, visit, &expected, &context, &accesses);
                    }
                    Answer::Part(_) => {
                        let expected = |row, column| match answer(row, column) {
                            Answer::Part(part) => part,
                            other => panic!("{other:?}"),
                        };
                        let doubled = |access: &dyn Fn() -> Array| {
                            let part = access();
                            assert_eq!(part.dtype().size() * 2, E::DTYPE.size());
                            cast(Cow::Owned(part), DType::F64)
                        };
                        let accesses: [&dyn Fn() -> Array; 2] =
                            [&|| doubled(accesses[0]), &|| doubled(accesses[1])];
                        agree(level, &out, visit, &expected, &context, &accesses);
                    }
                }
            }
        }
    }
}

#[test]
fn unary_agrees() {
    for_each_element!(unary_of());
}

/// The exact value of an element, by which [`cast_element`] converts it too.
#[derive(Clone, Copy)]
enum Exact {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Complex(c128),
}

fn exact<From: Element>(elements: &[From]) -> Vec<Exact> {
    let mut exact = Vec::with_capacity(elements.len());
    for element in elements {
        exact.push(match From::DTYPE.kind() {
            Kind::Signed => Exact::Signed(cast_element(*element)),
            Kind::Bool | Kind::Unsigned => Exact::Unsigned(cast_element(*element)),
            Kind::Float => Exact::Float(cast_element(*element)),
            Kind::Complex => Exact::Complex(cast_element(*element)),
        });
    }
    exact
}

fn elements_of<To: Element>(values: &[Exact]) -> Vec<To> {
    let mut elements = Vec::with_capacity(values.len());
    for value in values {
        elements.push(match *value {
            Exact::Signed(value) => cast_element(value),
            Exact::Unsigned(value) => cast_element(value),
            Exact::Float(value) => cast_element(value),
            Exact::Complex(value) => cast_element(value),
        });
    }
    elements
}

/// An array of elements of a dtype.
fn array_of(dtype: DType, values: &[Exact], shape: &[usize]) -> Array {
    dispatch_dtype!(dtype, D => {
        Array::from_elements(&elements_of::<<D as StaticDType>::Element>(values), shape).unwrap()
    })
}

/// Converts elements one by one, by way of their exact values: a conversion from each dtype to each would take the compiler longer.
pub(super) fn converted<To: Element, From: Element>(elements: &[From]) -> Vec<To> {
    elements_of(&exact(elements))
}

/// The elements that an operand shows where two axes are visited, in row-major order.
fn shown<E: Oracle>(x: &Seen<E>, visit: [usize; 2]) -> Vec<E> {
    visited(visit, &|row, column| x.at(row, column))
}

fn cast_of<From: Oracle>() {
    for (case, shape) in SHAPES.into_iter().enumerate() {
        for (number, layout) in Layout::ALL.into_iter().enumerate() {
            let x = Seen::<From>::new(layout, shape, 6, any);
            let (out, visit) = together(&[layout], shape);
            let shown = exact(&shown(&x, visit));
            // Each pair of dtypes meets every layout and every shape; all in all, every layout meets every shape.
            let met = (0..DType::ALL.len()).filter(|turn| (case + number + turn) % 4 == 0);
            for to in met.map(|turn| DType::ALL[turn]) {
                let expected = array_of(to, &shown, &out);
                let level = level_of(case + 2 * number);
                with_level(level, || {
                    let context =
                        format!("{} to {to}, {shape:?}, {layout:?}, {level:?}", From::DTYPE);
                    for take in [false, true] {
                        assert_same(&cast(own(&x.array, take), to), &expected, &context);
                    }
                });
            }
        }
    }
}

/// An operand of any dtype, and the values that it shows where an operation visits it.
fn operand(
    dtype: DType,
    layout: Layout,
    shape: [usize; 2],
    visit: [usize; 2],
    seed: u64,
) -> (Array, Vec<Exact>) {
    fn of<E: Oracle>(
        layout: Layout,
        shape: [usize; 2],
        visit: [usize; 2],
        seed: u64,
    ) -> (Array, Vec<Exact>) {
        let x = Seen::<E>::new(layout, shape, seed, any);
        let values = exact(&shown(&x, visit));
        (x.array, values)
    }
    dispatch_dtype!(dtype, D => of::<<D as StaticDType>::Element>(layout, shape, visit, seed))
}

/// The position of a dtype among all.
pub(super) fn number_of(dtype: DType) -> usize {
    let number = DType::ALL.iter().position(|listed| *listed == dtype);
    number.expect("every dtype is listed")
}

/// Operands of three dtypes and a fourth to compute in, through operations that all dtypes have.
fn mixed_in<C: Oracle>() {
    let number = number_of(C::DTYPE);
    for (case, shape) in [[1, 33], [2, 257], [40, 13]].into_iter().enumerate() {
        if !takes(C::DTYPE, case) {
            continue;
        }
        let first = number * 3 + case * 5;
        let layout = |salt: usize| Layout::ALL[(first + salt) % 8];
        let (x, y, z) = (layout(0), layout(1), layout(2));
        let c = Seen::<bool>::new(z, shape, 9, any);
        let (out, visit) = together(&[x, y], shape);
        let (out_of_three, visit_of_three) = together(&[x, y, z], shape);
        let all = |layout, seed| {
            let mut operands = Vec::new();
            for dtype in DType::ALL {
                let (array, values) = operand(*dtype, layout, shape, visit_of_three, seed);
                operands.push((array, elements_of::<C>(&values)));
            }
            operands
        };
        let at = |row, column| row * visit_of_three[1] + column;
        let (lefts, rights) = (all(x, 7), all(y, 8));
        // Each pair of dtypes in one of the shapes, each dtype in all of them.
        for (left, (a, cast_a)) in lefts.iter().enumerate() {
            let met = rights.iter().skip((left + case) % 3).step_by(3);
            for (right, (b, cast_b)) in met.enumerate() {
                let level = level_of(number + left + right);
                let context = || {
                    let [a, b, c] = [a.dtype(), b.dtype(), C::DTYPE];
                    format!("{a} and {b} in {c}, {shape:?}, {x:?} and {y:?}")
                };
                let sum = || binary(BinaryOp::Add, C::DTYPE, lend(a), lend(b)).unwrap();
                let expected = |row, column| {
                    let at = at(row, column);
                    C::binary(BinaryOp::Add, cast_a[at], cast_b[at]).unwrap()
                };
                agree(level, &out, visit, &expected, &context, &[&sum]);
                let less = || compare(CompareOp::Lt, C::DTYPE, lend(a), lend(b)).unwrap();
                let expected = |row, column| {
                    let at = at(row, column);
                    C::less(cast_a[at], cast_b[at])
                };
                agree(level, &out, visit, &expected, &context, &[&less]);
                let chosen =
                    || select(lend(&c.array), C::DTYPE, own(a, true), own(b, true)).unwrap();
                let expected = |row, column| {
                    let at = at(row, column);
                    if c.at(row, column) {
                        cast_a[at]
                    } else {
                        cast_b[at]
                    }
                };
                agree(
                    level,
                    &out_of_three,
                    visit_of_three,
                    &expected,
                    &context,
                    &[&chosen],
                );
            }
        }
    }
}

#[test]
fn cast_agrees() {
    for_each_element!(cast_of());
}

#[test]
fn mixed_dtypes_agree() {
    for_each_element!(mixed_in());
}
