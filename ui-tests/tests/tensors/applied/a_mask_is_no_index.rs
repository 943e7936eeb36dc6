use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[0.5, -1.5], [1.0, 2.0]];
    let row: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    a.index_axis_mut(0, 1).assign(&row);
    let parts = [a.index_axis(0, 1), a.get(&[0, 1]).into_iter().collect()];
}
