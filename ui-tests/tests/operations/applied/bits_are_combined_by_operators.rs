use supremum::prelude::*;

fn main() {
    let a: Tensor<U32, Rank1> = tensor![1, 2];
    let b: Tensor<U32, Rank1> = tensor![3, 5];
    let y = (&a & &b, &a | &b, &a ^ &b, !&a);
    assert_eq!((y.0.to_vec(), y.3.to_vec()), (vec![1, 0], vec![!1, !2]));
    let y = (&a << 3, &a >> 3);
    assert_eq!((y.0.to_vec(), y.1.to_vec()), (vec![8, 16], vec![0, 0]));
    let y = (&a << 7) | (&a >> 25);
    assert_eq!(y.to_vec(), [128, 256]);
}
