use supremum::{BF16, F16, OpenVino, Rank1, Tensor, promote_unsafe, tensor};

fn main() {
    let a: Tensor<F16, Rank1, OpenVino> = tensor![0.5];
    let b: Tensor<BF16, Rank1, OpenVino> = tensor![0.5];
    let sum = promote_unsafe!(a + b);
}
