//! NumPy's `x[:, None]`.
use supremum::{F32, Rank1, Tensor, s, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let column = x.slice_axes(s![.., None]);
}
