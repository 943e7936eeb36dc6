use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 3.5];
    let distance = a.max() - a.min();
    assert_eq!(distance.item(), Ok(2.5));
}
