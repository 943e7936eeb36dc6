use supremum::prelude::*;

fn main() {
    let labels: Tensor<I64, Rank1> = tensor![1, 2];
    let answers: Tensor<I64, Rank1> = tensor![1, 3];
    let accuracy = labels.not_equal(&answers).any();
}
