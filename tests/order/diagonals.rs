//! Diagonal matrices and traces.

use crate::naive::{self, Plain};
use crate::{laid_out, random_shape, refused, tensor_of};
use supremum::prelude::*;

#[test]
fn diagonal_matrices_of_each_dtype() {
    for seed in 0..200 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        if shape.is_empty() {
            continue;
        }
        let offset = rng.isize(-4..5);
        let last = shape.len() - 1;
        let mut to = shape.clone();
        to[last] += offset.unsigned_abs();
        to.push(to[last]);
        let count: usize = shape.iter().product();
        let numbers = (1..=i64::try_from(count).unwrap()).map(|number| number % 29);
        let plain = Plain::new(&shape, numbers.collect());
        let elements = naive::indices(&to).into_iter().map(|index| {
            let (row, column) = (index[last].cast_signed(), index[last + 1].cast_signed());
            let mut from = index[..=last].to_vec();
            from[last] = if offset < 0 {
                index[last + 1]
            } else {
                index[last]
            };
            match column - row == offset && from[last] < shape[last] {
                true => plain.at(&from),
                false => 0,
            }
        });
        let expected = Plain::new(&to, elements.collect());
        for dtype in DType::ALL {
            let x = laid_out::<I64>(rng, &plain).into_dyn().cast(*dtype);
            let found = x.diag_embed(offset);
            let expected = tensor_of::<I64>(&expected).into_dyn().cast(*dtype);
            assert!(
                found == expected,
                "seed {seed}, {dtype}: {found} but {expected}"
            );
            assert!(found.diagonal(offset, -2, -1) == x, "seed {seed}");
            if shape.len() == 1 {
                assert!(x.diag(offset) == found, "seed {seed}");
            }
        }
    }
}

#[test]
fn traces_are_sums_of_diagonals() -> Result<(), Error> {
    for seed in 0..100 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut shape = random_shape(rng, 2);
        shape.extend([rng.usize(..5), rng.usize(..5)]);
        let count: usize = shape.iter().product();
        let plain = Plain::new(&shape, (0..count).map(|_| rng.i64(0..2)).collect());
        let offset = rng.isize(-4..5);
        for dtype in DType::ALL {
            let x = laid_out::<I64>(rng, &plain).into_dyn().cast(*dtype);
            let expected = x.try_diagonal(offset, -2, -1)?.try_sum_axis(-1)?;
            let found = x.try_trace(offset)?;
            assert!(found == expected, "seed {seed}, {dtype}");
            assert_eq!(found.dtype(), expected.dtype());
        }
    }
    let x: Tensor<I8, Rank2> = tensor![[100, 1, 2], [3, 100, 4]];
    let trace: Tensor<I64, Rank0> = x.trace(0);
    assert_eq!(trace.item(), Ok(200));
    assert_eq!(
        [2, -1, 9].map(|offset| x.trace(offset).to_vec()[0]),
        [2, 3, 0]
    );
    let several: Tensor<F32, Rank1> = Tensor::<F32, Rank3>::ones([2, 3, 4]).trace(0);
    assert_eq!(several.to_vec(), [3.0, 3.0]);
    Ok(())
}

#[test]
fn errors_of_diagonals() {
    let x = Tensor::<F32>::zeros([3]);
    let scalar = Tensor::<F32>::zeros([]);
    let matrix = Tensor::<F32>::zeros([2, 3]);
    let deep = Tensor::<F32>::zeros([1; 8]);
    refused! {
        scalar.try_diag(0), scalar.diag(0) => "diag: a vector expected, found shape []: `diagonal` takes the diagonal of a matrix, `diag_embed` makes several matrices";
        matrix.try_diag(0), matrix.diag(0) => "diag: a vector expected, found shape [2, 3]: `diagonal` takes the diagonal of a matrix, `diag_embed` makes several matrices";
        scalar.try_diag_embed(0), scalar.diag_embed(0) => "diag_embed: at least 1 axis expected, found rank 0 (shape [])";
        deep.try_diag_embed(0), deep.diag_embed(0) => "diag_embed: rank 9 is above the limit of 8";
        x.try_diag_embed(isize::MAX), x.diag_embed(isize::MAX) => "diag_embed: shape [9223372036854775810, 9223372036854775810] has more elements than can be addressed";
        x.try_diag(isize::MAX), x.diag(isize::MAX) => "diag: shape [9223372036854775810, 9223372036854775810] has more elements than can be addressed";
        x.try_diag(isize::MIN), x.diag(isize::MIN) => "diag: shape [9223372036854775811, 9223372036854775811] has more elements than can be addressed";
        x.try_trace(0), x.trace(0) => "trace: at least 2 axes expected, found rank 1 (shape [3])";
        scalar.try_trace(0), scalar.trace(0) => "trace: at least 2 axes expected, found rank 0 (shape [])";
    }
    assert_eq!(
        matrix.into_dyn().try_diag(0),
        Err(Error::NotAVector { shape: vec![2, 3] })
    );
}
