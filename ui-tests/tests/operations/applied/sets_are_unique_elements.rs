use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![3, 1, 2];
    let b: Tensor<I32, Rank1> = tensor![2, 3];
    let y = a.masked_select(&a.is_in(&b)).unique();
    assert_eq!(y.to_vec(), [2, 3]);
    let y = a.masked_select(&!a.is_in(&b)).unique();
    assert_eq!(y.to_vec(), [1]);
}
