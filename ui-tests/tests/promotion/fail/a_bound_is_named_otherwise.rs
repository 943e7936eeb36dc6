use supremum::prelude::*;

fn square<D: Float>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x * x
}

fn double<D: Num>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x + x
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = double(&square(&x));
}
