//! Expressions that have compiled loops are recorded all the same while a function is traced: as the program of the methods.

use supremum::stablehlo::{input, trace};
use supremum::{F32, FuseBackend, Rank, Rank1, Rank2, Tensor, fuse, fuse_backend};

type Matrix = Tensor<F32, Rank2>;

/// Enough elements that the expressions of a function are evaluated in blocks where nothing is traced.
const SHAPE: [usize; 2] = [1 << 11, 1 << 10];

#[track_caller]
fn same_programs<N: Rank>(
    of_expressions: impl FnOnce(Matrix) -> Tensor<F32, N>,
    of_methods: impl FnOnce(Matrix) -> Tensor<F32, N>,
) {
    let of_expressions = trace(input::<F32, _>(SHAPE), of_expressions).unwrap();
    let of_methods = trace(input::<F32, _>(SHAPE), of_methods).unwrap();
    assert_eq!(of_expressions.to_string(), of_methods.to_string());
}

#[test]
fn elementwise_expressions_are_recorded() {
    same_programs(
        |x| {
            assert_eq!(fuse_backend!(x * 2.0 + x), Ok(FuseBackend::Traced));
            fuse!(x * 2.0 + x)
        },
        |x| &x * 2.0 + &x,
    );
}

#[test]
fn expressions_into_a_tensor_are_recorded() {
    same_programs(
        |x| {
            let mut out = Matrix::zeros(SHAPE);
            fuse!(out = x * 2.0 + x);
            out
        },
        |x| &x * 2.0 + &x,
    );
}

#[test]
fn reductions_of_expressions_are_recorded() {
    same_programs(
        |x| {
            assert_eq!(fuse_backend!((x * x).sum_axis(1)), Ok(FuseBackend::Traced));
            fuse!((x * x).sum_axis(1))
        },
        |x| (&x * &x).sum_axis(1),
    );
    same_programs::<Rank1>(|x| fuse!((x * x).var_axis(0)), |x| (&x * &x).var_axis(0));
}

#[test]
fn expressions_of_values_of_reductions_are_recorded() {
    same_programs(
        |x| fuse!((x - x.max_keepdims(1)).exp()),
        |x| (&x - x.max_keepdims(1)).exp(),
    );
}

#[test]
fn means_and_deviations_that_come_together_are_recorded() {
    same_programs(
        |x| fuse!((x - x.mean_keepdims(1)) / x.std_keepdims(1)),
        |x| {
            let (mean, deviation) = (x.mean_keepdims(1), x.std_keepdims(1));
            (&x - mean) / deviation
        },
    );
}
