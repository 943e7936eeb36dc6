use supremum::{F32, Rank2, Tensor};

fn main() {
    let size = 2;
    let mut x: Tensor<F32, Rank2> = Tensor::zeros([size, size]);
    x.diagonal_mut(0, 0, 1).fill(1.0);
}
