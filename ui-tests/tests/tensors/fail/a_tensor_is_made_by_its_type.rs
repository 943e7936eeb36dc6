//! NumPy's functions.
use supremum::{F32, Rank2, Tensor};

fn main() -> Result<(), supremum::Error> {
    let z: Tensor<F32, Rank2> = supremum::zeros([2, 3]);
    let b: Tensor<F32, Rank2> = supremum::vstack(&[&z, &z]);
    Ok(())
}
