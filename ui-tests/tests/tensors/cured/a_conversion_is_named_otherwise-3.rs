use supremum::{Error, F32, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = x.try_cast::<F32>()?;
    Ok(())
}
