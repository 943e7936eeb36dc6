use supremum::prelude::*;
use supremum::stablehlo::{self, input};

fn main() -> Result<(), Error> {
    let inputs = (input::<I64, _>([8]), input::<F32, _>([8]));
    let program = stablehlo::trace(inputs, |(counts, scale)| promote_unsafe!(counts * scale))?;
    println!("{program}");
    Ok(())
}
