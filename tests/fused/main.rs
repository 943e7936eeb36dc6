//! `fuse!` and `promote_unsafe!`: the whole language, outputs and errors. That every operation has the bits of the eager one for
//! all dtypes is shown by `paths.rs` of the operations' tests.
#![allow(clippy::as_conversions, reason = "small numbers as sizes")]

mod backend;
mod bindings;
mod copies;
mod elementwise;
#[path = "../exact/mod.rs"]
mod exact;
mod failures;
mod functions;
mod hoistable;
mod large;
mod layouts;
mod literals;
#[path = "../naive/mod.rs"]
mod naive;
mod operands;
mod outputs;
mod passes;
mod saturating;
mod tensors;
mod traced;
mod types;
mod views;
mod words;

use naive::{Typed, same};
use supremum::{Rank, Rules, Tensor};

/// The elements as numbers that compare, NaN equal to NaN.
fn raw<D: Typed, N: Rank, R: Rules>(tensor: &Tensor<D, N, R>) -> Vec<Option<u128>> {
    tensor
        .iter()
        .map(|element| same(element, element).then(|| exact::Tested::raw(element)))
        .collect()
}
