use supremum::{F32, Rank2, Tensor, einsum};

fn main() {
    let a = Tensor::<F32, Rank2>::ones([2, 2]);
    let product = einsum!("ij,jk->ik", a, a);
    assert_eq!(product.to_vec(), [2.0; 4]);
}
