use supremum::{F32, Rank1, Tensor};

fn main() {
    let rates = Tensor::<F32, Rank1>::from([0.1, 0.2]);
    let x: [f32; 2] = [0.5, 1.5];
    let raised = &rates + x.into_iter().collect::<Tensor<F32>>();
}
