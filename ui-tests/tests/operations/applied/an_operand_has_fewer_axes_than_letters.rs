use supremum::{F32, Rank1, Rank2, Tensor, einsum};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([2, 2]);
    let v = Tensor::<F32, Rank1>::ones([4]);
    let product = einsum!("ij,jk->ik", a, v.reshape([2, 2]));
}
