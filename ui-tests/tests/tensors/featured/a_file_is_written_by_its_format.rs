use supremum::{Error, F32, Rank2, Tensor};

fn run(t: &Tensor<F32, Rank2>, path: &str) -> Result<(), Error> {
    t.write_npy(path)?;
    Ok(())
}

fn main() {}
