use supremum::{F32, Rank1, Tensor, stack};

fn main() {
    let tensors = [
        Tensor::<F32, Rank1>::ones([2]),
        Tensor::<F32, Rank1>::ones([2]),
    ];
    let total: Tensor<F32, Rank1> = {
        let references: Vec<_> = tensors.iter().collect();
        stack(&references, 0).sum_axis(0)
    };
}
