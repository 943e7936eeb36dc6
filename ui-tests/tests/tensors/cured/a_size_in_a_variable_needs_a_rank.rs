// A `usize` decides neither the dtype nor the rank.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let n = 3_usize;
    let weights = Tensor::<F32, Rank2>::full([n, n], 1.0);
}
