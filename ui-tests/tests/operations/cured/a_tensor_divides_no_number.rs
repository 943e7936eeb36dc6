use supremum::{F32, I64, Rank1, Tensor};

fn main() {
    let t = Tensor::<F32, Rank1>::ones([2]).sum();
    let mut total = 1.0;
    total %= f32::from(t);
    let t = Tensor::<I64, Rank1>::ones([2]).sum();
    let mut n = 1;
    n /= i64::from(t);
}
