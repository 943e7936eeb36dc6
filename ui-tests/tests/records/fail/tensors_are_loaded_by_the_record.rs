//! A method of a source for the function of a record.
use std::collections::BTreeMap;
use supremum::{DynTensor, Error, F32, LoadTensors, Rank1, Tensor};

#[derive(LoadTensors)]
struct Model {
    bias: Tensor<F32, Rank1>,
}

fn read(tensors: BTreeMap<String, DynTensor>) -> Result<Model, Error> {
    let model: Model = tensors.load()?;
    Ok(model)
}

fn main() {}
