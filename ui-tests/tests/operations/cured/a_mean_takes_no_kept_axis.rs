use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let _ = &x - x.mean_keepdims(-1);
    let _ = &x / x.sum_keepdims(-1);
    let _ = &x - x.max_keepdims(-1);
    let _ = &x - x.min_keepdims(-1);
    let _ = &x / x.prod_keepdims(-1);
    let _ = &x / x.std_keepdims(-1);
    let _ = &x / x.var_keepdims(-1);
    let _ = x.gt(0).any_keepdims(-1);
    let _ = x.gt(0).all_keepdims(-1);
}
