//! The rules of a file's tensor are named by their type.
use supremum::{DynTensor, Error, Jax};

fn run(path: &str) -> Result<DynTensor, Error> {
    DynTensor::read_npy(path, "jax")
}

fn main() {}
