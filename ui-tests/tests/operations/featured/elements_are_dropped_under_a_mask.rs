use supremum::{Bool, F32, Rank2, Tensor, rand};

fn run(x: &Tensor<F32, Rank2>) {
    let mut rng = rand::rng();
    let keep = Tensor::<Bool, Rank2>::bernoulli(x.sizes(), 0.9, &mut rng);
}

fn main() {}
