//! The comment on the line that the compiler quotes has the cure.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2])?;
    for x in d.iter()? {
        println!("{x}");
    }
    Ok(())
}
