supremum::prelude!();

fn main() -> Result<(), Error> {
    let rows: Vec<Vec<f32>> = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    let matrix = Tensor::<F32, Rank2>::from_vec(rows.concat(), [2, 2])?;
    Ok(())
}
