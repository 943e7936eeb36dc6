use supremum::{I32, Rank1, Tensor, Torch, U16, tensor};

fn main() {
    let a: Tensor<U16, Rank1, Torch> = tensor![1, 2];
    let sum = &a.cast::<I32>() + &a.cast::<I32>();
}
