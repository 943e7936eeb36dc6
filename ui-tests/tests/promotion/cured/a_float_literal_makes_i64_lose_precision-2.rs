use supremum::{I64, Tensor, promote_unsafe, tensor};

fn main() {
    let counts: Tensor<I64> = tensor![1, 2, 3];
    let halves = promote_unsafe!(counts * 0.5);
}
