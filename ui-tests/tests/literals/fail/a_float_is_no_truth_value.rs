use supremum::{Bool, Tensor, tensor};

fn main() {
    let mask: Tensor<Bool> = tensor![1.0, 0.0];
}
