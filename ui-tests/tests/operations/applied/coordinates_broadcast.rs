use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let y: Tensor<F32, Rank1> = tensor![5.0, 7.0];
    let sums: Tensor<F32, Rank2> = &x + y.unsqueeze(1);
}
