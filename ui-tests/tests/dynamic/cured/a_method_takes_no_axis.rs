use supremum::{DynTensor, Error};

fn main() -> Result<(), Error> {
    let t = DynTensor::from_vec(vec![1.0_f32, 2.0, 3.0, 4.0], [2, 2])?;
    let y = t.index_axis(0, 1);
    let y = t.swap_axes(0, 1);
    let n = t.shape()[0];
    let y = t.reshape((n, -1));
    let y = t.tile([2, 3]);
    let y = t.count_nonzero_axis(0);
    let y = t.argsort_descending(0);
    let axis = 0;
    let y = t.shape()[axis];
    let y = t.shape()[axis];
    let y = t.get(&[0, 1]);
    let y = t.get(&[0, 1]);
    Ok(())
}
