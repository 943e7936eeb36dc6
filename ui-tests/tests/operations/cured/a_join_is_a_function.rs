use supremum::{Error, F32, Rank1, Tensor, stack, tensor};

fn main() -> Result<(), Error> {
    let (a, b): (Tensor<F32, Rank1>, Tensor<F32, Rank1>) = (tensor![0.5], tensor![1.5]);
    let rows = stack([&a, &b], 0);
    Ok(())
}
