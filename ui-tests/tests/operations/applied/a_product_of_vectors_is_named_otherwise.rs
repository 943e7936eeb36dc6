use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let b = &a + 1;
    let (a, b) = (a.unsqueeze(0), b.unsqueeze(0));
    let y = a.matmul(&b.transpose());
    assert_eq!(y.to_vec(), [28.0]);
    let y: Tensor<F32, Rank1> = fuse!((a * b).sum_axis(-1));
    assert_eq!(y.to_vec(), [28.0]);
}
