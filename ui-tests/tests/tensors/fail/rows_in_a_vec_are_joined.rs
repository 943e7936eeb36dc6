use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let rows: Vec<Vec<f32>> = vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
    let a: Tensor<F32, Rank2> = rows.into();
    Ok(())
}
