use supremum::{F32, Rank1, Tensor, elementwise, fuse, tensor};

elementwise! {
    fn square(x: f32) -> f32 {
        x * x
    }
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let squares = fuse!(square(x));
}
