// All elements of `full` are one number.
use supremum::{DType, DynTensor, F32, Rank1, Tensor};

fn main() {
    let elements = vec![0.5_f32, 1.5];
    let weights = Tensor::<F32, Rank1>::from(elements);
}
