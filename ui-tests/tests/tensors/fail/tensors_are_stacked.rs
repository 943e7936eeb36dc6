//! `collect` takes elements; tensors are joined by a function.
use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let tensors: Vec<Tensor<F32, Rank1>> = vec![tensor![1.0], tensor![2.0]];
    let matrix: Tensor<F32, _> = tensors.into_iter().collect();
    Ok(())
}
