use supremum::pjrt::{Function, OnDevice};
use supremum::prelude::*;

fn score(
    layer: &Function<Tensor<BF16, Rank2>, Tensor<F32, Rank2>>,
    x: &OnDevice<F16, Rank2>,
) -> Result<OnDevice<F32, Rank2>, Error> {
    layer.run(x)
}

fn main() {
    let _ = score;
}
