use supremum::{DynTensor, Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = Tensor::zeros([2]);
    let d = Tensor::<F32, Rank1>::from_vec(vec![1.0_f32, 2.0], [2])?.into_dyn();
    Ok(())
}
