use supremum::{F32, Rank2, Tensor};

fn main() {
    let a: Tensor<F32, Rank2> = Tensor::ones([4, 5]);
    let b: Tensor<F32, Rank2> = Tensor::ones([2, 3]);
    let blocks: Tensor<F32, Rank2> = Tensor::<F32, Rank2>::eye(3).kron(&a);
}
