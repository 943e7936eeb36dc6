//! The conversion of an array of `ndarray` can fail.
use ndarray::Array2;
use supremum::{Error, F32, Rank2, Tensor};

fn run(array: Array2<f32>) -> Result<(), Error> {
    let t: Tensor<F32, Rank2> = array.into();
    Ok(())
}

fn main() {}
