use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank4>::from_fn([1, 4, 1, 2], |[_, c, _, w]| (c * 10 + w) as f32);
    let (n, c, h, w) = (1, 1, 1, 2);
    let y: Tensor<F32, Rank4> = x.reshape([n, c, 2, 2, h, w]).permute([0, 1, 4, 2, 5, 3]).reshape([n, c, h * 2, w * 2]);
    assert_eq!(y.to_vec(), [0.0, 10.0, 1.0, 11.0, 20.0, 30.0, 21.0, 31.0]);
    let y = x.reshape([n, c, 2, 2, h, w]).permute([0, 1, 4, 2, 5, 3]).reshape([n, c, h * 2, w * 2]);
    let z = y.reshape([n, c, h, 2, w, 2]).permute([0, 1, 3, 5, 2, 4]).reshape([n, c * 4, h, w]);
    assert_eq!(z, x);
}
