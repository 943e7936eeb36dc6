use supremum::{F16, F64, Rank0, Rank1, Tensor, Torch, tensor};

fn main() {
    let images: Tensor<F16, Rank1, Torch> = tensor![1.0, 2.0];
    let scale: Tensor<F64, Rank0, Torch> = Tensor::scalar(1e300);
    let scaled = images * scale.cast::<F16>();
}
