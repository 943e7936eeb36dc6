//! The rules leave the dtype of bytes divided by a float literal to whatever stands beside it: here the type of the result.
use supremum::{F32, Rank3, Tensor, U8};

fn normalise(image: &Tensor<U8, Rank3>) -> Tensor<F32, Rank3> {
    image / 255.0
}

fn main() {}
