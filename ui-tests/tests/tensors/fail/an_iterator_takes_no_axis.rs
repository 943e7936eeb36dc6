//! rustc would remove the axis, which gives other elements.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let parts = t.iter(1).count();
    let row = t.rows(1);
}
