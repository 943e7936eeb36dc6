use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    x.index_axis_mut(0, 0).fill(1.0);
    x.index_axis_mut(1, 0).fill(1.0);
}
