use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    x.view_mut().fill(0.0);
}
