use supremum::fuse;
use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank4>::ones([2, 3, 4, 5]);
    let y: Tensor<F32, Rank4> =
        fuse!((x - x.mean_keepdims([0, 2, 3])) / (x.var_keepdims([0, 2, 3]) + 1e-5).sqrt());
}
