use supremum::stablehlo::{self, input};
use supremum::{Error, F32, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let program = stablehlo::trace(input::<F32, _>([8, 4]), |x: Tensor<F32, Rank2>| x.exp())?;
    Ok(())
}
