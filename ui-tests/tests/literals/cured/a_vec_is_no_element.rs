use supremum::{Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let elements = vec![1.0, 2.0];
    let x: Tensor<F32, Rank1> = Tensor::from_vec(elements, [2])?;
    Ok(())
}
