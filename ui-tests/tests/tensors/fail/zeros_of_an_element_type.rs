//! The type of elements in place of the dtype, before a function that makes a tensor.
use supremum::{Rank2, Tensor};

fn main() {
    let t = Tensor::<f32, Rank2>::zeros([2, 3]);
}
