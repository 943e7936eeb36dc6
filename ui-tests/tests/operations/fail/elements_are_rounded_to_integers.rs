//! NumPy rounds to decimals. rustc drops their number.
use supremum::prelude::*;

fn main() {
    let t: Tensor<F64, Rank1> = tensor![0.125, 2.375];
    assert_eq!(t.round(2).to_vec(), [0.12, 2.38]);
}
