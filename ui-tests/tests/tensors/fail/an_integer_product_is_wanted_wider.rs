//! The products have wrapped in `i8` before any conversion, so rustc proposes no `.into()`.
use supremum::{I8, I32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<I8, Rank2> = tensor![[100, 100], [100, 100]];
    let product: Tensor<I32, Rank2> = x.matmul(&x);
    let squares: Tensor<I32, Rank2> = &x * &x;
}
