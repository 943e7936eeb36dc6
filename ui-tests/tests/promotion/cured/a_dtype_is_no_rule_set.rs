use supremum::{F32, Numpy, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b = a.with_rules::<Numpy>();
}
