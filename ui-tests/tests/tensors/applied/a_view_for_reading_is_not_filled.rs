use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let u = x.clone();
    x.view_mut().assign(&u);
    let row: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    x.index_axis_mut(0, 1).assign(&row);
    x.diagonal_mut(0, 0, 1).fill(1.0);
    assert_eq!(x.to_vec(), [1.0, 2.0, 1.0, 1.0]);
}
