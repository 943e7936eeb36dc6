use supremum::{Error, F32, Rank1, Tensor};

fn run(a: ndarray::Array1<f32>) -> Result<Tensor<F32, Rank1>, Error> {
    let t = Tensor::<F32, Rank1>::from_ndarray(a)?;
    Ok(t)
}

fn main() {}
