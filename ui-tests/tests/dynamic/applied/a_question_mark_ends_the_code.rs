use supremum::{Error, F32, Rank1, Tensor, dispatch, tensor};

fn main() -> Result<(), Error> {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let d = t.into_dyn();
    let largest = dispatch!(d in [F32], |t| t.max().item())??;
    Ok(())
}
