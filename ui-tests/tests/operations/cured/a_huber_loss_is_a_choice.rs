use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.5, 5.0];
    let d = (&a - &b).abs();
    let y: Tensor<F32, Rank0> = select(&d.lt(1.0), d.pow(2) * 0.5, &d - 0.5).mean();
}
