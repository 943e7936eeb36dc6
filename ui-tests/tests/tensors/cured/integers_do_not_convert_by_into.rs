use supremum::{I8, I32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<I8, Rank1> = tensor![100, 100];
    let squares: Tensor<I32, Rank1> = x.widen::<I32>() * &x;
}
