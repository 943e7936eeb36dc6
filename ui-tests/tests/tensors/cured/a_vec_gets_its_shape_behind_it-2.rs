use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let x: Tensor<F32, Rank2> = Tensor::from_vec(vec![0.0; 4], [2, 2])?;
    Ok(())
}
