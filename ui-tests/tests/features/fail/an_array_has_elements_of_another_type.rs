//! The dtype of a tensor is that of the elements of the array.
use ndarray::Array2;
use supremum::{Error, F32, F64, Rank2, Tensor};

fn run(array: Array2<f64>) -> Result<(), Error> {
    let t: Tensor<F32, Rank2> = Tensor::from_ndarray(array)?;
    Ok(())
}

fn main() {}
