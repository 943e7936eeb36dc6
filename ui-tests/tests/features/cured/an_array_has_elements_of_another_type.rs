use ndarray::Array2;
use supremum::{Error, F32, F64, Rank2, Tensor};

fn run(array: Array2<f64>) -> Result<(), Error> {
    let t: Tensor<F32, Rank2> = Tensor::<F64, Rank2>::from_ndarray(array)?.cast::<F32>();
    Ok(())
}

fn main() {}
