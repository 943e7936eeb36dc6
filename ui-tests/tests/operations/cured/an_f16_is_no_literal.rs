use supremum::{F16, Tensor, f16};

fn scaled(t: &Tensor<F16>, x: f16) -> Tensor<F16> {
    t * f64::from(x)
}

fn main() {}
