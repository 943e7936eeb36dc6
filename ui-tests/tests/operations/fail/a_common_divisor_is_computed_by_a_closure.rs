use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![12, -18];
    let b: Tensor<I32, Rank1> = tensor![8, 12];
    let y: Tensor<I32, Rank1> = a.gcd(&b);
}
