use supremum::{F32, Rank2, Tensor, einsum};

fn main() {
    let a = Tensor::<F32, Rank2>::eye(2);
    let b = Tensor::<F32, Rank2>::eye(2);
    let product: Tensor<F32, Rank2> = einsum!("ij,jk->ik", a, b);
}
