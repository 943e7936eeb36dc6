use supremum::{DynTensor, F32};

fn widened(t: &DynTensor) -> DynTensor {
    t.cast::<F32>()
}

fn main() {}
