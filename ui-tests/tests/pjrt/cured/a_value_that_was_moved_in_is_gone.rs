use supremum::pjrt::{Function, OnDevice};
use supremum::prelude::*;

fn train(
    step: &Function<Tensor<F32, Rank2>, Tensor<F32, Rank2>>,
    weights: OnDevice<F32, Rank2>,
) -> Result<Tensor<F32, Rank2>, Error> {
    let next = step.run(&weights)?;
    next.wait()?;
    weights.get()
}

fn main() {
    let _ = train;
}
