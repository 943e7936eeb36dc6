use supremum::{Error, F32, Rank1, Tensor};

fn shifted(t: &Tensor<F32>) -> Result<(), Error> {
    let v = vec![1.0_f32, 2.0];
    let n = v.len();
    let sum = t + Tensor::<F32, Rank1>::from_slice(&v, [n])?;
    Ok(())
}

fn main() {}
