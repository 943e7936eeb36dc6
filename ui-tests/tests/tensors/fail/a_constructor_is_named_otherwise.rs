//! candle's name of a constructor. rustc would propose `ne`.
#![allow(unused_imports)]
use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let x: Tensor<F32, Rank1> = Tensor::new([1.0, 2.0]);
    Ok(())
}
