// A file is read by `read_npy`, and text is parsed by the program.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
}
