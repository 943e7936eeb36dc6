use supremum::{Error, F32, Rank2, SafeTensorsFile, Tensor};

fn run(path: &str) -> Result<(), Error> {
    let file = SafeTensorsFile::read(path)?;
    let w = file.names();
    Ok(())
}

fn main() {}
