use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let file = NpzFile::read("weights.npz")?;
    let names = file.names();
    let w = file.tensor::<F32, Rank2>("w")?;
    SafeTensorsFile::write("weights.safetensors", &[("w", &w)])?;
    Ok(())
}
