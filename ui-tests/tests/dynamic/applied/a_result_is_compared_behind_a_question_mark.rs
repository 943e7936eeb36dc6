use supremum::prelude::*;
use supremum::try_concat;

fn loud(x: &DynTensor, threshold: f64) -> Result<(DynTensor, DynTensor), Error> {
    Ok((try_concat([&x, &x], 0)?.sum(), x.abs()?.gt(threshold)))
}

fn main() {
    let x = DynTensor::from(&tensor![F32; 0.5, -2.0]);
    let (most, mask) = loud(&x, 1.0).unwrap();
    assert_eq!(most.to_vec::<F32>(), Ok(vec![-3.0]));
    assert_eq!(mask.to_vec::<Bool>(), Ok(vec![false, true]));
}
