//! Tensors that are joined have one dtype.
use supremum::{Error, F32, I64, Rank1, Tensor, concat, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<I64, Rank1> = tensor![1, 2];
    let joined = concat((&a, &b), 0);
    Ok(())
}
