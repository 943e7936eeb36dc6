use std::path::PathBuf;
use supremum::{Error, F32, LoadTensors, Rank2, SafeTensorsFile, Tensor};

fn run<T: LoadTensors>(path: PathBuf) -> Result<T, Error> {
    let t = Tensor::<F32, Rank2>::read_npy(&path)?;
    let file = SafeTensorsFile::read(&path)?;
    let record = T::load_from(&file)?;
    Ok(record)
}

fn main() {}
