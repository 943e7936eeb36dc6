use supremum::{DType, Error, Jax, Rules};

fn main() -> Result<(), Error> {
    let dtype = Jax::promote(DType::F16, DType::BF16)?.dtype;
    assert_eq!(dtype, DType::F32);
    Ok(())
}
