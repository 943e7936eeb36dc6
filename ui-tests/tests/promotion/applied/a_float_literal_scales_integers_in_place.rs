use supremum::{F64, I32, Tensor, tensor};

fn main() {
    let a: Tensor<I32> = tensor![10, 20];
    let b: Tensor<I32> = tensor![1, 2];
    let c = a.cast::<supremum::Weak<F64>>() + b.cast::<supremum::Weak<F64>>();
}
