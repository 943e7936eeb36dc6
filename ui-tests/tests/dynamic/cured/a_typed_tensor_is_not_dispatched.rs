use supremum::{Error, F32, F64, Rank1, Tensor, dispatch, tensor};

fn main() -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let n = dispatch!(t.into_dyn() in [F32, F64], |x| x.len())?;
    Ok(())
}
