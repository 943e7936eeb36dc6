use supremum::{Error, F32, Rank1, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let elements = vec![0.5; 6];
    let raised = Tensor::<F32, Rank2>::from_vec(elements, [2, 3])?;
    Ok(())
}
