use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let next = x.index_axis(0, 0) + 1.0;
}
