use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let _ = x.sum_keepdims(0);
    let _ = x.prod_keepdims(0);
    let _ = x.mean_keepdims(0);
    let _ = x.var_keepdims(0);
    let _ = x.std_keepdims(0);
    let _ = x.min_keepdims(0);
    let _ = x.max_keepdims(0);
    let _ = x.any_keepdims(0);
    let _ = x.all_keepdims(0);
    let _ = x.nan_sum_keepdims(0);
    let _ = x.nan_min_keepdims(0);
    let _ = x.nan_max_keepdims(0);
    let _ = x.nan_mean_keepdims(0);
    let _ = x.nan_var_keepdims(0);
    let _ = x.nan_std_keepdims(0);
    let _ = x.argmin_keepdims(0);
    let _ = x.argmax_keepdims(0);
}
