//! Only a tensor of rank 0 has one element.
use supremum::{F32, Rank1, Tensor};

fn main() {
    let batches = [Tensor::<F32, Rank1>::ones([2]), Tensor::<F32, Rank1>::zeros([2])];
    let mut total = 0.0_f32;
    for t in &batches {
        total += t;
    }
}
