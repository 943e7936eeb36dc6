supremum::prelude!();

fn main() {
    let scores: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let positive = select(&scores.gt(0.0), &scores, Tensor::scalar(0.0));
}
