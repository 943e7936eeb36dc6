//! Softmax and its like: the same bits on each instruction set and in each layout, and no element beyond a row is read.

use std::borrow::Cow;

use super::elementwise::{each_level, level_of};
use super::fenced;
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::kernel::{SoftmaxOp, cast, concat, copied, softmax};
use crate::simd::with_level;

/// Numbers between -8 and 8 without pattern.
fn matrix(dtype: DType, shape: [usize; 2]) -> Array {
    let mut state = 7_u64;
    let numbers = Array::from_positions(&shape, |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let bits = u32::try_from(state >> 40).expect("24 bits");
        f64::from(bits) / f64::from(1_u32 << 20) - 8.0
    });
    cast(Cow::Owned(numbers.unwrap()), dtype).unwrap()
}

fn bytes(x: &Array) -> Vec<u8> {
    let wide = cast(Cow::Borrowed(x), DType::F64).unwrap();
    bytemuck::cast_slice(&wide.to_vec::<f64>()).to_vec()
}

#[test]
fn rows_of_any_length_have_the_same_bits_on_every_level_and_in_every_layout() {
    for dtype in [
        DType::F8E4M3FN,
        DType::BF16,
        DType::F16,
        DType::F32,
        DType::F64,
    ] {
        for length in [1, 2, 7, 31, 32, 33, 63, 64, 65, 511, 512, 513, 1025] {
            let x = fenced(|| matrix(dtype, [3, length]));
            let turned = x.permute(&[1, 0]).unwrap();
            for &op in SoftmaxOp::ALL {
                let of_rows =
                    each_level(|| fenced(|| softmax(op, &x, &[1], false, dtype).unwrap()));
                let (_, first) = &of_rows[0];
                for (level, result) in &of_rows {
                    let what = format!("{op:?} of {dtype}, {length} elements, {level:?}");
                    assert_eq!(bytes(result), bytes(first), "{what}");
                    assert_eq!(result.dims().len(), if op.is_reduction() { 1 } else { 2 });
                }
                let of_columns = softmax(op, &turned, &[0], true, dtype).unwrap();
                let back = of_columns.permute(&[1, 0]).unwrap();
                assert_eq!(bytes(&back), bytes(first), "{op:?} of {dtype} columns");
                let shape: &Dims = of_columns.dims();
                assert_eq!(shape[0], if op.is_reduction() { 1 } else { length });
            }
        }
    }
}

/// Many short rows are computed side by side, and single ones on their own.
#[test]
fn short_rows_side_by_side_have_the_bits_of_single_ones() {
    let mut turn = 0; // lengths, dtypes and operations take the instruction sets in turn
    for dtype in [DType::F8E4M3FN, DType::BF16, DType::F32, DType::F64] {
        for length in [
            1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513,
        ] {
            turn += 1;
            // One pack of rows or two, and three rows more.
            let many = match length {
                3 => 1100,
                ..=65 => 67,
                _ => 35,
            };
            let mut x = matrix(DType::F64, [many, length]);
            let specials = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 800.0];
            for (row, special) in specials.into_iter().enumerate() {
                x.as_mut_slice::<f64>().unwrap()[row * length + row % length] = special;
            }
            x.as_mut_slice::<f64>().unwrap()[5 * length..6 * length].fill(f64::NEG_INFINITY);
            let x = cast(Cow::Owned(x), dtype).unwrap();
            for &op in SoftmaxOp::ALL {
                let single: Vec<u8> = (0..many.cast_signed())
                    .flat_map(|row| {
                        let row = x.slice(0, row, row + 1, 1).unwrap();
                        bytes(&softmax(op, &row, &[1], false, dtype).unwrap())
                    })
                    .collect();
                let what = format!("{op:?} of {dtype}, {length} elements");
                turn += 1;
                let level = level_of(turn);
                with_level(level, || {
                    let result = fenced(|| softmax(op, &x, &[1], true, dtype).unwrap());
                    assert_eq!(bytes(&result), single, "{what}, {level:?}");
                });
                let turned = copied(&x.permute(&[1, 0]).unwrap()).unwrap();
                let of_columns = fenced(|| softmax(op, &turned, &[0], true, dtype).unwrap());
                let back = of_columns.permute(&[1, 0]).unwrap();
                assert_eq!(bytes(&back), single, "{what}, columns");
                // Two blocks of columns.
                let blocks = concat(&[&turned, &turned], 0, dtype).unwrap();
                let blocks = blocks.reshape(&[2, length, many]).unwrap();
                let of_blocks = softmax(op, &blocks, &[1], false, dtype).unwrap();
                let twice = [bytes(&of_columns), bytes(&of_columns)].concat();
                assert_eq!(bytes(&of_blocks), twice, "{what}, blocks");
            }
        }
    }
}
