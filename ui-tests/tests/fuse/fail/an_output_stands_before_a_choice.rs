use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let mut x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    fuse!(if x < 0.0 {
        x = 0.0
    });
}
