use supremum::prelude::*;
use supremum::stablehlo;

fn main() -> Result<(), Error> {
    let program = stablehlo::trace([8, 16], |x| x)?;
    println!("{program}");
    Ok(())
}
