use supremum::{Error, F32, F64, Rank1, Tensor, tensor};

fn main() -> Result<(), Error> {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F64, Rank1> = tensor![1.0, 2.0];
    let joined = a.concat(&b, 0);
    Ok(())
}
