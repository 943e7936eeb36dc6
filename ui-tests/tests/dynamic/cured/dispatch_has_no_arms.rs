use supremum::{DynTensor, F32, F64, dispatch};

fn len(x: &DynTensor) -> usize {
    let by_arms = dispatch!(x in [F32, F64], |t| t.len());
    let by_match = dispatch!(x in [F32, F64], |t| t.len());
    let by_type = dispatch!(x in [F32, F64], |t| t.len());
    by_arms.unwrap_or(0)
}

fn main() {}
