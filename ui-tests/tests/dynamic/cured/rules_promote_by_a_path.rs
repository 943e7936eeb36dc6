supremum::prelude!();

fn main() -> Result<(), Error> {
    let common = Numpy::promote(DType::F32, DType::I64)?.dtype;
    assert_eq!(common, DType::F64);
    Ok(())
}
