//! PyTorch's names of activations. rustc would propose `relu`.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = x.relu6();
    let z = x.mish();
    let w = x.swish();
}
