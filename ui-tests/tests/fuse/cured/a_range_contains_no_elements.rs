use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.25, 0.75];
    let low = fuse!((0.0 <= x) & (x < 0.5));
    assert_eq!(low.to_vec(), [true, false]);
}
