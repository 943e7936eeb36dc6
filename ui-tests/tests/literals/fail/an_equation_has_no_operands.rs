use supremum::{F32, Rank2, Tensor, einsum, tensor};

fn main() {
    let (a, b): (Tensor<F32, Rank2>, Tensor<F32, Rank2>) = (tensor![[0.5]], tensor![[2.0]]);
    let product = einsum!("ij,jk->ik");
}
