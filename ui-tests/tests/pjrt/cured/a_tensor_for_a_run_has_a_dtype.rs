use supremum::pjrt::{Function, OnDevice};
use supremum::prelude::*;

fn score(
    layer: &Function<(Tensor<BF16, Rank2>, Tensor<F16, Rank2>), Tensor<F32, Rank2>>,
    x: &Tensor<F32, Rank2>,
    w: &OnDevice<F16, Rank2>,
) -> Result<OnDevice<F32, Rank2>, Error> {
    layer.run((&x.cast::<BF16>(), w))
}

fn main() {
    let _ = score;
}
