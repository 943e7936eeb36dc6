//! Python's `and`, and a method in place of an operator.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let inside = fuse!((x > 0.0) and (x < 1.0));
    let difference = fuse!(x.sub(1.0));
}
