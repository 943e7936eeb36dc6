use supremum::{F32, I64, Rank1, Tensor, rand};

fn run(a: &Tensor<F32, Rank1>, n: i64) {
    let mut rng = rand::rng();
    let three = a.shuffle(0, &mut rng).slice(0, ..3);
    let positions = Tensor::<I64, Rank1>::integers([3], 0..n, &mut rng);
}

fn main() {}
