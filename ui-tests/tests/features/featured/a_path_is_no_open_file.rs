use supremum::{Error, F32, LoadTensors, Rank2, SafeTensorsFile, Tensor};

fn run<T: LoadTensors>(path: &str) -> Result<T, Error> {
    let record = T::load(path)?;
    Ok(record)
}

fn main() {}
