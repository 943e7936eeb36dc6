//! A `Vec<f64>` for a tensor of `F32`.
#![allow(unused_imports)]
use supremum::{Error, F32, F64, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let elements: Vec<f64> = vec![1.0, 2.0];
    let x: Tensor<F32, Rank1> = Tensor::from_vec(elements, [2])?;
    Ok(())
}
