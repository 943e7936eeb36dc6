//! Softmax and its like: the same bits on each instruction set and in each layout, and no element beyond a row is read.

use std::borrow::Cow;

use super::elementwise::each_level;
use super::fenced;
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::kernel::{SoftmaxOp, cast, softmax};

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
    wide.to_vec::<f64>()
        .iter()
        .flat_map(|x| x.to_bits().to_le_bytes())
        .collect()
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
