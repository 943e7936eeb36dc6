//! Operations on tensors: what they compute, the forms of their operands, literals, and the rules of each system.

mod agreement;
mod arithmetic;
mod complex_literals;
mod dynamic;
#[path = "../exact/mod.rs"]
mod exact;
mod functions;
mod literals;
#[path = "../naive/mod.rs"]
mod naive;
mod operands;
mod other_systems;
#[path = "../panics/mod.rs"]
mod panics;
mod paths;
mod powers;
mod reductions;
