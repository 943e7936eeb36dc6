use supremum::{Bool, F32, Rank1, Tensor, Torch, tensor};

fn main() {
    let mask: Tensor<Bool, Rank1, Torch> = tensor![true, false];
    let a: Tensor<F32, Rank1, Torch> = tensor![1.0, 2.0];
    let difference = a.cast::<F32>() - mask.cast::<F32>();
}
