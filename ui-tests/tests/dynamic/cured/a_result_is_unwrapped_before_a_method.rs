use supremum::prelude::*;

fn softmax(x: &DynTensor) -> Result<DynTensor, Error> {
    let total = x.exp()?.sum();
    Ok(x.exp()? / total)
}

fn main() {
    let x = DynTensor::from(&tensor![F32; 0.0, 0.0]);
    assert_eq!(softmax(&x).unwrap().to_vec::<F32>(), Ok(vec![0.5, 0.5]));
}
