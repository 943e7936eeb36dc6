//! The functions that read tensors have this bound; they are of features that are off here.
use supremum::{DType, F32, StaticDType, StrongDType};

fn stored<D: StrongDType>() -> DType {
    D::DTYPE
}

fn of_any<D: StaticDType>() -> DType {
    stored::<D>()
}

fn main() {
    let _ = (stored::<f32>(), of_any::<F32>());
}
