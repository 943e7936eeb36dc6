supremum::prelude!();

fn main() {
    let weights: Tensor<F16, Rank1> = tensor![1.0, 2.0];
    let squares = &weights * weights.widen();
}
