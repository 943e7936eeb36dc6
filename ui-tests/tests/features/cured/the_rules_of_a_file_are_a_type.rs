use supremum::{DynTensor, Error, Jax};

fn run(path: &str) -> Result<DynTensor, Error> {
    DynTensor::read_npy(path, Jax)
}

fn main() {}
