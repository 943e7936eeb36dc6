use supremum::{F32, Tensor, TensorViewMut};

fn product(v: TensorViewMut<'_, F32>) -> Tensor<F32> {
    &v.to_tensor() * 2.0
}

fn main() {}
