//! One call of each door, with answers worked out by hand.

use std::borrow::Cow;

use super::{binary, cast, compare, reduce, scan, select, try_cast, unary};
use crate::array::Array;
use crate::dtype::{DType, Element, bf16, c64, f16};
use crate::error::Error;
use crate::kernel::*;

fn array<E: Element>(elements: &[E], shape: &[usize]) -> Array {
    Array::from_elements(elements, shape).unwrap()
}

fn lend(x: &Array) -> Cow<'_, Array> {
    Cow::Borrowed(x)
}

#[test]
fn binary_promotes_broadcasts_and_reuses() {
    let a = array(&[1_i8, -2, 3], &[3]);
    let b = array(&[10_u8, 200], &[2, 1]);
    let sum = binary(BinaryOp::Add, DType::I16, lend(&a), lend(&b)).unwrap();
    assert_eq!(sum.shape(), [2, 3]);
    assert_eq!(sum.to_vec::<i16>(), [11, 8, 13, 201, 198, 203]);
    let memory = sum.as_ptr();
    let twice = binary(BinaryOp::Mul, DType::I16, Cow::Owned(sum), lend(&a)).unwrap();
    assert_eq!(twice.as_ptr(), memory);
    assert_eq!(twice.to_vec::<i16>(), [11, -16, 39, 201, -396, 609]);
    let zero = binary(
        BinaryOp::FloorDiv,
        DType::I16,
        lend(&twice),
        lend(&array(&[0_u8], &[])),
    );
    assert!(matches!(zero, Err(Error::DivisionByZero { .. })));
    let power = binary(BinaryOp::Pow, DType::I16, lend(&b), lend(&a));
    assert!(matches!(power, Err(Error::NegativeExponent { .. })));
    let h = array(&[f16::from_f32(1.5)], &[]);
    let g = array(&[bf16::from_f32(2.0)], &[]);
    let product = binary(BinaryOp::Mul, DType::F32, lend(&h), lend(&g)).unwrap();
    assert_eq!(product.to_vec::<f32>(), [3.0]);
}

#[test]
fn others_answer() {
    let x = array(&[4.0_f32, -1.0, f32::NAN, 2.5], &[2, 2]);
    let roots = unary(UnaryOp::Round, DType::F32, lend(&x));
    assert_eq!(roots.get::<f32>(&[1, 1]), Some(2.0));
    let less = compare(
        CompareOp::Gt,
        DType::F32,
        lend(&x),
        lend(&array(&[0_u8], &[])),
    )
    .unwrap();
    assert_eq!(less.to_vec::<bool>(), [true, false, false, true]);
    let chosen = select(
        lend(&less),
        DType::I32,
        lend(&x),
        lend(&array(&[7_i32], &[])),
    )
    .unwrap();
    assert_eq!(chosen.to_vec::<i32>(), [4, 7, 7, 2]);
    assert!(try_cast(&x, DType::I8).is_err_and(|position| position == 2));
    let sum = reduce(ReduceOp::Sum, &x, &[0], true, DType::F32).unwrap();
    assert_eq!(sum.shape(), [1, 2]);
    assert!(sum.get::<f32>(&[0, 0]).unwrap().is_nan());
    assert_eq!(sum.get::<f32>(&[0, 1]), Some(1.5));
    let y = array(&[1_u8, 2, 3, 4], &[2, 2]);
    let var = reduce(ReduceOp::Var { ddof: 0 }, &y, &[0, 1], false, DType::F64).unwrap();
    assert_eq!(var.to_vec::<f64>(), [1.25]);
    let mean = reduce(
        ReduceOp::Mean,
        &array::<f32>(&[], &[0]),
        &[0],
        false,
        DType::F32,
    )
    .unwrap();
    assert!(mean.to_vec::<f32>()[0].is_nan());
    let most = arg_reduce(ArgOp::Max, &x, None, false, DType::I64).unwrap();
    assert_eq!(most.to_vec::<i64>(), [2]);
    assert_eq!(
        scan(ScanOp::Sum, &y, 0, DType::I64).to_vec::<i64>(),
        [1, 2, 4, 6]
    );
    assert_eq!(
        scan(ScanOp::Sum, &y, 1, DType::I64).to_vec::<i64>(),
        [1, 3, 3, 7]
    );
    let joined = concat(&[&y, &array(&[9_i16, 8], &[2, 1])], 1, DType::I16).unwrap();
    assert_eq!(joined.to_vec::<i16>(), [1, 2, 9, 3, 4, 8]);
    for out in [DType::U8, DType::I32, DType::F16, DType::F64] {
        let product = matmul(&y, &array(&[1_i8, 2], &[2]), out).unwrap();
        assert_eq!(
            cast(Cow::Owned(product), DType::I64).to_vec::<i64>(),
            [5, 11]
        );
    }
    let z = array(&[c64::new(0.0, 1.0)], &[1]);
    assert_eq!(
        matmul(&z, &z, DType::C64).unwrap().to_vec::<c64>(),
        [c64::new(-1.0, 0.0)]
    );
}
