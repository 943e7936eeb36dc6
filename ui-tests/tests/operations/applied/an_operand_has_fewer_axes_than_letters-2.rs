use supremum::{F32, Rank2, Rank3, Tensor, einsum};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([2, 2]);
    let v = Tensor::<F32, Rank3>::ones([2, 2, 1]);
    let product = einsum!("ij,jk->ik", a, v.squeeze(2));
}
