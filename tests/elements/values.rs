//! Numbers as arguments that are elements.

use supremum::prelude::*;

/// Elements of dtypes that Rust has no literals of are made of `f64` and `i64`, rounded once.
#[test]
fn small_and_complex_elements_are_made_of_numbers() {
    macro_rules! each {
        ($($D:ident)*) => {$({
            let third = tensor![$D; 0.3][0];
            let mut x = Tensor::<$D, Rank1>::full([3], 0.3);
            assert_eq!(x.to_vec(), [third; 3]);
            assert_eq!(x, Tensor::<$D, Rank1>::full([3], third));
            assert_eq!(x.full_like(-2), tensor![$D; -2, -2, -2]);
            assert_eq!(x.pad([[0, 1]], 1), tensor![$D; 0.3, 0.3, 0.3, 1]);
            assert_eq!(Tensor::<$D, Rank0>::scalar(1.5), Tensor::<$D, Rank1>::ones([1]).index_axis(0, 0) + 0.5);
            x.set(&[1], 2.0);
            x.slice_mut(0, 2..).fill(4);
            assert_eq!(x, tensor![$D; 0.3, 2, 4]);
            assert!(x.approx_eq(&[0.3, 2.0, 4.0], 0.0, 0.0));
            assert_ne!(Tensor::<$D, Rank0>::scalar(f64::NAN), Tensor::<$D, Rank0>::scalar(f64::NAN));
        })*};
    }
    each!(F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ F8E4M3B11FNUZ F16 BF16 C64 C128);
}

#[test]
fn numbers_that_a_dtype_does_not_have_are_errors() {
    let mut x = Tensor::<F16, Rank1>::zeros([2]);
    let before = x.clone();
    let errors = [
        Tensor::<F16, Rank1>::try_full([2], 1e5).map(drop),
        x.try_full_like(-100_000).map(drop),
        x.try_pad([[1, 0]], 1e5).map(drop),
        x.try_set(&[0], 1e5),
        x.view_mut().try_fill(1e5),
    ];
    let texts = errors.map(|result| result.expect_err("out of range").to_string());
    assert_eq!(
        texts,
        [
            "full: the literal 100000.0 is out of range for f16",
            "full_like: the literal -100000 is out of range for f16",
            "pad: the literal 100000.0 is out of range for f16",
            "set: the literal 100000.0 is out of range for f16",
            "fill: the literal 100000.0 is out of range for f16",
        ]
    );
    assert_eq!(x, before);
    assert!(!x.approx_eq(&[0.0, 1e5], f64::INFINITY, f64::INFINITY));
    let infinite = Tensor::<F16, Rank1>::full([1], f64::INFINITY);
    assert_eq!(infinite[0], f16::INFINITY);
}

/// With one type of elements to choose from, Rust infers that of a number without a type.
#[test]
fn elements_with_literals_are_inferred() {
    let sums: Tensor<F32, Rank1> = Tensor::full([2], [0.5, 1.5].iter().sum());
    assert_eq!(sums.to_vec(), [2.0, 2.0]);
    let parsed: Tensor<U8, Rank1> = Tensor::full([2], "7".parse().expect("a number"));
    assert_eq!(parsed.to_vec(), [7, 7]);
    let mut x = tensor![I16; 1, 2];
    x.set(&[0], 3_u8.into());
    assert_eq!(x.full_like(Default::default()).to_vec(), [0, 0]);
    assert_eq!(x.to_vec(), [3, 2]);
}

#[test]
fn tensors_are_close_to_nested_arrays_slices_and_vectors() {
    let x = tensor![F32; 0.1, 0.2];
    let numbers = [0.1, 0.2001];
    assert!(x.approx_eq(&numbers, 1e-3, 0.0) && !x.approx_eq(&numbers, 1e-4, 0.0));
    assert!(x.approx_eq(&numbers[..], 1e-3, 0.0) && x.approx_eq(&numbers.to_vec(), 1e-3, 0.0));
    assert!(!x.approx_eq(&[0.1], 1.0, 1.0) && !x.approx_eq(&[[0.1, 0.2]], 1.0, 1.0));
    assert!(!x.approx_eq(&[0.1, f32::NAN], 1.0, 1.0));
    let matrix = x.unsqueeze(0);
    assert!(matrix.approx_eq(&[[0.1, 0.2]], 0.0, 0.0) && !matrix.approx_eq(&[0.1, 0.2], 1.0, 1.0));
    assert!(matrix.unsqueeze(0).approx_eq(&[[[0.1, 0.2]]], 0.0, 0.0));
    assert!(!matrix.approx_eq(&[[0.2, 0.1]], 0.0, 0.0));
    let any: Tensor<F32> = tensor![0.1, 0.2];
    assert!(any.approx_eq(&[0.1, 0.2], 0.0, 0.0));
    assert!([&x].iter().all(|y| x.approx_eq(y, 0.0, 0.0)));
}
