use supremum::{Bool, Tensor, tensor};

fn main() {
    let a: Tensor<Bool> = tensor![true, false];
    let difference = &a ^ &a;
}
