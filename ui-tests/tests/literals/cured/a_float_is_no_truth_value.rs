use supremum::{Bool, Tensor, tensor};

fn main() {
    let mask: Tensor<Bool> = tensor![true, false];
}
