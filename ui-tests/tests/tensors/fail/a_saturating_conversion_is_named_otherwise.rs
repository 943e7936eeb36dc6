//! A name of `cast_saturating` in other libraries, with the dtype as a type.
use supremum::{F32, I8, Rank1, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![-0.5, 1.5];
    let small = (weights * 127.0).round().saturate::<I8>();
    println!("{small}");
}
