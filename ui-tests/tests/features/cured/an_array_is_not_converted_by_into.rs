use ndarray::Array2;
use supremum::{Error, F32, Rank2, Tensor};

fn run(array: Array2<f32>) -> Result<(), Error> {
    let t: Tensor<F32, Rank2> = Tensor::from_ndarray(array)?;
    Ok(())
}

fn main() {}
