use supremum::{DynTensor, Error, F32, Tensor};

fn run(d: DynTensor, t: Tensor<F32>) -> Result<(), Error> {
    let all = d.equal(1);
    let only = d.item()?.as_f64() == Some(1.0);
    let same = d == t.into_dyn();
    Ok(())
}

fn main() {}
