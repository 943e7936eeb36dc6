//! Counts of the elements that are not zero, beside sums of masks.

use std::borrow::Cow;

use super::{cast, compare, fenced, reduce};
use crate::array::Array;
use crate::dtype::{DType, c64};
use crate::kernel::{CompareOp, ReduceOp, count_nonzero};
use crate::simd::{SimdLevel, with_level};

/// The count as the sum of a mask.
fn of_mask(x: &Array, axes: &[usize], keep_dims: bool) -> Array {
    let zeros = Array::full(0_u8, x.shape()).unwrap();
    let zeros = Cow::Owned(cast(Cow::Owned(zeros), x.dtype()));
    let mask = compare(CompareOp::Ne, x.dtype(), Cow::Borrowed(x), zeros).unwrap();
    reduce(ReduceOp::Sum, &mask, axes, keep_dims, DType::I64).unwrap()
}

fn check(x: &Array, axes: &[usize], keep_dims: bool) {
    let expected = of_mask(x, axes, keep_dims);
    for level in SimdLevel::ALL {
        with_level(level, || {
            let found = fenced(|| count_nonzero(x, Some(axes), keep_dims, DType::I64));
            let found = found.unwrap_or_else(|| panic!("{:?} {:?}", x.dtype(), x.shape()));
            assert_eq!(found.shape(), expected.shape());
            assert_eq!(
                found.to_vec::<i64>(),
                expected.to_vec::<i64>(),
                "{:?} of {:?}, {level:?}",
                x.shape(),
                x.dtype()
            );
        });
    }
}

/// The dtypes that have a loop.
fn counted() -> impl Iterator<Item = DType> {
    let dtypes = DType::ALL.iter().copied();
    dtypes.filter(|dtype| !(dtype.is_small_float() && dtype.size() == 1 || *dtype == DType::C128))
}

#[test]
fn elements_are_counted_at_every_length() {
    // Parts of packs, and more packs than lanes of bytes can count.
    let lengths = [64, 65, 95, 96, 127, 255 * 32, 256 * 32 + 31, 511 * 32 + 1];
    for len in lengths {
        let x = Array::from_positions(&[len + 1], |at| i8::from(at % 7 != 3)).unwrap();
        let all = Array::full(1_i8, &[len + 1]).unwrap();
        for dtype in counted() {
            for x in [&x, &all] {
                let x = cast(Cow::Borrowed(x), dtype);
                check(
                    &x.slice(0, 1, (len + 1).cast_signed(), 1).unwrap(),
                    &[0],
                    false,
                );
            }
        }
    }
}

#[test]
fn rows_are_counted() {
    let x = Array::from_positions(&[3, 5, 77], |at| i8::from(at % 11 < 5)).unwrap();
    for dtype in counted() {
        let x = cast(Cow::Borrowed(&x), dtype);
        check(&x, &[2], false);
        check(&x, &[1, 2], true);
        check(&x, &[0, 1, 2], true);
    }
}

#[test]
fn signs_of_zeros_do_not_count_and_those_of_nan_do() {
    let numbers = [0.0, -0.0, f64::NAN, -f64::NAN, 1.0, -1.0, f64::MIN_POSITIVE];
    let x = Array::from_positions(&[700], |at| numbers[at % 7]).unwrap();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64, DType::C64] {
        check(&cast(Cow::Borrowed(&x), dtype), &[0], false);
    }
    let parts = [0.0, -0.0, f32::NAN, 1e-45];
    let z = |at: usize| c64::new(parts[at % 4], parts[at / 4 % 4]);
    check(&Array::from_positions(&[160], z).unwrap(), &[0], false);
}

/// Other axes, short rows and other layouts take the general way.
#[test]
fn other_layouts_are_left_to_the_general_way() {
    let x = Array::full(1_i8, &[70, 80]).unwrap();
    let count = |x: &Array, axes: &[usize]| count_nonzero(x, Some(axes), false, DType::I64);
    assert!(count(&x, &[0]).is_none());
    assert!(count(&x.permute(&[1, 0]).unwrap(), &[1]).is_none());
    assert!(count(&x.slice(1, 0, 63, 1).unwrap(), &[1]).is_none());
    assert!(count(&x.slice(0, 0, 0, 1).unwrap(), &[1]).is_none());
}
