//! Markers as arguments, which rustc drops.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1, 2];
    let w: Tensor<F64, Rank1> = a.widen(F64);
    let c: Tensor<U8, Rank1> = a.try_cast(U8).expect("small numbers");
    let r: Tensor<F32, Rank1> = a.into_any().rank(1).expect("a vector");
}
