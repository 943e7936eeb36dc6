use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5], [2.5, 3.5]];
    let sum = a.tensordot(&a, [0, 1], [0, 1]);
}
