use supremum::{Error, F32, I64, Rank1, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let a = Tensor::<I64, Rank1>::try_arange(10)?;
    let a = Tensor::<F32, Rank1>::linspace(0.0, 1.0);
    let a = Tensor::<F32, Rank1>::try_linspace(0.0, 1.0)?;
    let a = Tensor::<F32, Rank1>::logspace(0.0, 3.0);
    let a = Tensor::<F32, Rank1>::try_logspace(0.0, 3.0)?;
    let a = Tensor::<F32, Rank2>::try_eye(3, 3)?;
    Ok(())
}
