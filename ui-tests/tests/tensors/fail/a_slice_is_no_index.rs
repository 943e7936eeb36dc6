use supremum::{F32, Rank2, Tensor, s, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let column = a[s![0, 1..]];
}
