use supremum::{DynTensor, Error, F16, F32, F64, dispatch};

fn mean(d: DynTensor) -> Result<f64, Error> {
    dispatch!(d in [F16, F32], |t| t.widen::<F64>().mean().item())?
}

fn main() {}
