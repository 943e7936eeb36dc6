use ndarray::Array2;
use supremum::{Error, F32, F64, Rank2, Tensor};

fn run(array: Array2<f64>) -> Result<Tensor<F32, Rank2>, Error> {
    let t: Tensor<F64, Rank2> = Tensor::from_ndarray(array)?;
    Ok(t.cast::<F32>())
}

fn main() {}
