use supremum::{DynTensor, Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let t: DynTensor = Tensor::<F32, Rank1>::zeros([3]).into_dyn();
    let typed: Tensor<F32, Rank1> = t.try_into()?;
    Ok(())
}
