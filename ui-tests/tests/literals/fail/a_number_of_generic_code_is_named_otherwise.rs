//! Names of the crate `num_traits`. rustc would propose its traits, which no dtype implements.
supremum::prelude!();

fn relu<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    let zero = D::zero();
    x.maximum(zero)
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let next = relu(&x) + F32::one();
}
