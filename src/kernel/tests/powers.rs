//! Powers by one number that are products or quotients, beside those by as many exponents as elements.
#![allow(clippy::as_conversions, reason = "bits of positions")]

use std::borrow::Cow;

use super::elementwise::{level_of, number_of};
use super::graph::assert_same;
#[cfg(debug_assertions)]
use super::loops::check_at;
use crate::array::{Array, Datum};
#[cfg(debug_assertions)]
use crate::dtype::compute::PowerBase;
use crate::dtype::{DType, c64, c128};
#[cfg(debug_assertions)]
use crate::dtype::{Element, bf16, f16};
use crate::kernel::cast::cast;
#[cfg(debug_assertions)]
use crate::kernel::fused::{Binary, Cast, Input, Splat, operations};
use crate::kernel::*;
use crate::simd::{SimdLevel, with_level};

/// All small floats.
const SMALL: [DType; 4] = [DType::F8E4M3FN, DType::F8E5M2, DType::F16, DType::BF16];

/// All elements of a small dtype; of `f32` some of each exponent.
fn bases(dtype: DType) -> Array {
    if dtype == DType::F64 {
        let bits = |number: usize| (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let specials = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
            -1e-310,
        ];
        return Array::from_positions(&[4_111], |at| {
            let special = specials.get(at).copied();
            special.unwrap_or(f64::from_bits(bits(at)))
        })
        .unwrap();
    }
    if dtype == DType::F32 {
        let bits = |number: usize| u32::try_from(number).unwrap().wrapping_mul(261_707);
        return Array::from_positions(&[16_411], |at| f32::from_bits(bits(at))).unwrap();
    }
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    if dtype.size() == 2 {
        return Array::from_elements(&bits, &[bits.len()])
            .unwrap()
            .bitcast(dtype);
    }
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    Array::from_elements(&bytes, &[bytes.len()])
        .unwrap()
        .bitcast(dtype)
}

/// The power in `f64`, rounded to the dtype of the base.
fn eager(x: &Array, exponent: Array) -> Array {
    let (lhs, rhs) = (Cow::Borrowed(x).into(), Datum::owned(exponent));
    binary(BinaryOp::Pow, DType::F64, x.dtype(), lhs, rhs)
        .array()
        .unwrap()
}

fn exponents(exponent: f64, shape: &[usize]) -> Array {
    Array::from_positions(shape, |_| exponent).unwrap()
}

#[test]
fn powers_by_literals_are_those_by_arrays() {
    for dtype in SMALL.into_iter().chain([DType::F32, DType::F64]) {
        let x = bases(dtype);
        let all = (-5..=6).map(f64::from).chain([-0.5, 0.5, 1.5]);
        for (number, exponent) in all.enumerate() {
            let of_shape = |shape: &[usize]| exponents(exponent, shape);
            let expected = eager(&x, of_shape(x.shape()));
            // Dtypes take turns at the instruction sets of each exponent, if they have many elements. A loop and a graph run the same code
            // of an instruction set, so they take different ones.
            let is_large = x.len() > 10_000;
            let level_of = |turn: usize| level_of(number_of(dtype) + number + turn);
            for level in SimdLevel::ALL {
                with_level(level, || {
                    let context = format!("{dtype} to the power of {exponent} {level:?}");
                    if !is_large || level == level_of(0) {
                        assert_same(&eager(&x, of_shape(&[])), &expected, &context);
                    }
                    if is_large && level != level_of(1) {
                        return;
                    }
                    let mut graph = Graph::new();
                    let base = graph.operand(Cow::Borrowed(&x));
                    let literal = graph.operand(Cow::Owned(of_shape(&[])));
                    let dtypes = [DType::F64, dtype];
                    let power = graph.binary_to(BinaryOp::Pow, dtypes, base, literal);
                    let found = graph.evaluate(power.unwrap()).unwrap();
                    assert_same(&found, &expected, &format!("{context} in a graph"));
                });
            }
        }
    }
}

/// Finite parts of all sizes, zeros, infinities and NaN.
fn complex_bases(dtype: DType) -> Array {
    let specials = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0];
    let part = |at: usize| (at as f64 * 0.618_033_988_749_894_9).fract() * 4.0 - 2.0;
    let x = Array::from_positions(&[1_043], |at| match at {
        0..36 => c128::new(specials[at / 6], specials[at % 6]),
        36..72 => c128::new(part(at), specials[at % 6]),
        _ => c128::new(part(at), part(7 * at + 3)) * 2.0_f64.powi(at as i32 % 90 - 45),
    });
    cast(Cow::Owned(x.unwrap()), dtype).unwrap()
}

#[test]
fn complex_powers_by_literals_are_those_by_arrays() {
    use DType::{C64, C128};
    // Exponents that are integers are taken in `c128`.
    for (dtype, compute) in [(C64, C64), (C64, C128), (C128, C128)] {
        let x = complex_bases(dtype);
        let power = |exponent: Array| {
            let exponent = cast(Cow::Owned(exponent), compute).unwrap();
            let (lhs, rhs) = (Cow::Borrowed(&x).into(), Datum::owned(exponent));
            binary(BinaryOp::Pow, compute, dtype, lhs, rhs)
                .array()
                .unwrap()
        };
        for exponent in (-3..=5).map(f64::from).chain([-0.5, 0.5]) {
            let expected = power(exponents(exponent, x.shape()));
            for level in SimdLevel::ALL {
                with_level(level, || {
                    let context =
                        format!("{dtype} to the power of {exponent} in {compute} {level:?}");
                    assert_same(&power(exponents(exponent, &[])), &expected, &context);
                    let mut graph = Graph::new();
                    let base = graph.operand(Cow::Borrowed(&x));
                    let literal = graph.operand(Cow::Owned(exponents(exponent, &[])));
                    let dtypes = [compute, dtype];
                    let power = graph.binary_to(BinaryOp::Pow, dtypes, base, literal);
                    let found = graph.evaluate(power.unwrap()).unwrap();
                    assert_same(&found, &expected, &format!("{context} in a graph"));
                });
            }
        }
    }
}

/// A square of `c64` is rounded once, unlike a product; a root is that of `sqrt` at numbers that are finite and not zero.
#[test]
fn complex_squares_and_roots() {
    let x = complex_bases(DType::C64);
    let power = |exponent| {
        let (lhs, rhs) = (
            Cow::Borrowed(&x).into(),
            Datum::owned(exponents(exponent, &[])),
        );
        let power = binary(BinaryOp::Pow, DType::C64, DType::C64, lhs, rhs);
        power.array().unwrap()
    };
    let roots = super::unary(UnaryOp::Sqrt, DType::C64, Cow::Borrowed(&x));
    let (squares, half) = (power(2.0), power(0.5));
    let numbers = x.iter::<c64>().zip(squares.iter::<c64>());
    for ((z, square), (half, root)) in numbers.zip(half.iter::<c64>().zip(roots.iter::<c64>())) {
        if z.re == 0.0 && z.im == 0.0 {
            assert_eq!([square, half], [c64::new(0.0, 0.0); 2]);
        } else if z.re.is_finite() && z.im.is_finite() {
            let [x, y] = [z.re, z.im].map(f64::from);
            let exact = c64::new((x * x - y * y) as f32, (2.0 * x * y) as f32);
            assert_eq!((square, half), (exact, root), "{z}");
        } else {
            let is_nan = z.re.is_nan() || z.im.is_nan();
            assert_eq!((half.re.is_nan(), half.im.is_nan()), (is_nan, true), "{z}");
            assert!(is_nan || half.re == f32::INFINITY, "{z}");
        }
    }
}

/// The loops of expressions, for literals and for exponents that differ within a pack.
#[cfg(debug_assertions)]
#[test]
fn loops_of_powers_agree() {
    fn of<E: Element>() {
        let base_of_power = PowerBase::of([E::DTYPE, DType::F64, E::DTYPE]);
        let x = bases(E::DTYPE);
        let power = |exponent| {
            let base = Cast::<_, f64>::new(Input::<0, E>::NEW);
            let power = Binary::<operations::Pow, _, _>::with_base(base, exponent, base_of_power);
            Cast::<_, E>::new(power)
        };
        for (number, exponent) in (-3..=5).map(f64::from).chain([0.5]).enumerate() {
            let node = power(Splat::<f64>::new(exponent));
            let expected = eager(&x, exponents(exponent, x.shape()));
            let context = format!("{} to the power of {exponent}", E::DTYPE);
            // Dtypes take the instruction sets of each exponent in turn.
            let level = level_of(number_of(E::DTYPE) + number);
            check_at(&[level], ((), node), &[&x], &expected, &context);
        }
    }
    of::<f16>();
    of::<bf16>();
    of::<f32>();
    of::<f64>();
    let x = bases(DType::F32);
    let mixed = Array::from_positions(x.shape(), |at| [2.0, 3.0, -1.0, 0.5][at / 40 % 4]).unwrap();
    let base = Cast::<_, f64>::new(Input::<0, f32>::NEW);
    let exponent = Input::<1, f64>::NEW;
    let power = Binary::<operations::Pow, _, _>::with_base(base, exponent, PowerBase::Narrow);
    let expected = eager(&x, mixed.clone());
    let node = Cast::<_, f32>::new(power);
    let (levels, context) = (&SimdLevel::ALL, "mixed exponents");
    check_at(levels, ((), node), &[&x, &mixed], &expected, context);
}

/// Where the result has the digits of `f64`, a product of three factors would have other bits.
#[test]
fn powers_with_results_of_double_precision_are_no_products() {
    let x = Array::from_elements(&[1.1_f32, 1.7, 2.3], &[3]).unwrap();
    let power = |shape: &[usize]| {
        let (lhs, rhs) = (
            Cow::Borrowed(&x).into(),
            Datum::owned(exponents(3.0, shape)),
        );
        binary(BinaryOp::Pow, DType::F64, DType::F64, lhs, rhs)
            .array()
            .unwrap()
    };
    assert_same(&power(&[]), &power(&[3]), "powers in f64");
    let mut graph = Graph::new();
    let base = graph.operand(Cow::Borrowed(&x));
    let cube = graph.operand(Cow::Owned(exponents(3.0, &[])));
    let cubes = graph.binary(BinaryOp::Pow, DType::F64, base, cube).unwrap();
    let narrow = graph.cast(cubes, DType::F32);
    let of_narrow = graph.binary_to(BinaryOp::Pow, [DType::F64, DType::F32], base, cube);
    assert_ne!(of_narrow, Ok(narrow), "a loop of its own");
}
