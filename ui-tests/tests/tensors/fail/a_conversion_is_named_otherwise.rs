//! NumPy's name of `cast`. rustc would propose `dtype`.
use supremum::{F16, F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = x.astype(F16);
}
