use supremum::{DType, DynTensor, Error, F32, tensor};

fn main() -> Result<(), Error> {
    let t: DynTensor = tensor![F32; 1.0, 2.0].into_dyn();
    let name = "f32";
    assert!(t.dtype() == name.parse::<DType>()?);
    Ok(())
}
