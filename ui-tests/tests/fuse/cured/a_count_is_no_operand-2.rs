use supremum::{Error, F32, Rank1, Tensor, fuse, tensor};

fn main() -> Result<(), Error> {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let v = [1.0];
    let n = v.len();
    let other = Tensor::<F32, Rank1>::from_slice(&v, [n])?;
    let mean = fuse!(x / other);
    Ok(())
}
