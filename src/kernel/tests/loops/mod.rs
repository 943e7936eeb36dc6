//! Loops of expressions, which give what single operations give: for every operation and conversion, every dtype, and
//! every value of 8 and 16 bits.

#![allow(unsafe_code, reason = "passes the contracts of loops on")]

use std::borrow::Cow;

use super::graph::assert_same;
use super::oracle::Oracle;
use super::{binary, cast, compare, copied, fenced, select, unary};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Element, bf16, f16};
use crate::kernel::drive::nontemporal;
use crate::kernel::fused::operations::BinaryOperation;
use crate::kernel::fused::{
    Binary, Bound, CallSite, Called2, Cast, Choose, Compare, Compiled, Elementwise, Function2,
    Input, Loop, LoopExpression, LoopInputs, Node, Splat, Unary, Values, operations,
};
use crate::kernel::{BinaryOp, CompareOp, UnaryOp};
use crate::simd::{SimdLevel, with_level};

mod binary_operations;
mod conversions;
mod functions;
mod quotients;

enum Here {}

impl CallSite for Here {
    type Compilation = Compiled<true>;
}

/// Makes a loop that is compiled once, for the baseline. Without optimisation the instruction sets give the same code except for the
/// formats that `conversions::is_coded_by_level` names, and the compiler takes its time for each.
fn compiled_once<'e, V: Values, A: Node>(
    expression: &'e LoopExpression<V, A>,
    sources: &'e LoopInputs<'e>,
) -> Loop<'e> {
    Loop::of_code(Here::baseline::<Elementwise<V, A>>, expression, sources)
}

fn lend(x: &Array) -> Cow<'_, Array> {
    Cow::Borrowed(x)
}

/// Elements for operations of one operand: all values of one byte, of which 512 elements have each, and as many more as leave the last
/// pack in part; otherwise [`elements`].
fn values<E: Oracle>() -> Array {
    let count = if size_of::<E>() == 1 {
        512 + 7
    } else {
        isize::MAX
    };
    let all = elements::<E>(1);
    let count = count.min(all.len().cast_signed());
    copied(&all.slice(0, 0, count, 1).unwrap())
}

/// All values of elements of up to two bytes, those of one byte several times; many of others. The step is odd, and says in which order.
fn elements<E: Oracle>(step: usize) -> Array {
    if size_of::<E>() > 2 || E::DTYPE == DType::Bool {
        let step = u64::try_from(step).unwrap();
        let mut state = 0_u64;
        return Array::from_positions(&[2003], |_| {
            state = state.wrapping_add(step.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            E::any(state)
        })
        .unwrap();
    }
    let is_byte = size_of::<E>() == 1;
    // For bytes, as many as meet 16 others each if two arrays of different steps are combined, and a part of a pack.
    let len = if is_byte { (16 << 8) + 7 } else { 1 << 16 };
    let mut bytes = Vec::with_capacity(len * size_of::<E>());
    for at in 0..len {
        let [low, high, ..] = at.wrapping_mul(step).to_le_bytes();
        if is_byte {
            bytes.push(low ^ high);
        } else {
            bytes.extend([low, high]);
        }
    }
    Array::from_bytes(E::DTYPE, &[len], &bytes).unwrap()
}

/// Compares what an expression gives, at each instruction set.
#[track_caller]
fn check<V: Values, A: Node>(
    expression: (V, A),
    arrays: &[&Array],
    expected: &Array,
    context: &str,
) {
    check_at(&SimdLevel::ALL, expression, arrays, expected, context);
}

/// Compares what an expression gives, at these instruction sets.
#[track_caller]
pub(super) fn check_at<V: Values, A: Node>(
    levels: &[SimdLevel],
    (values, node): (V, A),
    arrays: &[&Array],
    expected: &Array,
    context: &str,
) {
    let sources = sources_of(arrays);
    let expression = LoopExpression::new(values, node);
    let code = || Loop::new::<Here, V, A>(&expression, &sources);
    check_levels(levels, &code, expected, context);
}

/// [`check`] for the baseline alone, pack by pack. Operations of floats of 16 bits read and write them as conversions do, which
/// `conversions::conversions_agree` tests at each instruction set.
macro_rules! check_once {
    ($($name:ident<$($T:ident: $Bound:ident),+>: $Node:ty, $node:expr;)*) => {$(
        fn $name<$($T: $Bound),+>(arrays: &[&Array], expected: &Array, context: &str) {
            let sources = sources_of(arrays);
            let expression = LoopExpression::<(), $Node>::new((), $node);
            let code = Loop::of_code(PackByPack::<$Node>::run::<Baseline>, &expression, &sources);
            check_baseline(code, expected, context);
        }
    )*};
}

// Each check makes its own call, because a generic function that they share would be compiled once more for each of their types. Those of a
// module are one codegen unit, so operations, functions and conversions have one each.
use check_once;

fn sources_of<'a>(arrays: &[&'a Array]) -> LoopInputs<'a> {
    let mut sources = LoopInputs::default();
    for (number, array) in arrays.iter().enumerate() {
        sources.array(number, array);
    }
    sources
}

// What follows does not depend on the expression's type, of which there are more than a thousand. So it is compiled once.

/// Compares the values of a loop for the baseline.
#[track_caller]
fn check_baseline(code: Loop<'_>, expected: &Array, context: &str) {
    check_levels(&[SimdLevel::Baseline], &|| code, expected, context);
}

/// Compares the values of a loop at these instruction sets.
#[track_caller]
fn check_levels<'e>(
    levels: &[SimdLevel],
    code: &dyn Fn() -> Loop<'e>,
    expected: &Array,
    context: &str,
) {
    for &level in levels {
        with_level(level, || {
            let found = fenced(|| code().evaluate()).expect("there is memory");
            assert_same(&found, expected, &format!("{context}, {level:?}"));
        });
    }
}

/// The elements, with ones in place of those that integers refuse: as divisors if `of` is 0, as exponents if it is 1.
fn accepted<E: Oracle>(x: &Array, of: usize) -> Array {
    let one = E::of(E::convert(1_u64));
    Array::from_positions(x.shape(), |at| match x.get::<E>(&[at]) {
        Some(element) if !element.refused()[of] => element,
        _ => one,
    })
    .unwrap()
}

/// Floats of eight bits are read as `f32` and written from it by one codec, which `conversions::conversions_agree` tests for each of them. So
/// operations take three: with infinities, without, and without a negative zero. The compiler takes its time for each.
const fn has_operations_of_its_own(dtype: DType) -> bool {
    !matches!(dtype, DType::F8E5M2FNUZ | DType::F8E4M3B11FNUZ)
}

/// Compares the result of an expression's loop for these arrays with the expected one.
///
/// The lists of such functions are constants, so that rustc looks only for the functions that they contain. It would look for one behind a
/// condition too, even if the condition is always false.
type CheckOf = fn(&[&Array], &Array, &str);

/// Returns the check of an operation, if the operation is defined and the dtype has operations of its own.
const fn only(is_defined: bool, dtype: DType, check: CheckOf) -> Option<CheckOf> {
    if is_defined && has_operations_of_its_own(dtype) {
        Some(check)
    } else {
        None
    }
}

#[derive(Clone, Copy)]
struct Weighted;

impl Function2<f16, bool> for Weighted {
    type Output = i16;

    fn call(x: f16, doubled: bool) -> i16 {
        let x = cast_element::<f16, i16>(x);
        if doubled { x.wrapping_mul(2) } else { x }
    }
}

/// Choices, bindings and calls, at lengths around those of packs, and as pieces of a large output.
#[test]
fn expressions_of_any_length_agree() {
    let expression = || {
        let halves = Cast::<_, f32>::new(Input::<0, f16>::NEW);
        let product = Binary::<operations::Mul, _, _>::new(halves, Splat::new(3.0_f32));
        let positive = Compare::<operations::Gt, _, _>::new(Bound::<0, f32>::NEW, Splat::new(0.0));
        let bytes = Cast::<_, f32>::new(Input::<2, u8>::NEW);
        let chosen = Choose::new(positive, Bound::<0, f32>::NEW, bytes);
        let called = Called2::<Weighted, _, _>::new(Cast::<_, f16>::new(chosen), positive);
        ((((), product), positive), called)
    };
    let longest = [3, 7].map(elements::<f16>);
    for len in (0..=70).chain([511, 512, 513, 5000]) {
        let [x, y] = longest.each_ref().map(|x| x.slice(0, 0, len, 1).unwrap());
        let bytes = cast(Cow::Owned(y), DType::U8);
        let scale = Array::full(3.0_f32, &[]).unwrap();
        let product = binary(BinaryOp::Mul, DType::F32, lend(&x), lend(&scale)).unwrap();
        let zero = Array::full(0.0_f32, &[]).unwrap();
        let positive = compare(CompareOp::Gt, DType::F32, lend(&product), lend(&zero)).unwrap();
        let chosen = select(lend(&positive), DType::F32, lend(&product), lend(&bytes)).unwrap();
        let chosen = cast(Cow::Owned(chosen), DType::F16);
        let expected = Array::from_positions(x.shape(), |at| {
            Weighted::call(chosen.get(&[at]).unwrap(), positive.get(&[at]).unwrap())
        })
        .unwrap();
        let all = [&x, &x, &bytes];
        check(expression(), &all, &expected, &format!("{len} elements"));
        nontemporal::with_streaming(|| {
            check(expression(), &all, &expected, &format!("{len} streamed"))
        });
    }
}

/// Operations that are computed lane by lane, at each number of lanes: of arrays with padding, and of views without.
#[test]
fn any_number_of_lanes_agrees() {
    use num_complex::Complex;
    /// Some elements of an array: in an array of their own, and in a view.
    fn of_len<T: Oracle>(x: &Array, len: isize) -> [Array; 2] {
        let view = x.slice(0, 2, 2 + len, 1).unwrap();
        let owned = Array::from_positions(view.shape(), |at| view.get::<T>(&[at]).unwrap());
        [owned.unwrap(), view]
    }
    fn check_lanes<T: Oracle, A: Node>(node: A, expected: impl Fn(&Array, &Array) -> Array) {
        let (x, y) = (elements::<T>(3), accepted::<T>(&elements::<T>(5), 0));
        for len in 1..=65 {
            let ([x, x_view], [y, y_view]) = (of_len::<T>(&x, len), of_len::<T>(&y, len));
            let expected = expected(&x, &y);
            for arrays in [[&x, &y], [&x_view, &y_view]] {
                let context = format!("{} lanes of {}", len, T::DTYPE);
                check(((), node), &arrays, &expected, &context);
            }
        }
    }
    fn two<O: BinaryOperation, T: Oracle>() {
        let node = Binary::<O, _, _>::new(Input::<0, T>::NEW, Input::<1, T>::NEW);
        check_lanes::<T, _>(node, |x, y| {
            binary(O::OP, T::DTYPE, lend(x), lend(y)).unwrap()
        });
    }
    type C = Complex<f32>;
    macro_rules! of_one {
        ($Op:ident, $T:ty) => {{
            let value = Unary::<operations::$Op, _>::new(Input::<0, $T>::NEW);
            let node = Binary::<operations::Add, _, _>::new(value, Cast::new(Input::<1, $T>::NEW));
            check_lanes::<$T, _>(node, |x, y| {
                let value = unary(UnaryOp::$Op, <$T as Element>::DTYPE, lend(x));
                let dtype = value.dtype();
                let other = cast(lend(y), dtype);
                binary(BinaryOp::Add, dtype, lend(&value), lend(&other)).unwrap()
            });
        }};
    }
    of_one!(Exp, C);
    of_one!(Sqrt, C);
    of_one!(Abs, C);
    of_one!(Exp, f64);
    of_one!(Sin, f32);
    of_one!(Sin, bf16);
    two::<operations::FloorDiv, i8>();
    two::<operations::FloorDiv, u16>();
    two::<operations::Rem, i32>();
    two::<operations::Div, u32>();
    two::<operations::Rem, i64>();
    two::<operations::Pow, f64>();
    two::<operations::Rem, f16>();
    two::<operations::Div, C>();
}

/// Operands that do not lie as the result does: by rows that end within a pack, gathered into blocks, and by tiles.
#[test]
fn operands_that_broadcast_agree() {
    let numbers = |shape: &[usize]| {
        let count = shape.iter().product::<usize>();
        let all = elements::<f16>(7);
        let some = all.slice(0, 0, count.cast_signed(), 1).unwrap();
        cast(Cow::Owned(some.reshape(shape).unwrap()), DType::F32)
    };
    let turned = |[rows, columns]: [usize; 2]| numbers(&[columns, rows]).permute(&[1, 0]).unwrap();
    let every_second = |x: &Array| x.slice(0, 0, x.len().cast_signed(), 2).unwrap();
    for (lhs, rhs) in [
        // A block that repeats an element is shorter than such a row.
        (numbers(&[3, 5001]), numbers(&[3, 1])),
        (numbers(&[7, 300]), numbers(&[300])),
        (numbers(&[7, 300]), numbers(&[])),
        (numbers(&[70, 31]), numbers(&[31])),
        (numbers(&[70, 31]), numbers(&[70, 1])),
        (numbers(&[4, 20, 31]), numbers(&[4, 1, 31])),
        // Many rows, with elements that follow one another and that do not.
        (numbers(&[150, 33]), numbers(&[150, 1])),
        (numbers(&[150, 33]), numbers(&[33])),
        (numbers(&[150, 140]), numbers(&[140])),
        (numbers(&[150, 33]), every_second(&numbers(&[300, 1]))),
        (every_second(&numbers(&[30, 1])), numbers(&[15, 64])),
        (turned([70, 31]), numbers(&[70, 31])),
        (turned([37, 300]), numbers(&[37, 300])),
        (numbers(&[37, 300]), turned([37, 300])),
    ] {
        let sum = Binary::<operations::Add, _, _>::new(Input::<0, f32>::NEW, Input::<1, f32>::NEW);
        let expected = binary(BinaryOp::Add, DType::F32, lend(&lhs), lend(&rhs)).unwrap();
        let context = format!("{:?} and {:?}", lhs.shape(), rhs.shape());
        check(((), sum), &[&lhs, &rhs], &expected, &context);
        if lhs.is_contiguous() && lhs.shape() == expected.shape() {
            let mut sources = LoopInputs::default();
            sources.output(0, DType::F32);
            sources.array(1, &rhs);
            let expression = LoopExpression::new((), sum);
            let mut out = copied(&lhs);
            let code = Loop::new::<Here, (), _>(&expression, &sources);
            assert!(fenced(|| code.evaluate_into(&mut out)), "{context}");
            assert_same(&out, &expected, &format!("{context}, in place"));
        }
        let streamed = format!("{context}, streamed");
        nontemporal::with_streaming(|| check(((), sum), &[&lhs, &rhs], &expected, &streamed));
    }
}

/// Repeats `loops_stay_within_buffers` of `padding` with elements of which a pack fits a small buffer on one side only.
#[test]
fn loops_of_few_elements_stay_within_buffers() {
    let all = elements::<f16>(3);
    fenced(|| {
        for len in 1..40 {
            let x = all.slice(0, 0, len, 1).unwrap();
            let [singles, doubles] = [DType::F32, DType::F64].map(|to| cast(lend(&x), to));
            let narrows = ((), Cast::<_, f32>::new(Input::<0, f64>::NEW));
            check(narrows, &[&doubles], &singles, &format!("{len} of f64"));
            let widens = ((), Cast::<_, f64>::new(Input::<0, f32>::NEW));
            check(widens, &[&singles], &doubles, &format!("{len} of f32"));
        }
    });
}

/// Views can repeat an element so often that their broadcast has more elements than memory has addresses.
#[test]
fn results_that_no_memory_holds_are_left_to_the_graph() {
    let element = Array::full(1.0_f32, &[1, 1]).unwrap();
    let [tall, wide] = [[1 << 40, 1], [1, 1 << 40]].map(|shape| element.broadcast_to(&shape));
    let (tall, wide) = (tall.unwrap(), wide.unwrap());
    for operands in [[&tall, &wide], [&wide, &tall]] {
        let mut sources = LoopInputs::default();
        sources.array(0, operands[0]);
        sources.array(1, operands[1]);
        let sum = Binary::<operations::Add, _, _>::new(Input::<0, f32>::NEW, Input::<1, f32>::NEW);
        let expression = LoopExpression::new((), sum);
        let code = compiled_once(&expression, &sources);
        assert!(code.evaluate().is_none());
    }
}

#[test]
#[should_panic(expected = "operands have the dtypes")]
fn other_elements_are_refused() {
    let x = elements::<f16>(1);
    let mut sources = LoopInputs::default();
    sources.array(0, &x);
    let expression = LoopExpression::new((), Input::<0, bf16>::NEW);
    let _ = Loop::new::<Here, _, _>(&expression, &sources);
}
