//! Without a list of dtypes the code has to compile for all of them.
use supremum::{DynTensor, Error, F64, dispatch};

fn mean(d: DynTensor) -> Result<f64, Error> {
    dispatch!(d, |t| t.widen::<F64>().mean().item())?
}

fn main() {}
