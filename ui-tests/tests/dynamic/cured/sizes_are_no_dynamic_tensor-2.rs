use supremum::DynTensor;

fn main() {
    let sizes: Vec<usize> = vec![2, 3];
    let d: DynTensor = DynTensor::from([1.0_f32, 2.0]);
}
