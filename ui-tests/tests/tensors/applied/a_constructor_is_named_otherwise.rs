use supremum::{Error, F32, Rank2, Tensor, tensor};

fn main() -> Result<(), Error> {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    Ok(())
}
