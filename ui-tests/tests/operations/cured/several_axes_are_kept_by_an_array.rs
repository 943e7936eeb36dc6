use supremum::{F32, Rank3, Tensor};

fn main() {
    let x = Tensor::<F32, Rank3>::ones([2, 3, 4]);
    let _ = x.sum_keepdims([0, 1]);
    let _ = x.prod_keepdims([0, 1]);
    let _ = x.mean_keepdims([0, 1]);
    let _ = x.var_keepdims([0, 1]);
    let _ = x.std_keepdims([0, 1]);
    let _ = x.min_keepdims([0, 1]);
    let _ = x.max_keepdims([0, 1]);
    let _ = x.any_keepdims([0, 1]);
    let _ = x.all_keepdims([0, 1]);
    let _ = x.nan_sum_keepdims([0, 1]);
    let _ = x.nan_min_keepdims([0, 1]);
    let _ = x.nan_max_keepdims([0, 1]);
    let _ = x.nan_mean_keepdims([0, 1]);
    let _ = x.nan_var_keepdims([0, 1]);
    let _ = x.nan_std_keepdims([0, 1]);
}
