use supremum::prelude::*;
use supremum::stablehlo::{self, input};

fn main() -> Result<(), Error> {
    let program = stablehlo::trace(input::<F32, _>([8]), |x| x)?;
    println!("{program}");
    Ok(())
}
