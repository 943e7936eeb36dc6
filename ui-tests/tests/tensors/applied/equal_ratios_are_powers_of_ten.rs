use supremum::prelude::*;

fn main() {
    let (low, high) = (1.0_f64, 1000.0_f64);
    let y: Tensor<F32, Rank1> = Tensor::logspace(low.log10(), high.log10(), 4);
    assert_eq!(y.to_vec(), [1.0, 10.0, 100.0, 1000.0]);
}
