//! The accepted dtypes as the arms of a `match`, and as the type of the parameter.
use supremum::{DynTensor, dispatch};

fn len(x: &DynTensor) -> usize {
    let by_arms = dispatch!(x, |t| { F32, F64 => t.len(), _ => 0 });
    let by_match = dispatch!(x, { F32 | F64 => t.len(), _ => 0 });
    let by_type = dispatch!(x, |t: F32 | F64| t.len());
    by_arms.unwrap_or(0)
}

fn main() {}
