//! `histogram` takes a range, and no pair.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let ages: Tensor<F32, Rank1> = tensor![12.0, 40.0, 33.0];
    let counts = ages.histogram(10, (0, 100));
}
