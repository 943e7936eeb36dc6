//! The compiler does not know the dtype and the rank of a tensor in a file.
use supremum::{Error, F32, Rank2, SafeTensorsFile, Tensor};

fn run(path: &str) -> Result<(), Error> {
    let file = SafeTensorsFile::read(path)?;
    let w: Tensor<F32, Rank2> = file["w"];
    Ok(())
}

fn main() {}
