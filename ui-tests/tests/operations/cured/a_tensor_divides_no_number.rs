use supremum::{F32, Rank1, Tensor};

fn main() {
    let t = Tensor::<F32, Rank1>::ones([2]).sum();
    let mut total = 1.0_f32;
    total /= f32::from(t);
}
