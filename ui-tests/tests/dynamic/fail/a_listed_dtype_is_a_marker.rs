//! `dispatch!` with the types of elements in its list.
#![allow(unused_imports)]
use supremum::{DType, DynTensor, Error, F32, F64, dispatch};

fn main() -> Result<(), Error> {
    let t = DynTensor::ones(DType::F64, [3])?;
    let n = dispatch!(&t in [f32, F64], |x| x.len())?;
    Ok(())
}
