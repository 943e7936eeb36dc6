//! The rule sets at run time: their tables, laws and values, beside what the systems answer.

mod common;
mod common_dtypes;
mod conformance;
mod laws;
mod porting;
mod ports;
mod systems;
mod values;
