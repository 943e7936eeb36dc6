//! Every F16 is an F32, but the tensors of a `Vec` have one type.
use supremum::{F16, F32, Rank1, Tensor};

fn main() {
    let a = Tensor::<F32, Rank1>::ones([2]);
    let b = Tensor::<F16, Rank1>::ones([2]);
    let both = vec![a, b];
}
