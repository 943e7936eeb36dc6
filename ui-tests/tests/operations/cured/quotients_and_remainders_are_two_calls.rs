use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![7, -7];
    let b: Tensor<I32, Rank1> = tensor![3, 3];
    let (y, z): (Tensor<I32, Rank1>, Tensor<I32, Rank1>) = (a.floor_div(&b), &a % &b);
}
