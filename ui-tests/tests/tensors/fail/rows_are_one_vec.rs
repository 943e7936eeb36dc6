//! candle's name of the elements row by row. rustc would propose `to_vec`, whose type is another.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y: Vec<Vec<f32>> = x.to_vec2();
}
