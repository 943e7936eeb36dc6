//! candle's `affine` multiplies and adds.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let pixels: Tensor<F32, Rank1> = tensor![0.0, 0.5];
    let scaled = pixels.affine(2.0, -1.0);
}
