use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let _ = x.prod(0);
    let _ = x.mean(0);
    let _ = x.var(0);
    let _ = x.std(0);
    let _ = x.min(0);
    let _ = x.max(0);
    let _ = x.any(0);
    let _ = x.all(0);
    let _ = x.nan_sum(0);
    let _ = x.nan_min(0);
    let _ = x.nan_max(0);
    let _ = x.nan_mean(0);
    let _ = x.nan_var(0);
    let _ = x.nan_std(0);
    let _ = x.argmin(0);
    let _ = x.argmax(0);
}
