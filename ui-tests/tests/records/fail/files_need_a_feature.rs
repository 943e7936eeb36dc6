//! The features of this crate's library have no files.
use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    weight: Tensor<F32, Rank2>,
}

fn main() -> Result<(), Error> {
    let layer = Layer::load("layer.safetensors")?;
    let weight = Tensor::<F32, Rank2>::read_npy("weight.npy")?;
    weight.write_npy("copy.npy")?;
    let view = weight.view_ndarray();
    Ok(())
}
