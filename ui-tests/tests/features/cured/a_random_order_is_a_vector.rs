use supremum::{I64, Rank1, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let order: Tensor<I64, Rank1> = Tensor::<I64, Rank1>::permutation(5, &mut rng);
}
