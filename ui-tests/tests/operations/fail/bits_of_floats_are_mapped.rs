use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let bits: Tensor<U32, Rank1> = a.to_bits();
}
