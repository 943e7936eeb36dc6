use supremum::{F16, F32, I64, Tensor, promote, tensor};

fn main() {
    let (a, x, y): (Tensor<F16>, Tensor<I64>, Tensor<F32>) = (tensor![2.0], tensor![3], tensor![0.5]);
    let (a, x, y) = promote((&a, &x.cast::<F32>(), &y));
}
