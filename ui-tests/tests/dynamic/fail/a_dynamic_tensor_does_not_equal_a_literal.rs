//! `==` compares whole tensors, and a `DynTensor` is one of any dtype.
use supremum::{DynTensor, Error, F32, Tensor};

fn run(d: DynTensor, t: Tensor<F32>) -> Result<(), Error> {
    let all = d == 1.0;
    let only = &d == 1;
    let same = d == t;
    Ok(())
}

fn main() {}
