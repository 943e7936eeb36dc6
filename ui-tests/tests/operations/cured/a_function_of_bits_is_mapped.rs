use supremum::prelude::*;

fn main() {
    let a: Tensor<U32, Rank1> = tensor![1, 2];
    let y: Tensor<U32, Rank1> = a.map(|x| x.count_ones());
}
