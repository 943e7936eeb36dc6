use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.75, 1.0];
    let exponents: Tensor<I32, Rank1> = tensor![3, -2];
    let y: Tensor<F32, Rank1> = a.ldexp(&exponents);
}
