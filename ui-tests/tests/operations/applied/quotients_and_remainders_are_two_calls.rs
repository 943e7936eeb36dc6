use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![7, -7];
    let b: Tensor<I32, Rank1> = tensor![3, 3];
    let (y, z) = (a.floor_div(&b), &a % &b);
    assert_eq!((y.to_vec(), z.to_vec()), (vec![2, -3], vec![1, 2]));
    let (a, b) = (a.cast::<F32>(), b.cast::<F32>());
    let y = (&a / &b).trunc();
    assert_eq!(y.to_vec(), [2.0, -2.0]);
}
