use supremum::{F32, Rank2, Tensor, einsum};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([2, 2]);
    let product = einsum!("ij,jk->il", a, a);
}
