use supremum::{F32, Rank1, Tensor, elementwise, fuse, tensor};

elementwise! {
    fn f(v: f32) -> f32 {
        if v > 0.0 { v } else { 0.1 * v }
    }
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = fuse!(f(x));
}
