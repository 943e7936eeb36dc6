use supremum::{I8, OpenVino, Rank1, Tensor, U8, promote_unsafe, tensor};

fn main() {
    let a: Tensor<U8, Rank1, OpenVino> = tensor![200];
    let b: Tensor<I8, Rank1, OpenVino> = tensor![-100];
    let sum = promote_unsafe!(a + b);
}
