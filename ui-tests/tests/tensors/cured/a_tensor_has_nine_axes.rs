use supremum::{F32, Tensor, tensor};

fn main() {
    let _: Tensor<F32> = tensor![[[[[[[[1.0, 2.0]]]]]]]];
}
