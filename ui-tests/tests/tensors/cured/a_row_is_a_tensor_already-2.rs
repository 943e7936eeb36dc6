use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[3.0, 1.0], [2.0, 4.0]];
    let greatest: Vec<f32> = x.rows().map(|row| row.clone().max().to_vec()[0]).collect();
}
