use supremum::{F32, Rank1, Rank2, Tensor, stack, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let mut best = Vec::new();
    for row in a.rows() {
        best.push(row.max());
    }
    let best: Tensor<F32, Rank1> = stack(&best, 0);
}
