//! Arguments of NumPy and PyTorch, which rustc drops.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let x = a.item(1, 0);
    assert_eq!(a.len(0), 2);
}
