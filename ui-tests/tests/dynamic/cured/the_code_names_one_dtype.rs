use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let loaded = DynTensor::from(&Tensor::<F32, Rank1>::ones([3]));
    let length = dispatch!(loaded, |t: Tensor<_, Rank1>| t.len())?;
    Ok(())
}
