//! `>` gives one `bool`, and tensors compare by element. The impls of a message would hide `d.gt(0.5)` of a `d: &mut DynTensor`.
use supremum::{DynTensor, Error};

fn run(d: DynTensor, e: DynTensor) -> Result<(), Error> {
    let high = d > 0.5;
    let greater = &d > &e;
    Ok(())
}

fn main() {}
