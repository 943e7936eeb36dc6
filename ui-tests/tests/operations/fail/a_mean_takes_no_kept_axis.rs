use supremum::{F32, Rank2, Tensor};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let _ = &x - x.mean(-1, true);
    let _ = &x / x.sum(-1, true);
    let _ = &x - x.max(-1, true);
    let _ = &x - x.min(-1, true);
    let _ = &x / x.prod(-1, true);
    let _ = &x / x.std(-1, true);
    let _ = &x / x.var(-1, true);
    let _ = x.gt(0).any(-1, true);
    let _ = x.gt(0).all(-1, true);
}
