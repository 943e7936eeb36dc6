use ndarray::Array2;
use supremum::{Error, F32, Rank1, Rank2, Tensor};

fn run(array: Array2<f32>) -> Result<(), Error> {
    let t: Tensor<F32, Rank2> = Tensor::from_ndarray(array)?;
    let flat: Tensor<F32, Rank1> = t.flatten();
    let pairs: Tensor<F32, Rank2> = t.reshape([t.len() / 2, 2]);
    Ok(())
}

fn main() {}
