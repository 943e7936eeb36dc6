//! PyTorch's `select` takes an axis and a position.
use supremum::{F32, Rank3, Tensor};

fn main() {
    let batch = Tensor::<F32, Rank3>::ones([4, 2, 2]);
    let sample = batch.select(0, 1);
}
