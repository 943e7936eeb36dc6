use supremum::{F32, Numpy, Rank1, Tensor, tensor};

fn main() {
    let x: Option<Tensor<F32, Rank1, Numpy>> = Some(Tensor::from_vec(vec![1.0], [1]).unwrap());
    let b: Tensor<F32, Rank1, Numpy> = tensor![1.0, 2.0];
}
