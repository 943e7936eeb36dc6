use supremum::{F32, Rank2, Tensor, concat};

fn main() {
    let a = Tensor::<F32, Rank2>::eye(2);
    let [b, c] = [a.clone(), a.clone()];
    let b: Tensor<F32, Rank2> = concat([&a, &b, &c], 0);
}
