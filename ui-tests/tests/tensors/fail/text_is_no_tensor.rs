//! A file is read by `read_npy`, and text is parsed by the program.
use supremum::{F32, Rank1, Tensor};

fn main() {
    let a: Tensor<F32, Rank1> = Tensor::from("1, 2");
}
