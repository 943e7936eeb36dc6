use supremum::{Bool, I32, Tensor, tensor};

fn main() {
    let a: Tensor<Bool> = tensor![true, false];
    let difference = &a.cast::<I32>() - &a.cast::<I32>();
}
