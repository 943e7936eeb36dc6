use supremum::{DType, F32, StrongDType};

fn stored<D: StrongDType>() -> DType {
    D::DTYPE
}

fn of_any<D: StrongDType>() -> DType {
    stored::<D>()
}

fn main() {
    let _ = (stored::<F32>(), of_any::<F32>());
}
