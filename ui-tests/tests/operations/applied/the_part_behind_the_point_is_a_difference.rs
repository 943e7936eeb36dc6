use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.5, -1.25];
    let y: Tensor<F32, Rank1> = &a - a.trunc();
    assert_eq!(y.to_vec(), [0.5, -0.25]);
    let (y, z) = (a.trunc(), &a - a.floor());
    assert_eq!((y.to_vec(), z.to_vec()), (vec![1.0, -1.0], vec![0.5, 0.75]));
}
