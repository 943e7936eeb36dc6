//! The dtype of `to_vec` follows from nothing here.
#![allow(unused_imports)]
use supremum::{DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [3])?;
    for x in d.to_vec()? {
        println!("{x}");
    }
    Ok(())
}
