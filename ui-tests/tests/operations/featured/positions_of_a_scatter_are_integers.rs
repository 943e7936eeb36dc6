use supremum::{F32, I64, Rank1, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let floats = Tensor::<I64, Rank1>::integers([3], 0..10, &mut rng).cast::<F32>();
}
