use std::collections::BTreeMap;
use supremum::{DynTensor, Error, F32, LoadTensors, Rank1, Tensor};

#[derive(LoadTensors)]
struct Model {
    bias: Tensor<F32, Rank1>,
}

fn read(tensors: BTreeMap<String, DynTensor>) -> Result<Model, Error> {
    let model: Model = Model::load_from(&tensors)?;
    Ok(model)
}

fn main() {}
