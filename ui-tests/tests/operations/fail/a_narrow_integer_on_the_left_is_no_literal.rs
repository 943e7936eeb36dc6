//! An image is inverted by a number of its own dtype.
use supremum::{I8, Rank1, Rank2, Tensor, U8, tensor};

fn main() {
    let image: Tensor<U8, Rank2> = tensor![[0, 255]];
    let largest: u8 = 255;
    let inverted = largest - &image;
    let signed: Tensor<I8, Rank1> = tensor![1, -2];
    let k: i8 = 3;
    let product = k * signed.abs();
}
