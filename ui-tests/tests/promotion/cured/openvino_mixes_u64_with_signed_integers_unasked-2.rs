use supremum::{I8, OpenVino, Rank1, Tensor, U64, promote_unsafe, tensor};

fn main() {
    let a: Tensor<U64, Rank1, OpenVino> = tensor![200];
    let b: Tensor<I8, Rank1, OpenVino> = tensor![-100];
    let sum = promote_unsafe!(a + b);
}
