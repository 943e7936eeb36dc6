use supremum::{F16, I32, OpenVino, Rank1, Tensor, promote_unsafe, tensor};

fn main() {
    let a: Tensor<I32, Rank1, OpenVino> = tensor![200];
    let b: Tensor<F16, Rank1, OpenVino> = tensor![0.5];
    let sum = promote_unsafe!(a + b);
}
