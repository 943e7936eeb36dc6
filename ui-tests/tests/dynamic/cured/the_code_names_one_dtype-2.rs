use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let loaded = DynTensor::from(&Tensor::<F32, Rank1>::ones([3]));
    let length = loaded.typed::<F32, Rank1, Jax>()?.len();
    Ok(())
}
