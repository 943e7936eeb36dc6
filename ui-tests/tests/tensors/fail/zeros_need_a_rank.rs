//! Nothing says which tensor it is.
use supremum::Tensor;

fn main() {
    let x = Tensor::zeros([2, 3]);
}
