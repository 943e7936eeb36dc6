use supremum::{DType, DynTensor};

fn widened(t: &DynTensor) -> DynTensor {
    t.cast(DType::F32)
}

fn main() {}
