//! `try_from` converts what `from` converts, and dynamic tensors.
use supremum::{F32, Rank1, Tensor};

fn main() {
    let numbers = Tensor::<F32, Rank1>::try_from("1, 2");
}
