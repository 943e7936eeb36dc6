use supremum::{DynTensor, Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let elements = vec![1.0_f32, 2.0];
    let d: DynTensor = Tensor::<F32, Rank1>::from_vec(elements, [2])?.into_dyn();
    Ok(())
}
