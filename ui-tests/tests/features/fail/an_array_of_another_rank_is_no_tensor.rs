//! The rank of a tensor is that of the array of `ndarray`.
use ndarray::Array2;
use supremum::{Error, F32, Rank1, Rank2, Tensor};

fn run(array: Array2<f32>) -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = Tensor::from_ndarray(array)?;
    Ok(())
}

fn main() {}
