use supremum::prelude::*;

fn main() {
    let labels: Tensor<I64, Rank1> = tensor![0, 2];
    let targets = labels.one_hot::<F32>(3);
    assert_eq!(targets.shape(), [2, 3]);
}
