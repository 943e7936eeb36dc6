//! `max` and `gt` are methods of iterators too, which rustc would propose by `.into_iter()`.
use supremum::prelude::*;

fn loud(x: &DynTensor, threshold: f64) -> Result<(DynTensor, DynTensor), Error> {
    Ok((x.abs().max(), x.abs().gt(threshold)))
}

fn main() {
    let x = DynTensor::from(&tensor![F32; 0.5, -2.0]);
    let (most, mask) = loud(&x, 1.0).unwrap();
    assert_eq!(most.to_vec::<F32>(), Ok(vec![2.0]));
    assert_eq!(mask.to_vec::<Bool>(), Ok(vec![false, true]));
}
