use supremum::pjrt::Function;
use supremum::prelude::*;

fn score(
    layer: &Function<Tensor<BF16, Rank2>, Tensor<F32, Rank2>>,
    x: &Tensor<BF16, Rank2>,
) -> Result<Tensor<BF16, Rank2>, Error> {
    layer.call(x)
}

fn main() {
    let _ = score;
}
