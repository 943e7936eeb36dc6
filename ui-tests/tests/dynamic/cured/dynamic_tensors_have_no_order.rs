use supremum::{DynTensor, Error};

fn run(d: DynTensor, e: DynTensor) -> Result<(), Error> {
    let high = d.gt(1.0);
    let greater = d.item()?.as_f64() > Some(1.0);
    Ok(())
}

fn main() {}
