use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let middle: Tensor<F32, Rank1> = a.lerp(&b, 0.5);
}
