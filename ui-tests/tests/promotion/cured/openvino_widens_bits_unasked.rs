use supremum::{I16, I8, OpenVino, Rank1, Tensor, U8, tensor};

fn main() {
    let a: Tensor<U8, Rank1, OpenVino> = tensor![200];
    let b: Tensor<I8, Rank1, OpenVino> = tensor![-100];
    let sum = a.cast::<I16>() + b.cast::<I16>();
}
