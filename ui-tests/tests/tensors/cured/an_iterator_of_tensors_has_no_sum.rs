use supremum::{F32, Rank1, Tensor};

fn main() {
    let tensors = [Tensor::<F32, Rank1>::ones([2]), Tensor::<F32, Rank1>::ones([2])];
    let total: Option<Tensor<F32, Rank1>> = tensors.into_iter().reduce(|a, b| a + b);
}
