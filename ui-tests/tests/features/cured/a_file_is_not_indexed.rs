use supremum::{Error, F32, Rank2, SafeTensorsFile, Tensor};

fn run(path: &str) -> Result<(), Error> {
    let file = SafeTensorsFile::read(path)?;
    let w: Tensor<F32, Rank2> = file.tensor::<F32, Rank2>("w")?;
    Ok(())
}

fn main() {}
