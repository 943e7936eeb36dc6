use supremum::{DType, Error, F16, Jax, Rules, tensor};

fn main() -> Result<(), Error> {
    let dtype = {
        let t = tensor![F16; 1.0].into_dyn();
        Jax::promote(t.dtype(), DType::F32)?.dtype
    };
    assert_eq!(dtype, DType::F32);
    Ok(())
}
