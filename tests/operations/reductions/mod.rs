//! Reductions and scans, judged by exact sums of integers and by `f64` with a stated bound:
//! over all axes, one, several, kept or not, of views, of nothing.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

/// Runs a test with each of the dtypes.
macro_rules! each {
    ([$check:ident $tally:ident] $($dtype:ident)*) => { $($check::<$dtype>(&mut $tally);)* };
}

mod axes;
mod forms;
mod naive_groups;
mod nan;
mod results;
