use supremum::prelude::*;

fn main() {
    let a: Tensor<U32, Rank1> = tensor![1, 2];
    let y: Tensor<U32, Rank1> = a.map(|x| x.rotate_left(7));
    assert_eq!(y.to_vec(), [128, 256]);
}
