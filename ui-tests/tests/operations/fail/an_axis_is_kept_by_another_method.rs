use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let _ = x.sum_axis(0, true);
    let _ = x.prod_axis(0, true);
    let _ = x.mean_axis(0, true);
    let _ = x.var_axis(0, true);
    let _ = x.std_axis(0, true);
    let _ = x.min_axis(0, true);
    let _ = x.max_axis(0, true);
    let _ = x.any_axis(0, true);
    let _ = x.all_axis(0, true);
    let _ = x.nan_sum_axis(0, true);
    let _ = x.nan_min_axis(0, true);
    let _ = x.nan_max_axis(0, true);
    let _ = x.nan_mean_axis(0, true);
    let _ = x.nan_var_axis(0, true);
    let _ = x.nan_std_axis(0, true);
    let _ = x.argmin_axis(0, true);
    let _ = x.argmax_axis(0, true);
}
