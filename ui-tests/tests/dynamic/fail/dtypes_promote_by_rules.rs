//! A promotion of two dtypes without rules.
use supremum::{DType, Error};

fn main() -> Result<(), Error> {
    let dtype = DType::F16.promote(DType::BF16)?;
    assert_eq!(dtype, DType::F32);
    Ok(())
}
