use supremum::{F32, Rank2, Tensor};

fn main() {
    let a = Tensor::<F32, Rank2>::eye(2);
    let b: Tensor<F32, Rank2> = a.concat(&a, 1);
}
