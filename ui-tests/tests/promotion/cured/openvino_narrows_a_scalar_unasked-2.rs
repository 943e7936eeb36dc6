use supremum::{F16, F64, OpenVinoScalar, Rank0, Rank1, Tensor, promote_unsafe, tensor};

fn main() {
    let a: Tensor<F16, Rank1, OpenVinoScalar> = tensor![0.5];
    let b: Tensor<F64, Rank0, OpenVinoScalar> = Tensor::scalar(0.1);
    let sum = promote_unsafe!(a + b);
}
