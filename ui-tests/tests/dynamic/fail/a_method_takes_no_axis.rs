//! rustc would remove the arguments, which gives something else.
use supremum::{DynTensor, Error};

fn main() -> Result<(), Error> {
    let t = DynTensor::from_vec(vec![1.0_f32, 2.0, 3.0, 4.0], [2, 2])?;
    let y = t.rows(1);
    let y = t.transpose(0, 1);
    let n = t.shape()[0];
    let y = t.flatten(1);
    let y = t.tile(2, 3);
    let y = t.count_nonzero(0);
    let y = t.argsort(0, true);
    let axis = 0;
    let y = t.shape(axis);
    let y = t.len(axis);
    let y = t.get(0, 1);
    let y = t.item(0);
    Ok(())
}
