use supremum::{F32, Rank2, Tensor, einsum, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let product = einsum!("ij,kj->ik", a);
}
