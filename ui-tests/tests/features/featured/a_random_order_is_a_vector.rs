use supremum::{I64, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let t = Tensor::<I64, Rank2>::zeros([2, 3]);
    let order: Tensor<I64, Rank2> = t.shuffle(0, &mut rng);
}
