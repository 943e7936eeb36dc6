use supremum::{Error, F32, Rank2, Tensor, tensor};

fn main() -> Result<(), Error> {
    let elements = [1.0; 4];
    let x: Tensor<F32, Rank2> = Tensor::from_slice(&elements, [2, 2])?;
    Ok(())
}
