//! rustc proposes a closure around the function, whose result has another dtype.
use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![1.0, 8.0, 27.0];
    let roots: Tensor<F32, Rank1> = a.map(f64::cbrt);
    a.map_inplace(f64::cbrt);
}
