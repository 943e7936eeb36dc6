use supremum::DynTensor;

fn main() -> supremum::Result<()> {
    let iterator = vec![1.0_f32, 2.0].into_iter();
    let pair = DynTensor::from_vec(iterator.collect::<Vec<f32>>(), [2])?;
    Ok(())
}
