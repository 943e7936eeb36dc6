use supremum::pjrt::Function;
use supremum::prelude::*;

fn score(
    layer: &Function<Tensor<F32, Rank2>, Tensor<F32, Rank2>>,
    row: &Tensor<F32, Rank1>,
) -> Result<Tensor<F32, Rank2>, Error> {
    layer.call(row)
}

fn main() {
    let _ = score;
}
