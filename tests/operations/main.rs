//! Operations on tensors: what they compute, the forms of their operands, literals, and the rules of each system.

mod admitted;
mod agreement;
mod arithmetic;
mod complex_literals;
mod divisions;
mod dynamic;
#[path = "../exact/mod.rs"]
mod exact;
mod functions;
mod literal_operands;
mod literals;
#[path = "../naive/mod.rs"]
mod naive;
mod operands;
mod other_systems;
mod own_names;
#[path = "../panics/mod.rs"]
mod panics;
mod paths;
mod powers;
mod reductions;

use supremum::{Rank1, StaticDType, Tensor};

fn vector<D: StaticDType>(elements: &[D::Element]) -> Tensor<D, Rank1> {
    Tensor::from_slice(elements, [elements.len()]).expect("a vector")
}
