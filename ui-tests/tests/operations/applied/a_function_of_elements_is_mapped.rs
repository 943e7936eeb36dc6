use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let f = |x: f32| x + 1.0;
    let y = fuse!(f(a) * 2.0);
    assert_eq!(y.to_vec(), [4.0, 6.0]);
    a.map_inplace(|x| x + 1.0);
    assert_eq!(a.to_vec(), [2.0, 3.0]);
}
