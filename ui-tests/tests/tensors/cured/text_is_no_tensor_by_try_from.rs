// `try_from` converts what `from` converts, and dynamic tensors.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let numbers = tensor![F32; 1.0, 2.0];
}
