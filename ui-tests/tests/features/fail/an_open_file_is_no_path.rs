//! A `.npy` file is read by its path.
use std::fs::File;
use supremum::{Error, F32, Rank2, Tensor};

fn run(path: &str) -> Result<Tensor<F32, Rank2>, Error> {
    Tensor::read_npy(File::open(path).unwrap())
}

fn main() {}
