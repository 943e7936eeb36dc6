use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let y: Tensor<F32, Rank1> = fuse!(x / x.sum_keepdims(-1));
}
