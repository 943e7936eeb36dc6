supremum::prelude!();

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    for rate in &[0.1, 0.2] {
        let scaled = &weights * rate;
    }
}
