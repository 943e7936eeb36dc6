use supremum::{DType, DynTensor, F32, Rank1, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![-0.5, 1.5];
    let limited = (&weights * 127.0).clamp(-128.0, 127.0);
    assert_eq!(limited.to_vec(), [-63.5, 127.0]);
    let small = DynTensor::from(weights * 127.0).cast_saturating(DType::I8);
    assert_eq!(small.dtype(), DType::I8);
}
