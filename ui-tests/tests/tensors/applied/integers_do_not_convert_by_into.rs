use supremum::{I8, I32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<I8, Rank2> = tensor![[100, 100], [1, 2]];
    let squares: Tensor<I32, Rank2> = x.matmul_in::<I32>(&x);
}
