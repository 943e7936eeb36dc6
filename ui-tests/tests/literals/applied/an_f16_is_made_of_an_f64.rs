use supremum::{F16, Rank1, Tensor};

fn main() {
    let n = 2_usize;
    let mut rates = Tensor::<F16, Rank1>::full([2], 0.5);
    rates.set(&[0], n as i64);
}
