use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::from_fn([2, 3], |[i, j]| (i + j) as f32);
}
