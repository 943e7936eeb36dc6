//! A name that is bound in `fuse!` ends there.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    fuse!(let y = x * 2.0 + 1.0);
    fuse!(let z = x * 2.0 + 1.0;);
}
