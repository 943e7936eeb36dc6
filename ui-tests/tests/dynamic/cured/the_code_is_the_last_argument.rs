use supremum::{DynTensor, Error, F32, F64, dispatch};

fn total(d: &DynTensor) -> Result<f64, Error> {
    dispatch!(d in [F32, F64], |t| t.cast::<F64>().sum().item())?
}

fn main() {}
