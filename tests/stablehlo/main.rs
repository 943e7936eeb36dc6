//! Tracing functions into programs: what they print, what cannot be traced, and what may not leave a trace. That XLA
//! computes with them what Supremum does is shown by `scripts/xla_check`.
#![cfg(feature = "stablehlo")]
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod constants;
mod evaluate;
mod forms;
mod operations;
mod parts;
mod promotions;
mod refusals;
mod shapes;
#[path = "../sources/mod.rs"]
mod sources;

use supremum::stablehlo::{self, Inputs, Outputs, Program};

/// The program of a function.
#[track_caller]
fn traced<I: Inputs, O: Outputs>(inputs: I, function: impl FnOnce(I::Tensors) -> O) -> Program {
    stablehlo::trace(inputs, function).unwrap().into_dyn()
}

/// The names of a program's operations, without the dialect.
fn names(program: &Program) -> Vec<String> {
    let text = program.to_string();
    let lines = text.lines().filter(|line| line.starts_with("    %"));
    let names = lines.map(|line| line.split('"').nth(1).unwrap().replace("stablehlo.", ""));
    names.collect()
}

/// The results' types.
fn outputs(program: &Program) -> Vec<String> {
    program.outputs().iter().map(ToString::to_string).collect()
}
