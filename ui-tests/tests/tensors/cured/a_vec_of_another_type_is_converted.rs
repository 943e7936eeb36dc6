use supremum::{Error, F32, F64, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let data: Vec<f64> = vec![0.5, 0.25, 0.125];
    let a = Tensor::<F64, Rank1>::from_vec(data, [3])?.cast::<F32>();
    Ok(())
}
