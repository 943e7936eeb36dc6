use supremum::{F32, Rank3, Tensor};

fn main() {
    let x = Tensor::<F32, Rank3>::ones([2, 3, 4]);
    let _ = x.sum_axis([0, 1]);
    let _ = x.prod_axis([0, 1]);
    let _ = x.mean_axis([0, 1]);
    let _ = x.var_axis([0, 1]);
    let _ = x.std_axis([0, 1]);
    let _ = x.min_axis([0, 1]);
    let _ = x.max_axis([0, 1]);
    let _ = x.any_axis([0, 1]);
    let _ = x.all_axis([0, 1]);
    let _ = x.nan_sum_axis([0, 1]);
    let _ = x.nan_min_axis([0, 1]);
    let _ = x.nan_max_axis([0, 1]);
    let _ = x.nan_mean_axis([0, 1]);
    let _ = x.nan_var_axis([0, 1]);
    let _ = x.nan_std_axis([0, 1]);
}
