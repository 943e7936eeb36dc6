//! Properties of dtypes: conversions between elements, what they lose, and conversions of tensors.

mod casts;
mod conversion;
#[path = "../exact/mod.rs"]
mod exact;
mod from;
#[path = "../naive/mod.rs"]
mod naive;
mod printing;
mod saturating;
mod verdicts;
