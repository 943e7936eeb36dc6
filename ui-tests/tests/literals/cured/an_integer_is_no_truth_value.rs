use supremum::{Bool, Tensor, tensor};

fn main() {
    let mask: Tensor<Bool> = tensor![true, 0, 1, true];
}
