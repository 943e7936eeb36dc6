use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    for pair in t.unfold(0, 2, 1).axis_iter(0) {}
}
