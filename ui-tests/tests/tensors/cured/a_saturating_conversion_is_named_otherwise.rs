use supremum::{F32, I8, Rank1, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![-0.5, 1.5];
    let small = (weights * 127.0).round().cast_saturating::<I8>();
    println!("{small}");
}
