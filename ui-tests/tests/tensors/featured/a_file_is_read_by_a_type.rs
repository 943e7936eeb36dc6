use supremum::{DynTensor, Error, F32, Jax, NpzFile, Rank2, SafeTensorsFile, Tensor};

fn run(path: &str) -> Result<(), Error> {
    let t = Tensor::<F32, Rank2>::read_npy(path)?;
    let d = DynTensor::read_npy(path, Jax)?;
    t.write_npy(path)?;
    let weights = t;
    SafeTensorsFile::write(path, &[("weights", &weights)])?;
    let file = SafeTensorsFile::read(path)?;
    NpzFile::write(path, &[("weights", &weights)])?;
    let file = NpzFile::read(path)?;
    Ok(())
}

fn main() {}
