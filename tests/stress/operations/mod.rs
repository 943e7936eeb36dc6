//! The reference's implementation of each operation: the dtype and elements that the library must give.

mod elementwise;
mod matmul;
mod reduce;

use crate::reference::Reference;

pub(crate) use elementwise::{
    Binary, Compare, Unary, binary, cast, clamp, functions, select, unary,
};
pub(crate) use matmul::{concat, matmul};
pub(crate) use reduce::{Reduce, Scan, extreme_position, reduce, scan};

/// The tolerance with which a result is compared with the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Judge {
    /// By bits, any NaN being as good as another.
    Exact,
    /// As numbers: zeros of either sign are equal.
    Equal,
    /// So many floats of the result's dtype apart at most.
    Ulps(u64),
    /// By this distance relative to the reference, or absolute; where the reference is not finite, not at all.
    Near { relative: f64, absolute: f64 },
    /// By dtype and shape alone.
    Shape,
}

#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) value: Reference,
    pub(crate) judge: Judge,
}

/// Why an operation is an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// The rules do not define it.
    Rules,
    /// Shapes or values do not allow it.
    Values,
}

pub(crate) type Answer = Result<Expected, Refusal>;

fn exact(value: Reference) -> Answer {
    let judge = Judge::Exact;
    Ok(Expected { value, judge })
}
