use supremum::{BF16, I32, Rank1, Rank5, Tensor, U64};

fn rest(bytes: &Tensor<I32, Rank5>, x: &Tensor<BF16>, counts: &Tensor<U64, Rank1>, whole: f32, n: usize) {
    let _ = f64::from(whole) - bytes;
    let _ = n as i64 * x;
    let _ = n as i64 - counts;
}

fn main() {}
