use supremum::{DynTensor, Error, F32, F64, Rank1, Tensor, dispatch};

fn main() -> Result<(), Error> {
    let d: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let t = dispatch!(d in [F32, F64], |t| t.len())?;
    Ok(())
}
