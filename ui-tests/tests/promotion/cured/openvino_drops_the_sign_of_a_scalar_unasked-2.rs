use supremum::{I8, OpenVinoScalar, Rank0, Rank1, Tensor, U8, promote_unsafe, tensor};

fn main() {
    let a: Tensor<U8, Rank1, OpenVinoScalar> = tensor![200];
    let b: Tensor<I8, Rank0, OpenVinoScalar> = Tensor::scalar(-1);
    let sum = promote_unsafe!(a + b);
}
