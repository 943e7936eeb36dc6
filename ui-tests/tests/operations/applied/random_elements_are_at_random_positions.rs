use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let p: Tensor<F32, Rank1> = tensor![0.25, 0.75];
    let u: Tensor<F32, Rank1> = tensor![0.5, 0.1, 0.9];
    let positions: Tensor<I64, Rank1> = p.cumsum(0).searchsorted_right(&u);
    let chosen: Tensor<F32, Rank1> = a.take(&positions, 0);
}
