use supremum::{Error, F32, LoadTensors, Rank2, Tensor};

#[derive(LoadTensors)]
struct Model {
    weight: Tensor<F32, Rank2>,
}

fn run(path: &str) -> Result<Model, Error> {
    Model::load(path)
}

fn main() {}
