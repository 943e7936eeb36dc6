use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let row: Tensor<F32, Rank1> = t.index_axis(0, 1);
}
