use supremum::{DynTensor, Error, F32, Jax, Rank2, SafeTensorsFile, Tensor};

fn run(path: &str) -> Result<(), Error> {
    let file = SafeTensorsFile::read(path)?;
    let w = file.dyn_tensor("w", Jax)?;
    Ok(())
}

fn main() {}
