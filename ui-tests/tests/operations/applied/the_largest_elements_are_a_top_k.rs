use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![4.0, 1.0, 3.0, 2.0];
    let axis = 0;
    let (_, y) = a.top_k(3, axis);
    assert_eq!(y.to_vec(), [0, 2, 3]);
    let y = a.sort(axis).slice(axis, ..3);
    assert_eq!(y.to_vec(), [1.0, 2.0, 3.0]);
    let y = a.argsort(axis).slice(axis, ..3);
    assert_eq!(y.to_vec(), [1, 3, 2]);
}
