use supremum::{F32, Rank2, Tensor, s, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0, 4.0]];
    let b = a.slice_axes(s![.., 1..3]);
}
