//! `bincount`, `histogram` and `count_nonzero`.

use crate::naive::{self, Plain};
use crate::{laid_out, random_shape, refused};
use supremum::prelude::*;

#[test]
fn counts_of_integers() -> Result<(), Error> {
    for seed in 0..60 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let count = rng.usize(..40);
        let numbers: Vec<i64> = (0..count).map(|_| rng.i64(0..20)).collect();
        let min_len = rng.usize(..25);
        let greatest = numbers.iter().max().map_or(0, |number| number + 1);
        let len = usize::try_from(greatest).unwrap().max(min_len);
        let expected: Vec<i64> = (0..i64::try_from(len).unwrap())
            .map(|bin| {
                i64::try_from(numbers.iter().filter(|number| **number == bin).count()).unwrap()
            })
            .collect();
        let x = laid_out::<I64>(rng, &Plain::new(&[count], numbers)).into_dyn();
        for dtype in DType::ALL {
            let counts = x.cast(*dtype).try_bincount(min_len);
            match dtype.kind() {
                supremum::Kind::Unsigned | supremum::Kind::Signed => {
                    assert_eq!(counts?.to_vec::<I64>()?, expected, "{dtype}");
                }
                _ => assert!(counts.is_err(), "{dtype}"),
            }
        }
    }
    let x: Tensor<U8, Rank1> = tensor![255, 0];
    assert_eq!(x.bincount(0).len(), 256);
    Ok(())
}

/// Many numbers are counted in several tables, unless there are many counts.
#[test]
fn counts_of_many_integers() {
    for (many, different) in [(4_095, 1_024), (4_096, 1_024), (5_003, 1_025), (5_003, 3)] {
        let number = |at: usize| i64::try_from(at * at % 7_919 % different).unwrap();
        let x = Tensor::<I64, Rank1>::from_fn([many], |[at]| number(at));
        let mut expected = vec![0; different + 2];
        for at in 0..many {
            expected[usize::try_from(number(at)).unwrap()] += 1;
        }
        let counts = x.bincount(different + 2);
        assert_eq!(counts.to_vec(), expected, "{many} of {different}");
        assert_eq!(x.cast::<U16>().bincount(different + 2), counts);
    }
    let mut x = Tensor::<I32, Rank1>::zeros([5_000]);
    x.set(&[4_999], -7);
    let error = x.try_bincount(0).unwrap_err().to_string();
    assert_eq!(
        error,
        "bincount: the number -7 at position 4999 is negative"
    );
}

/// Each element is in the bin between whose edges it lies.
#[test]
fn counts_in_bins() {
    for seed in 0..300 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 3);
        let mut elements = naive::sample::<f32>(shape.iter().product(), seed);
        for element in &mut elements {
            match rng.u8(..8) {
                0 => *element = f32::NAN,
                1 => *element = f32::INFINITY,
                2 => *element += rng.f32(),
                _ => {}
            }
        }
        let bins = rng.usize(1..12);
        let low = f64::from(rng.i8(-8..4)) / 3.0;
        let high = low + f64::from(rng.u8(..20)) / 2.0;
        let x = laid_out::<F32>(rng, &Plain::new(&shape, elements.clone()));
        let (first, last) = if low == high {
            (low - 0.5, high + 0.5)
        } else {
            (low, high)
        };
        let edges = Tensor::<F64, Rank1>::linspace(first, last, bins + 1).to_vec();
        let expected: Vec<i64> = (0..bins)
            .map(|bin| {
                let is_in = |element: &&f32| {
                    let element = f64::from(**element);
                    let below =
                        element < edges[bin + 1] || bin + 1 == bins && element == edges[bins];
                    element >= edges[bin] && below
                };
                i64::try_from(elements.iter().filter(is_in).count()).unwrap()
            })
            .collect();
        assert_eq!(
            x.histogram(bins, low..=high).to_vec(),
            expected,
            "seed {seed}"
        );
    }
    let numbers = Tensor::<I8, Rank1>::arange(-100.0, 100.0, 1.0);
    assert_eq!(numbers.histogram(4, -100.0..=100.0).to_vec(), [50; 4]);
}

#[test]
fn errors_of_counts() {
    let x: Tensor<I8, Rank1> = tensor![1, -2, 3, -1];
    let matrix = Tensor::<I8>::zeros([2, 2]);
    let scalar = Tensor::<I8>::zeros([]);
    let huge = Tensor::<U64, Rank1>::full([1], u64::MAX);
    let large = Tensor::<I64, Rank1>::full([1], i64::MAX);
    refused! {
        x.try_bincount(0), x.bincount(0) => "bincount: the number -2 at position 1 is negative";
        x.try_bincount(9), x.bincount(9) => "bincount: the number -2 at position 1 is negative";
        matrix.try_bincount(0), matrix.bincount(0) => "bincount: rank 1 expected, found shape [2, 2]";
        scalar.try_bincount(0), scalar.bincount(0) => "bincount: rank 1 expected, found shape []";
        huge.try_bincount(0), huge.bincount(0) => "bincount: shape [18446744073709551615] has more elements than can be addressed";
        large.try_bincount(0), large.bincount(0) => "bincount: shape [9223372036854775808] has more elements than can be addressed";
        x.try_histogram(0, 0.0..=1.0), x.histogram(0, 0.0..=1.0) => "histogram: 0 bins from 0 to 1; it needs a bin, and finite bounds in ascending order";
        x.try_histogram(3, 1.0..=0.0), x.histogram(3, 1.0..=0.0) => "histogram: 3 bins from 1 to 0; it needs a bin, and finite bounds in ascending order";
        x.try_histogram(3, f64::NAN..=0.0), x.histogram(3, f64::NAN..=0.0) => "histogram: 3 bins from NaN to 0; it needs a bin, and finite bounds in ascending order";
        x.try_histogram(1, 0.0..=f64::INFINITY), x.histogram(1, 0.0..=f64::INFINITY) => "histogram: 1 bins from 0 to inf; it needs a bin, and finite bounds in ascending order";
    }
    assert!(matches!(
        x.try_histogram(usize::MAX, 0.0..=1.0),
        Err(Error::ShapeTooLarge { .. })
    ));
    let floats = Tensor::<F32>::zeros([2]).into_dyn();
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(floats.try_bincount(0)),
        "bincount: indices are integers, found f32"
    );
    assert_eq!(Tensor::<I8, Rank1>::zeros([0]).bincount(2).to_vec(), [0, 0]);
    assert_eq!(Tensor::<I8, Rank1>::zeros([0]).bincount(0).len(), 0);
    assert_eq!(
        Tensor::<F32, Rank0>::scalar(0.5)
            .histogram(2, 0.0..=1.0)
            .to_vec(),
        [0, 1]
    );
}

#[test]
fn counts_of_elements_that_are_not_zero() -> Result<(), Error> {
    for seed in 0..60 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        let numbers = naive::indices(&shape)
            .iter()
            .map(|_| rng.i64(0..3))
            .collect();
        let plain = Plain::new(&shape, numbers);
        let x = laid_out::<I64>(rng, &plain).into_dyn();
        // The sum of ones along axes, which other tests compare with a naive one.
        let ones = x.minimum(1);
        let axes: Vec<usize> = (0..shape.len()).filter(|_| rng.bool()).collect();
        for dtype in DType::ALL {
            let x = x.cast(*dtype);
            let found = [
                x.count_nonzero(),
                x.count_nonzero_axis(&axes),
                x.count_nonzero_keepdims(&axes),
            ];
            let expected = [ones.sum(), ones.sum_axis(&axes), ones.sum_keepdims(&axes)];
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    found == expected,
                    "seed {seed}, {dtype}: {found} but {expected}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn counts_know_nan_zeros_and_rules() {
    let x: Tensor<F32, Rank2> = tensor![[f32::NAN, -0.0, 0.0], [1e-45, f32::INFINITY, 0.0]];
    assert_eq!(x.count_nonzero_axis(1).to_vec(), [1, 2]);
    let z: Tensor<C64, Rank1> = tensor![1.0i, 0.0, 1.0];
    assert_eq!(z.count_nonzero().item(), Ok(2));
    // Sums of booleans are not defined under the rules of the Array API and TensorFlow; counts are.
    let mask: Tensor<Bool, Rank1, ArrayApi> = tensor![true, false, true];
    let count: Tensor<I64, Rank0, ArrayApi> = mask.count_nonzero();
    assert_eq!(count.item(), Ok(2));
    assert_eq!(
        mask.with_rules::<TensorFlow>().count_nonzero().item(),
        Ok(2)
    );
    let count: Tensor<I32, Rank0, JaxX32> = mask.with_rules::<JaxX32>().count_nonzero();
    assert_eq!(count.item(), Ok(2));
    let scalar = Tensor::<F32, Rank0>::full([], 0.5);
    assert_eq!(
        (
            scalar.count_nonzero().item(),
            scalar.zeros_like().count_nonzero().item()
        ),
        (Ok(1), Ok(0))
    );
    refused! {
        x.try_count_nonzero_axis(2), x.count_nonzero_axis(2) => "count_nonzero_axis: axis 2 does not exist at rank 2";
        x.try_count_nonzero_axis([0, -2]), x.count_nonzero_axis([0, -2]) => "count_nonzero_axis: axis 0 is named twice, as 0 and -2";
        x.try_count_nonzero_keepdims(-3), x.count_nonzero_keepdims(-3) => "count_nonzero_keepdims: axis -3 does not exist at rank 2";
    }
}
