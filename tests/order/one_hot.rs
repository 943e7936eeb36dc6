//! Classes as vectors.

use crate::naive::{self, INTEGERS, Plain};
use crate::{laid_out, random_shape, refused, tensor_of};
use supremum::prelude::*;

#[test]
fn a_one_stands_at_the_number() {
    for seed in 0..100 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        let classes = rng.usize(1..7);
        let count: usize = shape.iter().product();
        let bound = i64::try_from(classes).unwrap();
        let plain = Plain::new(&shape, (0..count).map(|_| rng.i64(0..bound)).collect());
        let mut to = shape.clone();
        to.push(classes);
        let elements = naive::indices(&to).into_iter().map(|index| {
            let class = i64::try_from(index[shape.len()]).unwrap();
            i64::from(plain.at(&index[..shape.len()]) == class)
        });
        let expected = Plain::new(&to, elements.collect());
        for dtype in DType::ALL {
            let from = INTEGERS[rng.usize(..INTEGERS.len())];
            let x = laid_out::<I64>(rng, &plain).into_dyn().cast(from);
            let found = x.one_hot(classes, *dtype);
            let expected = tensor_of::<I64>(&expected).into_dyn().cast(*dtype);
            assert!(found == expected, "seed {seed}, {dtype}: {found}");
        }
    }
}

/// More numbers than are converted at a time, the last of them out of range.
#[test]
fn the_first_number_out_of_range_is_named() -> Result<(), Error> {
    let mut numbers: Vec<u8> = (0..2500_u16).map(|at| (at % 5).to_le_bytes()[0]).collect();
    let found = Tensor::<U8, Rank1>::from_slice(&numbers, [2500])?.one_hot::<I32>(5);
    let counts: Tensor<I64, Rank1> = found.sum_axis(0);
    assert_eq!(counts.to_vec(), [500; 5]);
    let classes: Tensor<I64, Rank1> = found.argmax_axis(1);
    assert!(
        classes
            .iter()
            .zip(&numbers)
            .all(|(a, b)| a == i64::from(*b))
    );
    numbers[2499] = 7;
    let x = Tensor::<U8, Rank1>::from_slice(&numbers, [2500])?;
    refused! {
        x.try_one_hot::<F32>(5), x.one_hot::<F32>(5) => "one_hot: index 7 is outside axis 1 of size 5";
    }
    Ok(())
}

#[test]
fn errors_of_one_hot_vectors() {
    let x: Tensor<I16> = Tensor::from_vec(vec![0, -1], [1, 2]).expect("two elements");
    let huge: Tensor<U64> = Tensor::from_vec(vec![u64::MAX], [1]).expect("an element");
    let deep = Tensor::<I32>::zeros([1; 8]);
    refused! {
        x.try_one_hot::<Bool>(2), x.one_hot::<Bool>(2) => "one_hot: index -1 is outside axis 2 of size 2";
        huge.try_one_hot::<Bool>(2), huge.one_hot::<Bool>(2) => "one_hot: index 18446744073709551615 is outside axis 1 of size 2";
        x.try_one_hot::<C128>(0), x.one_hot::<C128>(0) => "one_hot: index 0 is outside axis 2 of size 0";
        deep.try_one_hot::<F32>(1), deep.one_hot::<F32>(1) => "one_hot: rank 9 is above the limit of 8";
        x.try_one_hot::<F32>(usize::MAX), x.one_hot::<F32>(usize::MAX) => "one_hot: shape [1, 2, 18446744073709551615] has more elements than can be addressed";
    }
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!(none.one_hot::<F32>(0).shape(), [0, 0]);
    assert_eq!(none.one_hot::<F32>(3).shape(), [0, 3]);
    let floats = tensor![F32; 1.0].into_dyn();
    assert_eq!(
        floats.try_one_hot(3, DType::F32).unwrap_err().to_string(),
        "one_hot: indices are integers, found f32"
    );
}
