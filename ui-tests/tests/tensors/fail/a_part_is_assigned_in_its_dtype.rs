//! A cache of half precision, and rows in single precision.
use supremum::{F16, F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let mut cache = Tensor::<F16, Rank2>::zeros([4, 2]);
    let row: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    cache.index_axis_mut(0, 1).assign(&row);
}
