//! PyTorch's `(a == b).float().mean()`, the accuracy.
use supremum::prelude::*;

fn main() {
    let labels: Tensor<I64, Rank1> = tensor![1, 2];
    let answers: Tensor<I64, Rank1> = tensor![1, 3];
    let hits = labels == answers;
    let accuracy = hits.cast::<F32>().mean();
}
