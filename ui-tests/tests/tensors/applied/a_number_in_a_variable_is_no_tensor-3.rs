use supremum::{Error, F32, F64, Rank1, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let rates = Tensor::<F64, Rank1>::from([0.1; 6]);
    let raised = rates.cast::<F32>().reshape([2, 3]);
    let raised = raised.into_any().rank::<Rank2>()?;
    Ok(())
}
