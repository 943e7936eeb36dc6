//! Views and broadcasting, and every error of a shape.
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod errors;
#[path = "../exact/mod.rs"]
mod exact;
mod forms;
#[path = "../naive/mod.rs"]
mod naive;
#[path = "../panics/mod.rs"]
mod panics;
mod views;

type Any = supremum::Tensor<supremum::I32>;
