use supremum::{Error, F32, Jax, NpzFile, Rank2};

fn run(path: &str) -> Result<(), Error> {
    let file = NpzFile::read(path)?;
    let weight = file.tensor::<F32, Rank2>("weight")?;
    let bias = file.dyn_tensor("bias", Jax)?;
    Ok(())
}

fn main() {}
