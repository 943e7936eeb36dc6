//! Tensors have no order, not even those of one element.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([2, 3]);
    let best = a.rows().map(|row| row.sum()).max();
}
