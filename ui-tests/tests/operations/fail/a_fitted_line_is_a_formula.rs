use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0, 3.0];
    let y: Tensor<F32, Rank1> = tensor![1.0, 3.0, 5.0, 7.0];
    let slope: Tensor<F32, Rank0> = x.polyfit(&y, 1);
}
