use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let (a, b): (Tensor<F32, Rank1>, Tensor<F32, Rank1>) = (tensor![0.5], tensor![1.5]);
    let rows = Tensor::<F32>::stack([&a, &b], 0);
    Ok(())
}
