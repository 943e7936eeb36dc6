use supremum::DynTensor;

fn main() {
    let sizes: Vec<i64> = vec![2, 3];
    let d: DynTensor = sizes.into();
}
