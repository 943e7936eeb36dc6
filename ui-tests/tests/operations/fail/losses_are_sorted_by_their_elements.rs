//! Tensors of rank 0 have no order; their elements have.
use supremum::prelude::*;

fn main() {
    let mut losses: Vec<Tensor<F32, Rank0>> = vec![Tensor::scalar(1.0), Tensor::scalar(0.5)];
    losses.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(losses[0].item(), Ok(0.5));
}
