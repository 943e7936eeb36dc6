use supremum::{F32, F64, Rank1, Tensor, TensorFlowLegacy, tensor};

fn main() {
    let a: Tensor<F32, Rank1, TensorFlowLegacy> = tensor![0.5];
    let b: Tensor<F64, Rank1, TensorFlowLegacy> = tensor![0.5];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
