//! The elements of a `Vec`.
use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let elements = vec![1.0, 2.0];
    let x: Tensor<F32, Rank1> = tensor![elements];
    Ok(())
}
