supremum::prelude!();

fn main() -> Result<(), Error> {
    let elements: Vec<f32> = vec![1.0, 2.0];
    let tensor = Tensor::<F32, Rank1>::from_vec(elements, [2])?.into_dyn();
    Ok(())
}
