use supremum::{I8, I32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let w: Tensor<I8, Rank2> = tensor![[1, 2], [3, 4]];
    let v: Tensor<I8, Rank1> = tensor![5, 6];
    let product: Tensor<I32, Rank1> = w.matmul_in::<I32>(&v.unsqueeze(1)).squeeze(-1);
}
