use supremum::{F32, Rank1, Tensor};

fn main() {
    let x = 0.5_f64;
    let mut rates = Tensor::<F32, Rank1>::full([2], 0.5);
    rates.set(&[0], x as f32);
}
