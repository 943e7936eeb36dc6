use supremum::{F16, Rank1, Tensor};

fn main() {
    let rate = 0.5_f32;
    let mut rates = Tensor::<F16, Rank1>::full([2], 0.5);
    rates.set(&[0], f64::from(rate));
}
