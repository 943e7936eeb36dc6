//! The names are imported one by one, so messages write them without their path.
supremum::prelude!();

fn main() {
    let counts: Tensor<I64> = tensor![1, 2, 3];
    let weights: Tensor<F32> = tensor![0.5, 0.25, 0.125];
    let weighted = &counts * &weights;
}
