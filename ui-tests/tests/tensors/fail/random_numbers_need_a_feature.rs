//! The features of this crate's library have no random numbers.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let weights = Tensor::<F32, Rank2>::normal([2, 3], 0.0, 1.0, &mut ());
}
