use supremum::{Error, F32, Rank1, Tensor, stack, tensor};

fn main() -> Result<(), Error> {
    let tensors: Vec<Tensor<F32, Rank1>> = vec![tensor![1.0], tensor![2.0]];
    let matrix: Tensor<F32, _> = stack(&tensors, 0);
    Ok(())
}
