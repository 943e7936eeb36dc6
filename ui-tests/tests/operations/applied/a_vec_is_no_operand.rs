use supremum::{F32, Rank1, Tensor};

fn shifted(t: &Tensor<F32>) {
    let v = vec![1.0_f32, 2.0];
    let sum = t + Tensor::<F32, Rank1>::from(v);
}

fn main() {}
