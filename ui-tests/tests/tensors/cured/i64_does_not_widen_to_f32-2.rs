use supremum::{Error, F32, I64, Tensor, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<I64> = tensor![1, 2];
    let b = a.try_cast::<F32>()?;
    Ok(())
}
