use supremum::{BF16, F16, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<BF16, Rank2> = tensor![[1.0, 2.0]];
    let sums = x.matmul_in::<F16>(&x.transpose());
}
