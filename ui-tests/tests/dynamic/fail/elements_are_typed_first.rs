//! The type of elements decides a dtype.
use supremum::{DynTensor, Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = Tensor::zeros([2]);
    let d = DynTensor::from_vec(vec![1.0_f32, 2.0], [2])?;
    Ok(())
}
