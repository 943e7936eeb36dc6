use supremum::{DType, DynTensor, Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let elements = vec![0.5_f32, 1.5];
    let t = Tensor::<F32, Rank1>::from(elements).max();
    let weights = DynTensor::full(DType::F32, [2], t.item()?)?;
    Ok(())
}
