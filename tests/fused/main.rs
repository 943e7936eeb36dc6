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

use core::cell::Cell;

use naive::{Typed, same};
use supremum::{Rank, Rules, Tensor, elementwise};

thread_local! {
    /// The number of calls of [`counted`].
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

elementwise! {
    fn counted(x: f32) -> f32 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        x + 1.0
    }
}

/// The elements as numbers that compare, NaN equal to NaN.
fn raw<D: Typed, N: Rank, R: Rules>(tensor: &Tensor<D, N, R>) -> Vec<Option<u128>> {
    tensor
        .iter()
        .map(|element| same(element, element).then(|| exact::Tested::raw(element)))
        .collect()
}
