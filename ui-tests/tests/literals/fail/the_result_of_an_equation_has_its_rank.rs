use supremum::{F32, Rank2, Tensor, einsum, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let sums: Tensor<F32, Rank2> = einsum!("ij->i", a);
}
