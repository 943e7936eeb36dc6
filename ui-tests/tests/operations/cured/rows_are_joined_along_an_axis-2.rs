use supremum::{F32, Rank2, Tensor, stack};

fn main() {
    let a = Tensor::<F32, Rank2>::eye(2);
    let b = stack([&a, &a], 0);
}
