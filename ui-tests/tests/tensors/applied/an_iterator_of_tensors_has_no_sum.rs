use supremum::{F32, Rank1, Tensor};

fn main() {
    let tensors = [
        Tensor::<F32, Rank1>::ones([2]),
        Tensor::<F32, Rank1>::ones([2]),
    ];
    let total: Tensor<F32, Rank1> = {
        let first = Tensor::<F32, Rank1>::zeros([2]);
        tensors.iter().fold(first, |a, b| a + b)
    };
}
