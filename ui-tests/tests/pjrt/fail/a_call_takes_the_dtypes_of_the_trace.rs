use supremum::pjrt::Function;
use supremum::prelude::*;

type Matrix<D> = Tensor<D, Rank2>;

fn score(
    layer: &Function<(Matrix<BF16>, Matrix<F16>), Matrix<F32>>,
    x: &Matrix<BF16>,
    w: &Matrix<F16>,
) -> Result<Matrix<F32>, Error> {
    layer.call((w, x))
}

fn main() {
    let _ = score;
}
